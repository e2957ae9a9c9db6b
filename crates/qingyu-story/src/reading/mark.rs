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
}
