//! Requests and reports of replays.

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_llm::cassette::Difference;
use qingyu_llm::stack::ReplayedCall;
use qingyu_story::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::record::FailureRecord;
use crate::runs::status::RunStatus;
use crate::spending::usage::UsageView;

/// A request for a replay.
#[derive(Debug, Clone, Default)]
pub struct ReplayRequest {
    /// The run, named as for [`resume`](crate::Studio::resume), if no file is given.
    pub run: String,
    /// The path of a cassette.
    pub file: Option<PathBuf>,
    /// Whether to keep the project in the user's data; otherwise the project is deleted.
    pub keep: bool,
    /// The title of the kept project; by default the recorded title.
    pub title: Option<String>,
    /// The model for calls missing from the recording. Without changed prompts, the model also answers the calls
    /// recorded with any other model.
    pub model: Option<String>,
    /// The role replaced by the model, such as `outline`; all roles by default.
    pub role: Option<String>,
    /// Prompts overriding the recorded prompts, by file, such as `outline/generate.zh.md`.
    pub prompts: BTreeMap<String, String>,
}

impl ReplayRequest {
    /// Returns a request to replay the cassette at `path` unchanged.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { file: Some(path.into()), ..Self::default() }
    }

    /// Returns a request to replay a run unchanged.
    pub fn run(run: impl Into<String>) -> Self {
        Self { run: run.into(), ..Self::default() }
    }

    /// Returns whether the replay overrides a model or a prompt.
    pub(super) fn is_variant(&self) -> bool {
        self.model.is_some() || !self.prompts.is_empty()
    }
}

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// The cassette.
    pub cassette: PathBuf,
    /// The runs, in recorded order.
    pub runs: Vec<ReplayedRun>,
    /// Whether every run reproduced the recorded results byte for byte.
    pub identical: bool,
    /// The project, if kept.
    pub project: Option<String>,
    /// The cost of live calls.
    pub spent: UsageView,
}

/// A replayed run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedRun {
    /// The ID of the recorded run.
    pub recorded: String,
    /// The kind of the run.
    pub kind: String,
    /// The requirement.
    pub requirement: String,
    /// The recorded final status, if the recording is complete.
    pub then: Option<RunStatus>,
    /// The replayed final status.
    pub now: RunStatus,
    /// The failure of the replay, if any.
    pub failure: Option<FailureRecord>,
    /// Whether story and document are identical; `None` if the recording has no end.
    pub identical: Option<bool>,
    /// Whether the story is identical; `None` if the recording has no end.
    pub same_story: Option<bool>,
    /// The first differences between the documents.
    pub differences: Vec<Difference>,
    /// The pieces of the story with differences.
    pub pieces: Vec<ChangedPiece>,
    /// All calls, replayed and live.
    pub calls: Vec<ReplayedCall>,
    /// The purposes of unused recorded calls.
    pub unplayed: Vec<String>,
    /// Prompts different from the recorded prompts, by file.
    pub changed_prompts: Vec<String>,
    /// The recorded embedder, if the replay used another embedder.
    pub embedder: Option<String>,
    /// The ID of the new run, if kept.
    pub run: Option<String>,
}

impl ReplayedRun {
    /// Returns the number of replayed calls and of live calls.
    pub fn counts(&self) -> (usize, usize) {
        let asked = self.calls.iter().filter(|call| call.asked.is_some()).count();
        (self.calls.len() - asked, asked)
    }
}

/// A differing piece of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedPiece {
    /// Whether the piece was added, changed or removed.
    pub action: Action,
    /// The kind of the piece.
    pub kind: String,
    /// The display name.
    pub label: String,
    /// The first differences.
    pub differences: Vec<Difference>,
}
