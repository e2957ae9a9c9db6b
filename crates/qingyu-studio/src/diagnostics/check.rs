//! Results of the doctor.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

/// The range of the doctor's checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoctorReach {
    /// Call every server used by runs, with the smallest possible request.
    Servers,
    /// Check only this machine, and skip all servers.
    ThisMachine,
}

/// A check of the doctor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckRow {
    /// The name of the check: `data_folder`, `free_space`, `sqlite_version`, `database`, `integrity`, `backups`,
    /// `settings`, `keys`, `local_servers`, `model`, `embedder`, `engine`, `engine_copy`, `prompts`, `clock`.
    pub check: String,
    /// The result.
    pub state: CheckState,
    /// The details, for front ends to word.
    pub data: BTreeMap<String, Value>,
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// Fine.
    Ok,
    /// Works, with a warning.
    Warning,
    /// Failed.
    Failed,
    /// Configured, but not tried.
    NotTried,
}

pub(crate) fn row(check: &str, state: CheckState, data: Value) -> CheckRow {
    CheckRow { check: check.into(), state, data: fields(data) }
}

/// Returns a failed check with the error's code, message and data.
pub(crate) fn failed(check: &str, error: &Error, data: Value) -> CheckRow {
    let mut all = fields(data);
    all.extend(error.data());
    all.insert("code".into(), error.code().into());
    all.insert("message".into(), error.to_string().into());
    CheckRow { check: check.into(), state: CheckState::Failed, data: all }
}

fn fields(data: Value) -> BTreeMap<String, Value> {
    match data {
        Value::Object(fields) => fields.into_iter().collect(),
        _ => BTreeMap::new(),
    }
}
