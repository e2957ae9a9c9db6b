//! The test suite of short-term memories. A failure is a panic, as in any test.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::HandClock;
use crate::short_term::interface::{LARGEST_VALUE, LONGEST_LIFETIME};
use crate::short_term::{DEFAULT_LIFETIME, TalkEntry};
use crate::{Clock, Error, ShortTermMemory, Talk, UserId, clock};

/// A server's own expiry must not be before the expiry by the clock, which stands still: all lifetimes are minutes.
const MINUTE: Duration = Duration::from_secs(60);
/// The number of random sequences of steps in the suite.
const STRETCHES: usize = 24;

/// Checks all guarantees of [`ShortTermMemory`]. `make` returns a memory with the given clock and without data of users
/// called `suite-…`; each call uses other users, so that `make` may return the same store.
pub async fn short_term_suite(make: impl AsyncFn(Arc<dyn Clock>) -> Arc<dyn ShortTermMemory>) {
    let suite = async |name: &str| {
        let clock = Arc::new(HandClock::default());
        let memory = make(clock.clone()).await;
        Suite { user: UserId::new(&format!("suite-{name}")).unwrap(), clock, memory }
    };
    what_is_put_comes_back(suite("back").await).await;
    what_has_expired_never_comes_back(suite("expiry").await).await;
    a_new_value_has_a_new_life(suite("anew").await).await;
    what_is_forgotten_is_gone(suite("forget").await).await;
    talks_do_not_mix(suite("mix").await).await;
    what_cannot_be_kept_is_refused(suite("unfit").await).await;
    let mut runner = TestRunner::deterministic();
    for stretch in 0..STRETCHES {
        let Suite { user, clock, memory } = suite(&format!("random-{stretch}")).await;
        let steps = short_term_steps().new_tree(&mut runner).unwrap().current();
        short_term_agrees(&*memory, &clock, user.as_str(), &steps).await;
    }
}

struct Suite {
    user: UserId,
    clock: Arc<HandClock>,
    memory: Arc<dyn ShortTermMemory>,
}

impl Suite {
    fn talk(&self, session: &str) -> Talk {
        Talk::new(self.user.clone(), session).unwrap()
    }

    async fn put(&self, talk: &Talk, key: &str, value: Value, lifetime: Duration) {
        self.memory.put(talk, key, value, lifetime).await.unwrap();
    }

    async fn keys(&self, talk: &Talk) -> String {
        let entries = self.memory.list(talk).await.unwrap();
        entries.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>().join(",")
    }
}

async fn what_is_put_comes_back(suite: Suite) {
    let talk = suite.talk("夜谈");
    let value = json!({"人物": ["林深", null, 1.5, -3, true], "text": "\"quoted\"\n\u{1f40d}", "": {}});
    suite.put(&talk, "b", value.clone(), DEFAULT_LIFETIME).await;
    suite.put(&talk, "a:b c*?[", json!(null), MINUTE).await;
    suite.put(&talk, "键", json!(""), 2 * MINUTE).await;
    assert_eq!(suite.memory.get(&talk, "b").await.unwrap(), Some(value.clone()));
    assert_eq!(suite.memory.get(&talk, "a:b c*?[").await.unwrap(), Some(json!(null)), "null is a value too");
    assert_eq!(suite.memory.get(&talk, "B").await.unwrap(), None);
    let now = clock::now(&*suite.clock);
    let entry = |key: &str, value: Value, lifetime: Duration| TalkEntry {
        key: key.into(),
        value,
        expires: now.checked_add(lifetime).unwrap(),
    };
    let all = [
        entry("a:b c*?[", json!(null), MINUTE),
        entry("b", value, DEFAULT_LIFETIME),
        entry("键", json!(""), 2 * MINUTE),
    ];
    assert_eq!(suite.memory.list(&talk).await.unwrap(), all);
    assert_eq!(suite.memory.list(&suite.talk("nobody")).await.unwrap(), []);
}

