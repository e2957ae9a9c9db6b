//! The test suite of long-term memories. A failure is a panic, as in any test.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::HandClock;
use crate::long_term::row::MOST_EVIDENCE;
use crate::long_term::{
    Edit, Evidence, Kind, LONGEST_TEXT, Memory, MemoryFilter, MemoryId, NewMemory, Source, Standing, What, rank,
};
use crate::{Clock, Error, LongTermMemory, UserId, clock};

const SECOND: Duration = Duration::from_secs(1);
/// The number of random sequences of steps in the suite.
const STRETCHES: usize = 24;

/// Checks all guarantees of [`LongTermMemory`]. `make` returns a memory with the given clock and without data of users
/// called `suite-…`; each call uses other users, so that `make` may return the same store.
pub async fn long_term_suite(make: impl AsyncFn(Arc<dyn Clock>) -> Arc<dyn LongTermMemory>) {
    let suite = async |name: &str| {
        let clock = Arc::new(HandClock::default());
        let memory = make(clock.clone()).await;
        let user = UserId::new(&format!("suite-{name}")).unwrap();
        memory.forget_all(&user).await.unwrap();
        Suite { user, clock, memory }
    };
    what_is_added_comes_back(suite("back").await).await;
    the_same_is_added_once(suite("once").await).await;
    an_edit_changes_what_it_names(suite("edit").await).await;
    of_two_writers_one_is_told(suite("writers").await).await;
    filters_exclude(suite("filter").await).await;
    what_was_seen_most_comes_first(suite("foremost").await).await;
    words_are_found(suite("search").await).await;
    what_is_forgotten_is_gone(suite("forget").await).await;
    a_copy_is_stored_as_it_is(suite("copy").await).await;
    users_do_not_see_each_other(suite("users").await).await;
    what_cannot_be_kept_is_refused(suite("unfit").await).await;
    let mut runner = TestRunner::deterministic();
    for stretch in 0..STRETCHES {
        let Suite { user, clock, memory } = suite(&format!("random-{stretch}")).await;
        let steps = long_term_steps().new_tree(&mut runner).unwrap().current();
        long_term_agrees(&*memory, &clock, user.as_str(), &steps).await;
    }
}

struct Suite {
    user: UserId,
    clock: Arc<HandClock>,
    memory: Arc<dyn LongTermMemory>,
}

impl Suite {
    async fn add(&self, new: NewMemory) -> Memory {
        self.memory.add(&self.user, new).await.unwrap()
    }

    async fn texts(&self, filter: MemoryFilter) -> String {
        texts(self.memory.list(&self.user, &filter).await.unwrap().iter())
    }
}

fn texts<'m>(memories: impl Iterator<Item = &'m Memory>) -> String {
    memories.map(|memory| memory.text.as_str()).collect::<Vec<_>>().join(",")
}

fn preference(text: &str) -> NewMemory {
    NewMemory {
        kind: Kind::Preference,
        project: None,
        topic: text.into(),
        text: text.into(),
        evidence: Vec::new(),
        source: Source::User,
        standing: Standing::On,
    }
}

fn evidence(place: &str) -> Evidence {
    let at = "2026-04-30T23:59:59.123456789Z".parse().unwrap();
    let words =
        Evidence::new(at, What::Rejected, place).words("别写成“大团圆”。\n\t'; DROP TABLE memory; -- \u{1f40d}");
    Evidence { after: "后来".into(), ..words }
}

async fn a_copy_is_stored_as_it_is(suite: Suite) {
    let added = suite.add(preference("短句")).await;
    let seen = Edit { seen: Some(evidence("r-1")), ..Edit::default() };
    let edited = suite.memory.edit(&suite.user, &added.id, 1, seen).await.unwrap();
    suite.memory.forget(&suite.user, &added.id).await.unwrap();
    suite.clock.advance(SECOND);
    suite.memory.restore(&suite.user, &edited).await.unwrap();
    assert_eq!(
        suite.memory.get(&suite.user, &added.id).await.unwrap(),
        Some(edited.clone()),
        "with revision and times"
    );
    suite.memory.restore(&suite.user, &added).await.unwrap();
    assert_eq!(suite.memory.list(&suite.user, &MemoryFilter::default()).await.unwrap(), [added], "over what was there");
}

