//! A setting in a list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::layer::SettingLayer;

/// An effective setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingRow {
    /// The key in the settings file, such as `models.default`.
    pub key: String,
    /// The value; `"***"` for secrets.
    pub value: Value,
    /// The layer of the value.
    pub layer: SettingLayer,
    /// The file or variable setting the value.
    pub source: Option<String>,
}
