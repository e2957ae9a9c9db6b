//! Events of a run.

use std::path::PathBuf;

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::record::FailureRecord;
use crate::models::choice::ModelChoice;
use crate::runs::question::RunQuestion;
use crate::runs::status::RunStatus;
use crate::spending::usage::UsageView;

/// An event of a run.
///
/// Events are numbered from 1 without gaps over the life of the run, including resumed runs, and appended to the run's
/// event log, except streamed text, which is published once with the number of the last stored event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudioEvent {
    /// The number in the run's event log.
    pub seq: u64,
    /// The time of the event.
    pub at: Timestamp,
    /// The run.
    pub run: String,
    /// The run's project.
    pub project: String,
    /// The content of the event.
    #[serde(flatten)]
    pub kind: StudioEventKind,
}

/// The content of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StudioEventKind {
    /// The run started or resumed.
    RunStarted {
        /// The user's requirement.
        requirement: String,
        /// The default model, and the reason for its choice.
        model: ModelChoice,
        /// The models of roles overriding the default, as `role` → model.
        roles: std::collections::BTreeMap<String, String>,
        /// The data folder; empty for remote callers.
        data_folder: PathBuf,
        /// Whether the run resumed from a checkpoint.
        resumed: bool,
        /// The name of the person whose answer resumed the run. Not recorded for the local user, unless the run has an
        /// approver.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answered_by: Option<String>,
    },
    /// Pieces of the project were inserted, changed or removed.
    Saved {
        /// The new version of the project.
        version: u64,
        /// The number of changed pieces.
        pieces: usize,
        /// The agent.
        agent: String,
    },
    /// The run completed.
    Completed {
        /// The summary of the run.
        summary: RunSummary,
    },
    /// The run is waiting for a person.
    Waiting {
        /// The question.
        question: RunQuestion,
        /// The question's ID, for the answer; missing in runs of earlier builds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question_id: Option<String>,
    },
    /// The run failed; resumable.
    Failed {
        /// The failure.
        failure: FailureRecord,
    },
    /// The run was stopped; resumable.
    Interrupted,
    /// Progress reported by the pipeline.
    #[serde(untagged)]
    Progress(Progress),
}

/// The summary of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// The final status.
    pub status: RunStatus,
    /// The score of the last review, if any.
    pub quality_score: Option<u8>,
    /// Whether the last review passed.
    pub passed: bool,
    /// The number of correction rounds.
    pub iteration_count: u32,
    /// The number of pieces in the project, by kind, as `outline_nodes` → 12.
    pub pieces: std::collections::BTreeMap<String, usize>,
    /// The cost.
    pub usage: UsageView,
    /// The working time of all attempts, in milliseconds.
    pub millis: u64,
    /// The data folder; empty for remote callers.
    pub data_folder: PathBuf,
}

impl StudioEventKind {
    /// Returns whether no event follows until the run is resumed.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Completed { .. } | Self::Waiting { .. } | Self::Failed { .. } | Self::Interrupted)
    }

    /// Returns whether the event is stored: every event except streamed text, superseded by the stored result.
    pub(crate) fn is_kept(&self) -> bool {
        !matches!(self, Self::Progress(Progress::Text { .. }))
    }
}