async fn what_is_added_comes_back(suite: Suite) {
    let new = NewMemory {
        kind: Kind::Knowledge,
        project: Some("p-夜".into()),
        topic: "Topic $1 {\"a\": .b}".into(),
        text: "  雾都的钟每天慢一刻。\n\"quoted\" \u{1f40d} ".into(),
        evidence: vec![evidence("r-1"), evidence("r-2")],
        source: Source::Learnt,
        standing: Standing::Proposed,
    };
    let now = clock::now(&*suite.clock);
    let added = suite.add(new.clone()).await;
    let kept_evidence = |place| Evidence { at: "2026-04-30T23:59:59.123Z".parse().unwrap(), ..evidence(place) };
    let expected = Memory {
        id: MemoryId::of(Kind::Knowledge, Some("p-夜"), "topic $1 {\"A\": .b}"),
        kind: Kind::Knowledge,
        project: Some("p-夜".into()),
        topic: new.topic,
        text: "雾都的钟每天慢一刻。\n\"quoted\" \u{1f40d}".into(),
        evidence: vec![kept_evidence("r-1"), kept_evidence("r-2")],
        count: 2,
        source: Source::Learnt,
        standing: Standing::Proposed,
        created: now,
        changed: now,
        revision: 1,
    };
    assert_eq!(added, expected);
    assert_eq!(suite.memory.get(&suite.user, &added.id).await.unwrap(), Some(expected.clone()));
    assert_eq!(suite.memory.list(&suite.user, &MemoryFilter::default()).await.unwrap(), [expected]);
    let nobody = MemoryId::of(Kind::History, None, "nobody");
    assert_eq!(suite.memory.get(&suite.user, &nobody).await.unwrap(), None);
}

async fn the_same_is_added_once(suite: Suite) {
    let first = suite.add(preference("Short CHAPTERS")).await;
    let again = preference(" short chapters ");
    let refused = suite.memory.add(&suite.user, again.clone()).await;
    assert!(matches!(&refused, Err(Error::AlreadyThere { id }) if *id == first.id.to_string()), "{refused:?}");
    assert_eq!(suite.memory.get(&suite.user, &first.id).await.unwrap().unwrap(), first, "it is as it was");
    suite.add(NewMemory { project: Some("p-1".into()), ..again.clone() }).await;
    suite.add(NewMemory { kind: Kind::History, ..again }).await;
    let adding = (0..8).map(|_| suite.memory.add(&suite.user, preference("at once")));
    let added = join_all(adding).await;
    assert_eq!(added.iter().filter(|result| result.is_ok()).count(), 1, "of many one adds it");
    let is_told = |result: &&Result<Memory, Error>| matches!(result, Err(Error::AlreadyThere { .. }));
    assert_eq!(added.iter().filter(is_told).count(), 7, "{added:?}");
    assert_eq!(suite.memory.list(&suite.user, &MemoryFilter::default()).await.unwrap().len(), 4);
}

