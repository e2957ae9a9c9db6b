//! The layers of settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The source of a setting; later layers override earlier layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingLayer {
    /// The built-in default.
    Default,
    /// `config.toml` in the data folder.
    User,
    /// `projects/<id>.toml` in the data folder.
    Project,
    /// An environment variable.
    Environment,
    /// A flag of the command, or the request itself.
    Flag,
}
