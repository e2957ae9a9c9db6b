//! Results of stored steps, for reuse in another thread.

use std::collections::HashMap;

use serde_json::Value;

use crate::digest::digest;

/// Results of stored steps by node, key and input, from `Thread::stored_steps`.
#[derive(Debug, Clone, Default)]
pub struct ReusableSteps(HashMap<String, Value>);

impl ReusableSteps {
    /// Returns whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inserts the results of `other`, except results of equal steps, which stay.
    pub fn fill_up(&mut self, other: Self) {
        for (step, result) in other.0 {
            self.0.entry(step).or_insert(result);
        }
    }

    pub(crate) fn insert(&mut self, node: &str, key: &str, fingerprint: &str, result: Value) {
        self.0.insert(digest(&[node, key, fingerprint]), result);
    }

    /// Returns the result of the step of a node with an equal input.
    pub(crate) fn get(&self, node: &str, key: &str, fingerprint: &str) -> Option<&Value> {
        // Most runs reuse nothing and need no digest.
        if self.is_empty() { None } else { self.0.get(&digest(&[node, key, fingerprint])) }
    }
}