async fn an_edit_changes_what_it_names(suite: Suite) {
    let added = suite.add(NewMemory { evidence: vec![evidence("r-1")], ..preference("少用感叹号") }).await;
    suite.clock.advance(SECOND);
    let edit = async |expected, edit| suite.memory.edit(&suite.user, &added.id, expected, edit).await.unwrap();
    let changed = edit(1, Edit { text: Some(" 不用感叹号 ".into()), ..Edit::default() }).await;
    let now = clock::now(&*suite.clock);
    let expected = Memory { text: "不用感叹号".into(), changed: now, revision: 2, ..added.clone() };
    assert_eq!(changed, expected);
    let changed = edit(2, Edit { standing: Some(Standing::Off), seen: Some(evidence("r-2")), text: None }).await;
    assert_eq!((changed.standing, changed.count, changed.evidence.len(), changed.revision), (Standing::Off, 2, 2, 3));
    let changed = edit(3, Edit { seen: Some(evidence("r-2")), ..Edit::default() }).await;
    assert_eq!((changed.count, changed.evidence.len()), (2, 2), "the same deed is counted once");
    let mut last = changed;
    for number in 3..20 {
        last = edit(last.revision, Edit { seen: Some(evidence(&format!("r-{number}"))), ..Edit::default() }).await;
    }
    assert_eq!((last.count, last.evidence.len()), (19, MOST_EVIDENCE));
    assert_eq!(last.evidence.last().unwrap().place, "r-19", "the newest evidence stays");
    assert_eq!(suite.memory.get(&suite.user, &added.id).await.unwrap(), Some(last.clone()));
    assert_eq!(last.created, added.created);
    let again = suite.memory.add(&suite.user, preference("少用感叹号")).await;
    assert!(matches!(again, Err(Error::AlreadyThere { .. })), "other words are the same memory: {again:?}");
}

async fn of_two_writers_one_is_told(suite: Suite) {
    let added = suite.add(preference("a")).await;
    let switch = |standing| Edit { standing: Some(standing), ..Edit::default() };
    suite.memory.edit(&suite.user, &added.id, 1, switch(Standing::Off)).await.unwrap();
    let late = suite.memory.edit(&suite.user, &added.id, 1, switch(Standing::Proposed)).await;
    assert!(matches!(&late, Err(Error::Changed { expected: 1, found: 2, .. })), "{late:?}");
    let standing = suite.memory.get(&suite.user, &added.id).await.unwrap().unwrap().standing;
    assert_eq!(standing, Standing::Off, "the late edit changed nothing");
    let editing = (0..8).map(|number| {
        let edit = Edit { seen: Some(evidence(&format!("r-{number}"))), ..Edit::default() };
        suite.memory.edit(&suite.user, &added.id, 2, edit)
    });
    let edited = join_all(editing).await;
    assert_eq!(edited.iter().filter(|result| result.is_ok()).count(), 1, "{edited:?}");
    let is_told = |result: &&Result<Memory, Error>| matches!(result, Err(Error::Changed { .. }));
    assert_eq!(edited.iter().filter(is_told).count(), 7, "{edited:?}");
    let now = suite.memory.get(&suite.user, &added.id).await.unwrap().unwrap();
    assert_eq!((now.count, now.revision), (2, 3), "what the first evidence saw, and one of eight");
    let nobody = MemoryId::of(Kind::History, None, "nobody");
    let unknown = suite.memory.edit(&suite.user, &nobody, 1, Edit::default()).await;
    assert!(matches!(&unknown, Err(Error::Unknown { id }) if *id == nobody.to_string()), "{unknown:?}");
}

