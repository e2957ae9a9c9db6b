//! In-memory values of talks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use serde_json::Value;

use crate::short_term::{ShortTermMemory, Talk, TalkEntry};
use crate::{Clock, Error, clock};

/// An in-memory short-term memory.
#[derive(Debug)]
pub struct VolatileShortTerm {
    clock: Arc<dyn Clock>,
    talks: Mutex<BTreeMap<Talk, BTreeMap<String, TalkEntry>>>,
}

impl VolatileShortTerm {
    /// Returns an empty memory. Times are read from `clock`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, talks: Mutex::default() }
    }

    /// Removes all expired values, of all talks, then calls `work` with the talk.
    fn with<T>(&self, talk: &Talk, work: impl FnOnce(&mut BTreeMap<String, TalkEntry>) -> T) -> T {
        let now = clock::now(&*self.clock);
        let mut talks = self.talks.lock().unwrap_or_else(PoisonError::into_inner);
        talks.retain(|_, entries| {
            entries.retain(|_, entry| !entry.has_expired(now));
            !entries.is_empty()
        });
        work(talks.entry(talk.clone()).or_default())
    }
}

impl ShortTermMemory for VolatileShortTerm {
    fn put<'a>(
        &'a self,
        talk: &'a Talk,
        key: &'a str,
        value: Value,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<(), Error>> {
        let entry = TalkEntry::new(key, value, lifetime, clock::now(&*self.clock));
        let put = entry.map(|entry| self.with(talk, |entries| drop(entries.insert(entry.key.clone(), entry))));
        ready(put).boxed()
    }

    fn get<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<Option<Value>, Error>> {
        ready(Ok(self.with(talk, |entries| entries.get(key).map(|entry| entry.value.clone())))).boxed()
    }

    fn list<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<Vec<TalkEntry>, Error>> {
        ready(Ok(self.with(talk, |entries| entries.values().cloned().collect()))).boxed()
    }

    fn forget<'a>(&'a self, talk: &'a Talk, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        ready(Ok(self.with(talk, |entries| entries.remove(key).is_some()))).boxed()
    }

    fn forget_talk<'a>(&'a self, talk: &'a Talk) -> BoxFuture<'a, Result<usize, Error>> {
        ready(Ok(self.with(talk, |entries| std::mem::take(entries).len()))).boxed()
    }
}
