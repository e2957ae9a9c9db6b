//! A cache of node results.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use crate::any_state::AnyState;
use crate::command::NodeOutput;
use crate::digest::fingerprint;
use crate::error::Error;
use crate::state::State;

/// The maximum number of results kept for one node; the oldest is removed first.
const CAPACITY: usize = 1024;

/// The cached results of one node, by cache key. Lives as long as the compiled graph.
pub(crate) struct NodeCache {
    depends_on: DependsOn,
    lasting: Duration,
    kept: Mutex<HashMap<String, (Instant, NodeOutput)>>,
}

type DependsOn = Box<dyn Fn(&AnyState) -> serde_json::Result<Value> + Send + Sync>;

impl NodeCache {
    pub(crate) fn new<S: State, K: Serialize>(
        lasting: Duration,
        depends_on: impl Fn(&S) -> K + Send + Sync + 'static,
    ) -> Self {
        let depends_on: DependsOn = Box::new(move |state| serde_json::to_value(depends_on(state.borrowed())));
        Self { depends_on, lasting, kept: Mutex::default() }
    }

    /// Returns the cache key: a digest of everything an execution depends on.
    pub(crate) fn key(&self, node: &str, state: &AnyState, payload: Option<&Value>) -> Result<String, Error> {
        let key = (self.depends_on)(state).and_then(|value| fingerprint(&(value, payload)));
        key.map_err(|error| Error::Encode { what: format!("the cache key of {node}"), reason: error.to_string() })
    }

    pub(crate) fn get(&self, key: &str) -> Option<NodeOutput> {
        let kept = self.kept();
        let (since, output) = kept.get(key)?;
        (since.elapsed() < self.lasting).then(|| output.clone())
    }

    pub(crate) fn put(&self, key: String, output: NodeOutput) {
        let mut kept = self.kept();
        kept.retain(|_, (since, _)| since.elapsed() < self.lasting);
        if kept.len() >= CAPACITY {
            let oldest = kept.iter().min_by_key(|(_, (since, _))| *since).map(|(key, _)| key.clone());
            oldest.map(|oldest| kept.remove(&oldest));
        }
        kept.insert(key, (Instant::now(), output));
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, (Instant, NodeOutput)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    #[derive(Debug, Clone, Default, crate::State)]
    struct CacheTestState {
        number: usize,
    }

    #[test]
    fn a_full_cache_forgets_its_oldest_result() {
        let cache = NodeCache::new(Duration::MAX, |numbers: &CacheTestState| numbers.number);
        for number in 0..=CAPACITY {
            cache.put(number.to_string(), Command::update(CacheTestState::update().number(number)).output);
        }
        assert!(cache.get("0").is_none());
        assert!(cache.get("1").is_some() && cache.get(&CAPACITY.to_string()).is_some());
    }
}