async fn filters_exclude(suite: Suite) {
    let rows = [
        (Kind::Preference, None, Standing::On, "everywhere"),
        (Kind::Preference, Some("p-1"), Standing::Proposed, "one"),
        (Kind::Preference, Some("p-12"), Standing::On, "twelve"),
        (Kind::History, Some("p-1"), Standing::On, "done"),
        (Kind::Knowledge, None, Standing::Off, "known"),
    ];
    for (kind, project, standing, text) in rows {
        suite.clock.advance(SECOND);
        suite.add(NewMemory { kind, project: project.map(str::to_owned), standing, ..preference(text) }).await;
    }
    let kind = Some(Kind::Preference);
    let project = Some("p-1".to_owned());
    let all = MemoryFilter::default();
    for (filter, expected) in [
        (all.clone(), "known,done,twelve,one,everywhere"),
        (MemoryFilter { kind, ..all.clone() }, "twelve,one,everywhere"),
        (MemoryFilter { project: project.clone(), ..all.clone() }, "known,done,one,everywhere"),
        (MemoryFilter { active: Some(true), ..all.clone() }, "done,twelve,everywhere"),
        (MemoryFilter { active: Some(false), ..all.clone() }, "known,one"),
        (MemoryFilter { kind, project: project.clone(), active: Some(true) }, "everywhere"),
        (MemoryFilter { project: Some("p-9".into()), ..all.clone() }, "known,everywhere"),
        (MemoryFilter { kind: Some(Kind::History), active: Some(false), ..all.clone() }, ""),
    ] {
        assert_eq!(suite.texts(filter.clone()).await, expected, "{filter:?}");
    }
    let oldest = MemoryId::of(Kind::Preference, None, "everywhere");
    suite.clock.advance(SECOND);
    let on = Edit { standing: Some(Standing::Proposed), ..Edit::default() };
    suite.memory.edit(&suite.user, &oldest, 1, on).await.unwrap();
    assert_eq!(suite.texts(all.clone()).await, "everywhere,known,done,twelve,one", "last changed first");
    assert_eq!(suite.texts(MemoryFilter { active: Some(true), ..all }).await, "done,twelve");
}

async fn what_was_seen_most_comes_first(suite: Suite) {
    for (text, seen) in [("once", 1), ("thrice", 3), ("twice", 2), ("twice and later", 2), ("often but off", 5)] {
        suite.clock.advance(SECOND);
        let standing = if text == "often but off" { Standing::Off } else { Standing::On };
        let mut memory = suite.add(NewMemory { standing, ..preference(text) }).await;
        for again in 1..seen {
            let edit = Edit { seen: Some(evidence(&format!("r-{again}"))), ..Edit::default() };
            memory = suite.memory.edit(&suite.user, &memory.id, memory.revision, edit).await.unwrap();
        }
        assert_eq!(memory.count, seen);
    }
    suite.clock.advance(SECOND);
    let evidence = (0..4).map(|at| evidence(&format!("r-{at}"))).collect();
    suite.add(NewMemory { project: Some("p-2".into()), evidence, ..preference("elsewhere") }).await;
    let on = MemoryFilter { active: Some(true), ..MemoryFilter::default() };
    let here = MemoryFilter { project: Some("p-1".into()), ..on.clone() };
    for (filter, limit, expected) in [
        (&on, 9, "elsewhere,thrice,twice and later,twice,once"),
        (&here, 9, "thrice,twice and later,twice,once"),
        (&here, 2, "thrice,twice and later"),
        (&MemoryFilter::default(), 1, "often but off"),
        (&here, 0, ""),
    ] {
        let found = suite.memory.foremost(&suite.user, filter, limit).await.unwrap();
        assert_eq!(texts(found.iter()), expected, "{filter:?}");
    }
}

async fn words_are_found(suite: Suite) {
    for text in ["主角不要开外挂", "结尾留白，不写大团圆", "short chapters", "The lamp is a key"] {
        suite.clock.advance(SECOND);
        suite.add(preference(text)).await;
    }
    suite.clock.advance(SECOND);
    suite.add(NewMemory { project: Some("p-2".into()), ..preference("本书的结尾要写大团圆") }).await;
    let all = MemoryFilter::default();
    let other = MemoryFilter { project: Some("p-1".into()), ..MemoryFilter::default() };
    for (query, filter, limit, expected) in [
        ("大團圓", &all, 9, "结尾留白，不写大团圆,本书的结尾要写大团圆"),
        ("大团圆", &other, 9, "结尾留白，不写大团圆"),
        ("KEYS", &all, 9, "The lamp is a key"),
        ("chapter 外挂", &all, 9, "short chapters,主角不要开外挂"),
        ("大团圆", &all, 1, "结尾留白，不写大团圆"),
        ("月亮", &all, 9, ""),
        ("", &all, 9, ""),
    ] {
        let found = suite.memory.search(&suite.user, query, filter, limit).await.unwrap();
        let given = rank(query, suite.memory.list(&suite.user, filter).await.unwrap(), limit);
        assert_eq!(found, given, "{query}: as `rank` says");
        assert_eq!(texts(found.iter().map(|found| &found.memory)), expected, "{query}");
    }
}

