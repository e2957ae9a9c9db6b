//! The style of a story.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The style guide that every writer of the story follows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StyleGuide {
    /// Who tells it: `first`, `third_limited`, `third_omniscient`, or in words.
    pub point_of_view: String,
    /// The tense, where the language has one.
    pub tense: String,
    /// The tone in a few words.
    pub tone: String,
    /// How sentences and paragraphs move.
    pub rhythm: String,
    /// Rules for dialogue.
    pub dialogue: String,
    /// What to do.
    pub guidelines: Vec<String>,
    /// What never to do.
    pub taboos: Vec<String>,
}
