//! Scopes that nobody else has.

use std::hash::{BuildHasher, RandomState};

use crate::engine::Scope;

/// Users and projects whose names look like each other, or like something else.
const NAMES: [(&str, &str); 5] = [("甲", "一"), ("甲", "一/二"), ("甲/一", "二"), ("乙", "一"), ("%' OR '1'='1", "*")];

/// Five scopes of this run alone.
pub(super) fn own() -> Vec<Scope> {
    let run = RandomState::new().hash_one("run");
    NAMES.iter().map(|(user, project)| Scope::new(&format!("{user}-{run:016x}"), project)).collect()
}