async fn what_is_forgotten_is_gone(suite: Suite) {
    let (first, second) = (suite.add(preference("a")).await, suite.add(preference("b")).await);
    suite.memory.edit(&suite.user, &first.id, 1, Edit::default()).await.unwrap();
    assert!(suite.memory.forget(&suite.user, &first.id).await.unwrap());
    assert!(!suite.memory.forget(&suite.user, &first.id).await.unwrap());
    assert_eq!(suite.memory.get(&suite.user, &first.id).await.unwrap(), None);
    assert_eq!(suite.texts(MemoryFilter::default()).await, "b");
    assert_eq!(suite.add(preference("a")).await.revision, 1, "it begins anew");
    assert_eq!(suite.memory.forget_all(&suite.user).await.unwrap(), 2);
    assert_eq!(suite.memory.forget_all(&suite.user).await.unwrap(), 0);
    assert_eq!(suite.memory.get(&suite.user, &second.id).await.unwrap(), None);
}

async fn users_do_not_see_each_other(suite: Suite) {
    let name = suite.user.as_str();
    let others = ["-2", "%", "*", ".*", "'--", "\"}"].map(|end| UserId::new(&format!("{name}{end}")).unwrap());
    let mine = suite.add(preference("mine 的")).await;
    for other in &others {
        suite.memory.forget_all(other).await.unwrap();
        assert_eq!(suite.memory.get(other, &mine.id).await.unwrap(), None, "{other}");
        assert_eq!(suite.memory.list(other, &MemoryFilter::default()).await.unwrap(), [], "{other}");
        assert_eq!(suite.memory.search(other, "mine", &MemoryFilter::default(), 9).await.unwrap(), [], "{other}");
        assert!(!suite.memory.forget(other, &mine.id).await.unwrap(), "{other}");
        let edited = suite.memory.edit(other, &mine.id, 1, Edit::default()).await;
        assert!(matches!(edited, Err(Error::Unknown { .. })), "{other}: {edited:?}");
        let theirs = suite.memory.add(other, preference("Mine 的")).await.unwrap();
        assert_eq!((theirs.id, theirs.text.as_str()), (mine.id.clone(), "Mine 的"), "each has a row of this id");
    }
    assert_eq!(suite.memory.list(&suite.user, &MemoryFilter::default()).await.unwrap(), [mine]);
    for other in &others {
        assert_eq!(suite.memory.forget_all(other).await.unwrap(), 1, "{other}");
    }
    assert_eq!(suite.texts(MemoryFilter::default()).await, "mine 的");
}

async fn what_cannot_be_kept_is_refused(suite: Suite) {
    let long = "长".repeat(LONGEST_TEXT + 1);
    let added = suite.add(preference("kept")).await;
    let text = |text: &str| NewMemory { text: text.into(), ..preference("topic") };
    for (new, expected) in [
        (text(" \n"), "text"),
        (text(&long), "text"),
        (text("a\0b"), "text"),
        (NewMemory { topic: String::new(), ..preference("a") }, "topic"),
        (NewMemory { project: Some(String::new()), ..preference("a") }, "project"),
    ] {
        let refused = suite.memory.add(&suite.user, new).await;
        assert!(matches!(&refused, Err(Error::Unfit { what, .. }) if *what == expected), "{expected}: {refused:?}");
    }
    for bad in ["", &long, "a\u{1b}[31m"] {
        let edit = Edit { text: Some(bad.into()), ..Edit::default() };
        let refused = suite.memory.edit(&suite.user, &added.id, 1, edit).await;
        assert!(matches!(&refused, Err(Error::Unfit { what: "text", .. })), "{refused:?}");
    }
    assert_eq!(suite.memory.list(&suite.user, &MemoryFilter::default()).await.unwrap(), [added]);
    let whole = suite.add(text(&long[..LONGEST_TEXT * "长".len()])).await;
    let long_evidence = Evidence { before: format!("a\0{long}"), ..evidence("r-1") };
    let edit = Edit { seen: Some(long_evidence), ..Edit::default() };
    let edited = suite.memory.edit(&suite.user, &whole.id, 1, edit).await.unwrap();
    assert!(edited.evidence[0].before.starts_with("a长"), "{:?}", edited.evidence);
    assert!(edited.evidence[0].before.ends_with("长…"), "{:?}", edited.evidence);
}

