//! Instructions for correcting the material.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent::Agent;

/// What an agent is to do about an issue.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CorrectionInstruction {
    /// The issue it mends.
    pub issue_id: String,
    /// Who is to do it.
    pub target_agent: Agent,
    /// What kind of change.
    pub action: Action,
    /// The change in words.
    pub specific_instruction: String,
    /// The change as data: `kind` (`character`, `relation`, `outline_node`, `event`, `plot_node`, `location`,
    /// `organisation`, `item`, `world_rule`, `worldview`, `style`), `name` or `id` of the piece, and the fields to set
    /// (`add_participants` and the like for lists). Read by [`edit::from_instruction`](crate::edit).
    pub parameters: Value,
    /// From 1 (can wait) to 10 (first).
    pub priority: u8,
}

/// What kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Add a piece.
    Create,
    /// Change fields of a piece.
    #[default]
    Update,
    /// Take a piece out.
    Delete,
}
