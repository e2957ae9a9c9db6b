//! A cache of answers, invalidated by changes of their project.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::arguments;
use super::limits::EngineLimits;

/// The cache key of an answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CacheKey {
    pub(super) project: String,
    /// The project version fetched before the tool was called. If the project changed meanwhile, the answer may be
    /// newer than its key, and is never returned.
    pub(super) version: u64,
    /// The tool and its arguments.
    pub(super) call: String,
}

/// The recently used answers. A changed project is invalidated as a whole.
#[derive(Debug)]
pub(super) struct AnswerCache {
    most: usize,
    most_bytes: usize,
    kept: Mutex<CacheEntries>,
}

#[derive(Debug, Default)]
struct CacheEntries {
    answers: BTreeMap<CacheKey, CachedAnswer>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct CachedAnswer {
    value: Value,
    bytes: usize,
    used: u64,
}

impl AnswerCache {
    pub(super) fn new(limits: &EngineLimits) -> Self {
        Self { most: limits.cached_answers, most_bytes: limits.cached_bytes, kept: Mutex::default() }
    }

    pub(super) fn get(&self, key: &CacheKey) -> Option<Value> {
        let mut kept = self.kept();
        kept.clock += 1;
        let now = kept.clock;
        let answer = kept.answers.get_mut(key)?;
        answer.used = now;
        Some(answer.value.clone())
    }

    /// Stores an answer, and evicts answers of older versions of the project and, beyond the limits, the least recently
    /// used ones. An answer that is too large is not stored.
    pub(super) fn put(&self, key: CacheKey, value: &Value) {
        let room =
            EngineLimits { argument_bytes: self.most_bytes, argument_depth: usize::MAX, ..EngineLimits::default() };
        let Ok(bytes) = arguments::measure(value, &room).map(|bytes| bytes + key.call.len()) else { return };
        let mut kept = self.kept();
        kept.forget(|other| other.project == key.project && other.version != key.version);
        kept.clock += 1;
        let answer = CachedAnswer { value: value.clone(), bytes, used: kept.clock };
        kept.bytes += bytes;
        if let Some(before) = kept.answers.insert(key, answer) {
            kept.bytes -= before.bytes;
        }
        while kept.answers.len() > self.most || kept.bytes > self.most_bytes {
            let oldest = kept.answers.iter().min_by_key(|(_, answer)| answer.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            kept.forget(|key| *key == oldest);
        }
    }

    fn kept(&self) -> MutexGuard<'_, CacheEntries> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheEntries {
    fn forget(&mut self, is_meant: impl Fn(&CacheKey) -> bool) {
        let mut freed = 0;
        self.answers.retain(|key, answer| {
            let stays = !is_meant(key);
            freed += if stays { 0 } else { answer.bytes };
            stays
        });
        self.bytes -= freed;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(project: &str, version: u64, call: &str) -> CacheKey {
        CacheKey { project: project.into(), version, call: call.into() }
    }

    fn cache(most: usize, most_bytes: usize) -> AnswerCache {
        AnswerCache::new(&EngineLimits { cached_answers: most, cached_bytes: most_bytes, ..EngineLimits::default() })
    }

    #[test]
    fn the_answer_used_longest_ago_goes_first() {
        let cache = cache(2, 1_000);
        cache.put(key("p", 1, "a"), &json!(1));
        cache.put(key("p", 1, "b"), &json!(2));
        assert_eq!(cache.get(&key("p", 1, "a")), Some(json!(1)));
        cache.put(key("p", 1, "c"), &json!(3));
        assert_eq!(cache.get(&key("p", 1, "b")), None);
        assert_eq!(cache.get(&key("p", 1, "a")), Some(json!(1)));
    }

    #[test]
    fn a_project_that_changed_is_forgotten() {
        let cache = cache(9, 1_000);
        cache.put(key("p", 1, "a"), &json!(1));
        cache.put(key("q", 1, "a"), &json!(7));
        cache.put(key("p", 2, "b"), &json!(2));
        assert_eq!(cache.get(&key("p", 1, "a")), None);
        assert_eq!(cache.get(&key("q", 1, "a")), Some(json!(7)), "another project is not");
    }

    #[test]
    fn the_bytes_are_bounded_and_counted_right() {
        let cache = cache(100, 100);
        for round in 0..50 {
            cache.put(key("p", 1, &format!("{round}")), &json!("字".repeat(round)));
            cache.put(key("p", 1, "again"), &json!("x".repeat(round)));
            let kept = cache.kept();
            assert!(kept.bytes <= 100, "{}", kept.bytes);
            assert_eq!(kept.bytes, kept.answers.values().map(|answer| answer.bytes).sum::<usize>());
        }
        assert_eq!(cache.get(&key("p", 1, "again")), Some(json!("x".repeat(49))));
    }
}
