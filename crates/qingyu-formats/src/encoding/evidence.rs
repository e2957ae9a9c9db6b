//! Excerpts of the bytes for a person who must choose an encoding.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place where characters make no sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BadPlace {
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there, with `�` for what makes no sense.
    pub excerpt: String,
}

/// An encoding that the bytes could be in, and how they read in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// The name of the encoding.
    pub name: String,
    /// The first line beyond ASCII.
    pub sample: String,
}
