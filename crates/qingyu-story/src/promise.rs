//! Promises to the reader: plants and their payoffs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A promise, and where it is kept alive. Places are names or ids of outline nodes or documents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Promise {
    /// Given by the studio, such as `promise-3`; may be left empty.
    pub id: String,
    /// A short name, such as `义眼里的录像`; unique in a story.
    pub name: String,
    /// Other names under which chapters speak of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alias: Vec<String>,
    /// What the reader is led to expect.
    pub description: String,
    /// Where it is planted.
    pub planted: Vec<String>,
    /// Where the reader is reminded of it.
    pub advanced: Vec<String>,
    /// Where it must be paid at the latest.
    pub due: Option<String>,
    /// Where it is paid.
    pub paid: Vec<String>,
    /// From 1 (colour) to 10 (the story turns on it).
    pub importance: u8,
}