async fn what_has_expired_never_comes_back(suite: Suite) {
    let talk = suite.talk("t");
    suite.put(&talk, "short", json!(1), MINUTE).await;
    suite.put(&talk, "long", json!(2), DEFAULT_LIFETIME).await;
    suite.clock.advance(MINUTE - Duration::from_millis(1));
    assert_eq!(suite.memory.get(&talk, "short").await.unwrap(), Some(json!(1)), "it lives to its last millisecond");
    suite.clock.advance(Duration::from_millis(1));
    assert_eq!(suite.memory.get(&talk, "short").await.unwrap(), None, "and is gone at its expiry");
    assert_eq!(suite.keys(&talk).await, "long");
    assert!(!suite.memory.forget(&talk, "short").await.unwrap(), "what has expired cannot be forgotten");
    suite.clock.advance(DEFAULT_LIFETIME);
    assert_eq!(suite.memory.forget_talk(&talk).await.unwrap(), 0);
    assert_eq!(suite.keys(&talk).await, "");
}

async fn a_new_value_has_a_new_life(suite: Suite) {
    let talk = suite.talk("t");
    suite.put(&talk, "longer", json!(1), MINUTE).await;
    suite.put(&talk, "shorter", json!(1), 9 * MINUTE).await;
    suite.clock.advance(MINUTE / 2);
    suite.put(&talk, "longer", json!(2), 9 * MINUTE).await;
    suite.put(&talk, "shorter", json!(2), MINUTE).await;
    assert_eq!(suite.memory.get(&talk, "shorter").await.unwrap(), Some(json!(2)));
    suite.clock.advance(MINUTE);
    assert_eq!(suite.memory.get(&talk, "longer").await.unwrap(), Some(json!(2)));
    assert_eq!(suite.memory.get(&talk, "shorter").await.unwrap(), None, "the earlier life does not count");
    suite.put(&talk, "shorter", json!(3), MINUTE).await;
    assert_eq!(suite.memory.get(&talk, "shorter").await.unwrap(), Some(json!(3)), "a name can be used again");
}

async fn what_is_forgotten_is_gone(suite: Suite) {
    let (talk, other) = (suite.talk("t"), suite.talk("other"));
    for key in ["a", "b", "c"] {
        suite.put(&talk, key, json!(key), MINUTE).await;
    }
    suite.put(&other, "a", json!(0), MINUTE).await;
    assert!(suite.memory.forget(&talk, "a").await.unwrap());
    assert!(!suite.memory.forget(&talk, "a").await.unwrap());
    assert_eq!(suite.keys(&talk).await, "b,c");
    assert_eq!(suite.memory.forget_talk(&talk).await.unwrap(), 2);
    assert_eq!(suite.memory.forget_talk(&talk).await.unwrap(), 0);
    assert_eq!((suite.keys(&talk).await, suite.keys(&other).await), (String::new(), "a".into()));
}

/// Uses users and sessions whose concatenated names are equal.
async fn talks_do_not_mix(suite: Suite) {
    let name = suite.user.as_str();
    let pairs = [("", "a:b:c"), (":a", "b:c"), (":a:b", "c"), ("*", "c"), ("\\", "c"), (":A:B", "c")];
    let talks = pairs.map(|(end, session)| Talk::new(UserId::new(&format!("{name}{end}")).unwrap(), session).unwrap());
    for (number, talk) in talks.iter().enumerate() {
        suite.put(talk, "key", json!(number), MINUTE).await;
    }
    for (number, talk) in talks.iter().enumerate() {
        assert_eq!(suite.memory.get(talk, "key").await.unwrap(), Some(json!(number)), "{talk:?}");
        assert_eq!(suite.memory.list(talk).await.unwrap().len(), 1, "{talk:?}");
    }
    for (number, talk) in talks.iter().enumerate() {
        assert_eq!(suite.memory.forget_talk(talk).await.unwrap(), 1, "{talk:?}");
        for later in &talks[number + 1..] {
            assert_eq!(suite.keys(later).await, "key", "{later:?} after {talk:?} was forgotten");
        }
    }
}

async fn what_cannot_be_kept_is_refused(suite: Suite) {
    let talk = suite.talk("t");
    let large = json!("x".repeat(LARGEST_VALUE));
    let over = LONGEST_LIFETIME + Duration::from_millis(1);
    for (key, value, lifetime, expected) in [
        ("", json!(1), MINUTE, "key"),
        ("a\0b", json!(1), MINUTE, "key"),
        (&"k".repeat(257), json!(1), MINUTE, "key"),
        ("key", large, MINUTE, "value"),
        ("key", json!(1), Duration::ZERO, "lifetime"),
        ("key", json!(1), over, "lifetime"),
    ] {
        let refused = suite.memory.put(&talk, key, value, lifetime).await;
        assert!(matches!(&refused, Err(Error::Unfit { what, .. }) if *what == expected), "{key}: {refused:?}");
    }
    assert_eq!(suite.keys(&talk).await, "");
    suite.put(&talk, "key", json!("x".repeat(LARGEST_VALUE - 2)), LONGEST_LIFETIME).await;
    assert_eq!(suite.keys(&talk).await, "key");
}

