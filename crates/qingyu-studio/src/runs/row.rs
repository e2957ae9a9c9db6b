//! A run in a list.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::runs::kind::RunKind;
use crate::runs::status::RunStatus;
use crate::spending::usage::UsageView;

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    /// The ID.
    pub run: String,
    /// The project.
    pub project: String,
    /// The project's title.
    pub title: String,
    /// The kind of work.
    #[serde(default)]
    pub kind: RunKind,
    /// The user's requirement.
    pub requirement: String,
    /// The status.
    pub status: RunStatus,
    /// The default model.
    pub model: String,
    /// The start time.
    pub started: Timestamp,
    /// The time of the end, stop or wait; `None` while working.
    pub ended: Option<Timestamp>,
    /// The score of the last review.
    pub quality_score: Option<u8>,
    /// The only person who may answer the run; by default everybody with the right to write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// The cost so far.
    pub usage: UsageView,
}
