//! Errors as plain data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An error as plain data, used in events, documents and the run's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureRecord {
    /// The stable code, such as `no_key`.
    pub code: String,
    /// The message in English, for logs and reports.
    pub message: String,
    /// The data of the message, for front ends to word.
    #[serde(default)]
    pub data: BTreeMap<String, Value>,
}