/// A step of random work in a few talks.
#[derive(Debug, Clone)]
pub enum ShortTermStep {
    /// Stores a number under a key of a talk, with a lifetime in minutes.
    Put(usize, usize, u32, u32),
    /// Deletes a key of a talk.
    Forget(usize, usize),
    /// Deletes a talk.
    ForgetTalk(usize),
    /// Advances the clock by the given number of half minutes.
    Wait(u32),
}

/// Returns a strategy for random steps.
pub fn short_term_steps() -> impl Strategy<Value = Vec<ShortTermStep>> {
    let (talk, key) = (0..TALKS.len(), 0..KEYS.len());
    let put = (talk.clone(), key.clone(), 0..100u32, 1..6u32);
    let step = prop_oneof![
        6 => put.prop_map(|(talk, key, value, minutes)| ShortTermStep::Put(talk, key, value, minutes)),
        2 => (talk.clone(), key).prop_map(|(talk, key)| ShortTermStep::Forget(talk, key)),
        1 => talk.prop_map(ShortTermStep::ForgetTalk),
        3 => (1..5u32).prop_map(ShortTermStep::Wait),
    ];
    prop::collection::vec(step, 1..30)
}

/// Runs `steps` in talks of users called like `user`, and in a model; panics on a difference.
///
/// The clock must be the memory's clock, and the talks must be empty.
pub async fn short_term_agrees(memory: &dyn ShortTermMemory, clock: &HandClock, user: &str, steps: &[ShortTermStep]) {
    let talks = TALKS.map(|(end, session)| Talk::new(UserId::new(&format!("{user}{end}")).unwrap(), session).unwrap());
    let mut model: BTreeMap<(usize, &str), (Value, jiff::Timestamp)> = BTreeMap::new();
    for step in steps {
        match *step {
            ShortTermStep::Put(talk, key, value, minutes) => {
                let lifetime = MINUTE * minutes;
                memory.put(&talks[talk], KEYS[key], json!(value), lifetime).await.unwrap();
                let expires = clock::now(clock).checked_add(lifetime).unwrap();
                model.insert((talk, KEYS[key]), (json!(value), expires));
            }
            ShortTermStep::Forget(talk, key) => {
                let was_there = model.remove(&(talk, KEYS[key])).is_some();
                assert_eq!(memory.forget(&talks[talk], KEYS[key]).await.unwrap(), was_there, "{step:?}");
            }
            ShortTermStep::ForgetTalk(talk) => {
                let before = model.len();
                model.retain(|(owner, _), _| *owner != talk);
                assert_eq!(memory.forget_talk(&talks[talk]).await.unwrap(), before - model.len(), "{step:?}");
            }
            ShortTermStep::Wait(halves) => {
                clock.advance(MINUTE / 2 * halves);
                let now = clock::now(clock);
                model.retain(|_, (_, expires)| now < *expires);
            }
        }
        for (number, talk) in talks.iter().enumerate() {
            let expected: Vec<TalkEntry> = model
                .iter()
                .filter(|((owner, _), _)| *owner == number)
                .map(|((_, key), (value, expires))| TalkEntry {
                    key: (*key).into(),
                    value: value.clone(),
                    expires: *expires,
                })
                .collect();
            assert_eq!(memory.list(talk).await.unwrap(), expected, "{talk:?} after {step:?}");
            for key in KEYS {
                let expected = model.get(&(number, key)).map(|(value, _)| value.clone());
                assert_eq!(memory.get(talk, key).await.unwrap(), expected, "{key} of {talk:?} after {step:?}");
            }
        }
    }
}

/// The suffixes of users' names, with sessions.
const TALKS: [(&str, &str); 3] = [("-one", "a"), ("-one", "b"), ("-two", "a")];
const KEYS: [&str; 3] = ["k", "k:2", "钥匙"];
