//! Ordered ladders: realms of cultivation, grades, levels and ranks.

pub mod standing;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::predicate::word;

/// A ladder on which characters rise, such as 境界, rank or level.
///
/// A fact places somebody on it: the predicate is the ladder's name, the value a step (`林青 境界 筑基初期`). A fall is
/// declared by a fact `falls_to`, a seal by `is_sealed`, steps taken at once by `leaps_to`; what only looks so is a fact of
/// the mode `disguised`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Ladder {
    /// Given by the studio, such as `ladder-1`; may be left empty.
    pub id: String,
    /// The name, such as `境界`; unique among ladders. Facts use it as their predicate.
    pub name: String,
    /// Other names, also usable as predicates.
    pub alias: Vec<String>,
    /// The quality that it measures, and how one rises.
    pub description: String,
    /// The steps from the lowest to the highest; none if it is counted in numbers, such as a level.
    pub steps: Vec<LadderStep>,
    /// Whether steps may be skipped without a word.
    pub may_skip: bool,
    /// By how many steps the weaker may stand below somebody and win without a reason being told; 0 if it does not matter.
    pub upset_limit: u32,
}

/// A step of a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LadderStep {
    /// The name, such as `筑基`.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// The condition for reaching it, as a thing to have or to do; empty if there is none.
    pub condition: String,
    /// The costs of reaching it.
    pub costs: Vec<StepCost>,
    /// The lifetime of somebody on it, such as `二百年`; empty if it does not matter.
    pub lifetime: String,
}

/// A cost of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StepCost {
    /// The thing that is used up. If it is counted, the name under which facts count it, such as `灵石`.
    pub what: String,
    /// The amount; 0 if it is not counted.
    pub amount: u32,
}

impl Ladder {
    /// Returns whether a predicate means the ladder: its name or one of its other names.
    pub fn is_called(&self, predicate: &str) -> bool {
        // A word of the vocabulary is meant under any of its names.
        let key = word(predicate);
        !key.is_empty() && self.alias.iter().chain([&self.name]).any(|name| word(name) == key)
    }
}
