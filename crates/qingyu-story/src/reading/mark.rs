//! The marks that a model's reading leaves in a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Severity;

/// A model's reading of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadMark {
    /// The version of the document that was read.
    pub version: u32,
    /// The digest of the text that was read.
    pub digest: String,
    /// The model that read it.
    pub model: String,
}

/// Something that was found wrong in a text, by a model that read it or after a change of an earlier text. It stands until
/// its words are gone from the text, the author waives it, or another reading takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Remark {
    /// How bad it is.
    pub severity: Severity,
    /// In a line.
    pub title: String,
    /// The words of the text that show it.
    pub quote: String,
    /// Why it is wrong.
    pub why: String,
    /// What would mend it.
    pub fix: String,
    /// What the model that read the text judged when it found it, such as `continuity`; empty if no model found it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dimension: String,
}

/// A finding about a text that an agent was to mend and holds to be wrong. It stays open for the author, and no agent is
/// asked to mend it again as long as its words are in the text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Dispute {
    /// The id of the finding of a rule; empty for a remark of a reviewer, which its words identify.
    pub finding: String,
    /// The words of the text that the finding quotes.
    pub quote: String,
    /// Why the agent holds the finding to be wrong.
    pub reason: String,
}
