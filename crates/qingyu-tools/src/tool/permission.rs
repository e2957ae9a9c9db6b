//! Permissions of a caller.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a caller may do; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Look.
    Read,
    /// Change the project.
    Write,
    /// Change what is outside of it.
    Admin,
}
