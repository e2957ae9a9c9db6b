//! Unique scopes for a suite.

use std::hash::{BuildHasher, RandomState};

use crate::engine::Scope;

/// Users and projects with confusable or malicious names.
const NAMES: [(&str, &str); 5] = [("甲", "一"), ("甲", "一/二"), ("甲/一", "二"), ("乙", "一"), ("%' OR '1'='1", "*")];

/// Returns five scopes unique to the run.
pub(super) fn own() -> Vec<Scope> {
    let run = RandomState::new().hash_one("run");
    NAMES.iter().map(|(user, project)| Scope::new(&format!("{user}-{run:016x}"), project)).collect()
}
