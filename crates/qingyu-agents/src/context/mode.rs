//! The modes of a specialist.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In which way a specialist works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkMode {
    /// For the first time.
    #[default]
    Generate,
    /// Keep all, change what the instructions name.
    Correct,
    /// Regenerate it, following the instructions.
    Regenerate,
}
