//! Intents of the user.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// That the phase ends and the next one begins; in an interview, that enough has been asked.
    AdvancePhase,
    /// That something is looked up in the world.
    Research,
    /// That content is made.
    Generate,
    /// That content is made differently.
    Modify,
    /// That fields count as confirmed: those named, or those shown last.
    Confirm,
    /// That what is stale is made anew, and nothing else.
    Update,
    /// To see what is there.
    Query,
    /// To talk.
    Chat,
}