/// A step of random work on memories of a few users.
#[derive(Debug, Clone)]
pub enum LongTermStep {
    /// Adds a memory of a user: kind, project, text, standing.
    Add(usize, usize, usize, usize, usize),
    /// Edits the memory at an index of a user's list; the revision may be wrong.
    Edit(usize, usize, bool, Option<usize>, Option<usize>, Option<u8>),
    /// Deletes the memory at an index of a user's list.
    Forget(usize, usize),
    /// Deletes all memories of a user.
    ForgetAll(usize),
    /// Advances the clock by a second.
    Wait,
}

/// Returns a strategy for random steps.
pub fn long_term_steps() -> impl Strategy<Value = Vec<LongTermStep>> {
    use LongTermStep::{Add, Edit, Forget, ForgetAll, Wait};
    let (user, place) = (0..USERS.len(), 0..4usize);
    let (text, standing) = (0..TEXTS.len(), 0..STANDINGS.len());
    let add = (user.clone(), 0..Kind::ALL.len(), 0..PROJECTS.len(), text.clone(), standing.clone());
    let option = prop::option::of::<std::ops::Range<usize>>;
    let edit =
        (user.clone(), place.clone(), prop::bool::weighted(0.8), option(text), option(standing), any::<Option<u8>>());
    let step = prop_oneof![
        6 => add.prop_map(|(user, kind, project, text, standing)| Add(user, kind, project, text, standing)),
        5 => edit.prop_map(|(user, place, right, text, standing, seen)| {
            Edit(user, place, right, text, standing, seen.map(|seen| seen % 4))
        }),
        2 => (user.clone(), place).prop_map(|(user, place)| Forget(user, place)),
        1 => user.prop_map(ForgetAll),
        3 => Just(Wait),
    ];
    prop::collection::vec(step, 1..30)
}

