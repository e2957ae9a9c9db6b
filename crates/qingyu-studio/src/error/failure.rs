//! Failures as plain data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;

/// A failure as plain data: in events, documents and the run's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// Stable, such as `no_key`.
    pub code: String,
    /// In English, for logs and reports.
    pub message: String,
    /// What the message is made of, for doors to word it.
    #[serde(default)]
    pub data: BTreeMap<String, Value>,
}

impl Error {
    /// The failure as plain data.
    pub fn failure(&self) -> Failure {
        Failure { code: self.code().into(), message: self.to_string(), data: self.data() }
    }
}
