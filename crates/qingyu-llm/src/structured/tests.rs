mod broken;
mod ladder;
mod properties;
mod shapes;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An outline as agents ask for one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Outline {
    /// The book's title.
    title: String,
    chapters: Vec<Chapter>,
    #[serde(default)]
    note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Chapter {
    n: u32,
    summary: String,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    mood: Option<String>,
}