/// Runs `steps` on memories of users called like `user`, and on a model; panics on a difference.
///
/// The clock must be the memory's clock, and the users must be new.
pub async fn long_term_agrees(memory: &dyn LongTermMemory, clock: &HandClock, user: &str, steps: &[LongTermStep]) {
    let users = USERS.map(|end| UserId::new(&format!("{user}{end}")).unwrap());
    let mut model = Model::default();
    for step in steps {
        let now = clock::now(clock);
        match step {
            LongTermStep::Add(user, kind, project, text, standing) => {
                let new = NewMemory {
                    kind: Kind::ALL[*kind],
                    project: PROJECTS[*project].map(str::to_owned),
                    standing: STANDINGS[*standing],
                    ..preference(TEXTS[*text])
                };
                let added = memory.add(&users[*user], new.clone()).await;
                let key = (*user, MemoryId::of(new.kind, new.project.as_deref(), &new.topic));
                if let Some(there) = model.rows.get(&key) {
                    let told = matches!(&added, Err(Error::AlreadyThere { id }) if *id == there.id.to_string());
                    assert!(told, "{step:?}: {added:?}");
                } else {
                    model.rows.insert(key, Memory::new(new, now).unwrap());
                    assert!(added.is_ok(), "{step:?}: {added:?}");
                }
            }
            LongTermStep::Edit(user, place, right, text, standing, seen) => {
                let Some(row) = model.list(*user, &MemoryFilter::default()).into_iter().nth(*place) else { continue };
                let edit = Edit {
                    text: text.map(|text| TEXTS[text].to_owned()),
                    standing: standing.map(|standing| STANDINGS[standing]),
                    seen: seen.map(|seen| evidence(&format!("r-{seen}"))),
                };
                let expected = if *right { row.revision } else { row.revision + 1 };
                let edited = memory.edit(&users[*user], &row.id, expected, edit.clone()).await;
                if *right {
                    let after = row.clone().edited(expected, edit, now).unwrap();
                    assert_eq!(edited.unwrap(), after, "{step:?}");
                    model.rows.insert((*user, row.id), after);
                } else {
                    let told = matches!(&edited, Err(Error::Changed { found, .. }) if *found == row.revision);
                    assert!(told, "{step:?}: {edited:?}");
                }
            }
            LongTermStep::Forget(user, place) => {
                let row = model.list(*user, &MemoryFilter::default()).into_iter().nth(*place);
                let id = row.map_or_else(|| MemoryId::of(Kind::History, None, "nobody"), |row| row.id);
                let was_there = model.rows.remove(&(*user, id.clone())).is_some();
                assert_eq!(memory.forget(&users[*user], &id).await.unwrap(), was_there, "{step:?}");
            }
            LongTermStep::ForgetAll(user) => {
                let before = model.rows.len();
                model.rows.retain(|(owner, _), _| owner != user);
                assert_eq!(memory.forget_all(&users[*user]).await.unwrap(), before - model.rows.len(), "{step:?}");
            }
            LongTermStep::Wait => clock.advance(SECOND),
        }
        for (number, user) in users.iter().enumerate() {
            for filter in filters() {
                let expected = model.list(number, &filter);
                assert_eq!(memory.list(user, &filter).await.unwrap(), expected, "{filter:?} after {step:?}");
                let mut seen_most = expected.clone();
                seen_most.sort_by_key(|memory| Reverse(memory.count));
                seen_most.truncate(2);
                assert_eq!(memory.foremost(user, &filter, 2).await.unwrap(), seen_most, "{filter:?} after {step:?}");
                let found = memory.search(user, "雨 夜 chapters", &filter, 2).await.unwrap();
                assert_eq!(found, rank("雨 夜 chapters", expected, 2), "{filter:?} after {step:?}");
            }
        }
    }
}

#[derive(Default)]
struct Model {
    rows: BTreeMap<(usize, MemoryId), Memory>,
}

impl Model {
    fn list(&self, user: usize, filter: &MemoryFilter) -> Vec<Memory> {
        let of_user = self.rows.iter().filter(|((owner, _), memory)| *owner == user && filter.passes(memory));
        let mut rows: Vec<Memory> = of_user.map(|(_, memory)| memory.clone()).collect();
        rows.sort_by(|a, b| b.changed.cmp(&a.changed).then(a.id.cmp(&b.id)));
        rows
    }
}

fn filters() -> [MemoryFilter; 4] {
    let all = MemoryFilter::default();
    [
        all.clone(),
        MemoryFilter { kind: Some(Kind::Preference), ..all.clone() },
        MemoryFilter { project: Some("p-1".into()), active: Some(true), ..all.clone() },
        MemoryFilter { active: Some(false), ..all },
    ]
}

const USERS: [&str; 2] = ["-one", "-two"];
const PROJECTS: [Option<&str>; 3] = [None, Some("p-1"), Some("p-2")];
const TEXTS: [&str; 3] = ["雨夜不要太长", "Short Chapters", "夜里的雨"];
const STANDINGS: [Standing; 3] = [Standing::Proposed, Standing::On, Standing::Off];
