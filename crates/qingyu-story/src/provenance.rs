//! The author of a change, and the key under which the change is saved once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The author of a change of a story, and the model call behind the change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "ChangeProvenance")]
pub struct Provenance {
    /// The agent, `person`, or a foreign client.
    pub agent: String,
    /// The tool or node; empty for a change made without one.
    pub tool: String,
    /// The id of the run; `None` outside runs.
    pub run: Option<String>,
    /// SHA-256 of the prompt templates in hexadecimal; `None` without a model call.
    pub prompt_hash: Option<String>,
    /// The model; `None` without a model call.
    pub model: Option<String>,
    /// Tokens of the calls behind the change, input and output; 0 without a model call.
    pub tokens: u64,
    /// A note, such as the label of a version or the title of a chapter.
    pub note: String,
}

/// The key of a save: a step of a run in one round. A second save under the same key changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct ChangeKey {
    /// The run; outside runs any other unique text.
    pub run: String,
    /// The step, such as `outline_agent/2`.
    pub step: String,
    /// The correction round, from 0.
    pub iteration: u32,
}
