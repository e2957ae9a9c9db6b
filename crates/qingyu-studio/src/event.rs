//! What a run tells while it works.

use std::path::PathBuf;

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Failure, ModelChoice, Question, RunStatus, UsageView};

/// One thing that happened in a run.
///
/// Events are numbered from 1 without gaps over the life of the run, resumes included, and kept in its event log,
/// except streamed text, which is told once, carries the number of the last kept event and is not kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudioEvent {
    /// The place in the run's event log.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// The run.
    pub run: String,
    /// Its project.
    pub project: String,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventKind {
    /// The run began, or goes on.
    RunStarted {
        /// The user's words.
        requirement: String,
        /// The model of most roles, and why this one.
        model: ModelChoice,
        /// The roles that have another model, as `role` → model.
        roles: std::collections::BTreeMap<String, String>,
        /// Where everything is kept; empty for those who do not work at that machine.
        data_folder: PathBuf,
        /// Whether it goes on from where it stood.
        resumed: bool,
    },
    /// Pieces entered the project, or left it.
    Saved {
        /// The version of the project from now on.
        version: u64,
        /// How many pieces changed.
        pieces: usize,
        /// Who made them.
        agent: String,
    },
    /// The run is done.
    Completed {
        /// What came of it.
        summary: RunSummary,
    },
    /// The run waits for a person.
    Waiting {
        /// What is asked.
        question: Question,
        /// The question's name, for whoever answers it; runs of earlier builds did not tell it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question_id: Option<String>,
    },
    /// The run failed; it can be resumed.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// The run was stopped; it can be resumed.
    Interrupted,
    /// The pipeline's own news.
    #[serde(untagged)]
    Progress(Progress),
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// How it ended.
    pub status: RunStatus,
    /// The score of the last review, if there was one.
    pub quality_score: Option<u8>,
    /// Whether the last review passed.
    pub passed: bool,
    /// Correction rounds.
    pub iteration_count: u32,
    /// How many pieces of each kind the project holds now, as `outline_nodes` → 12.
    pub pieces: std::collections::BTreeMap<String, usize>,
    /// What it cost.
    pub usage: UsageView,
    /// How long it ran, all attempts together.
    pub millis: u64,
    /// Where it is kept; empty for those who do not work at that machine.
    pub data_folder: PathBuf,
}
