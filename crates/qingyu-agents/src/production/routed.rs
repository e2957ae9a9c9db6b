//! The user's intent, as parsed by a model.

use qingyu_production::Intent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a model takes the user's words for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Routed {
    /// What the user wants.
    pub(crate) intent: Intent,
    /// The paths of the fields that are meant.
    #[serde(default)]
    pub(crate) fields: Vec<String>,
    /// The name of the phase that is meant, if one is.
    #[serde(default)]
    pub(crate) phase: Option<String>,
    /// What is to be done, in words; empty if the intent says it all.
    #[serde(default)]
    pub(crate) instruction: String,
    /// How sure it is, from 0 to 1.
    pub(crate) confidence: f64,
}
