//! A selected model and the reason.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settings::layer::SettingLayer;

/// A selected model and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChoice {
    /// The model, such as `deepseek/deepseek-flash` or `offline-rules-1`.
    pub model: String,
    /// The reason.
    pub why: ModelReason,
}

/// The reason for selecting a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ModelReason {
    /// Named in a layer of the settings, or in the request.
    Configured {
        /// The layer.
        layer: SettingLayer,
    },
    /// The provider's key is in the environment.
    KeySet {
        /// The provider.
        provider: String,
        /// The environment variable of the key.
        variable: String,
    },
    /// The provider's key is in the key file.
    KeyKept {
        /// The provider.
        provider: String,
    },
    /// A server on this machine responds.
    LocalServer {
        /// The address.
        url: String,
    },
    /// Neither a key nor a server on this machine; the offline model works by rules.
    NothingElse,
}
