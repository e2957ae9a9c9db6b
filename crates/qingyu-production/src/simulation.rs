//! What simulated consumers do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a simulated consumer does with content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interaction {
    /// Looks at it for a moment.
    FirstImpression,
    /// Says what they understood.
    Comprehension,
    /// Says what speaks against it.
    Objection,
    /// Says whether they would buy.
    Purchase,
    /// Says where they stopped reading.
    DropOff,
}
