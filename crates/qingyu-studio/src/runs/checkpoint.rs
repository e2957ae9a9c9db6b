//! Checkpoints of runs: rows of the history, states, and the prompts of nodes.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_graph::Source;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::runs::question::RunQuestion;

/// A checkpoint of a run in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointRow {
    /// The number, unique in the run.
    pub checkpoint: u64,
    /// The checkpoint before; `None` for the first.
    pub parent: Option<u64>,
    /// The branch of the history, from 0 in the order of creation.
    pub branch: u64,
    /// The superstep; −1 after the input.
    pub superstep: i64,
    /// The time; `None` in runs of earlier releases.
    pub at: Option<Timestamp>,
    /// The origin.
    pub source: CheckpointSource,
    /// The nodes that have run since the checkpoint before.
    pub ran: Vec<String>,
    /// The fields of the state that have changed since the checkpoint before.
    pub written: Vec<String>,
    /// The nodes that run next; empty at the end.
    pub next: Vec<String>,
}

/// The origin of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointSource {
    /// The input of the run.
    Input,
    /// Nodes of the run.
    Loop,
    /// An edit.
    Update,
    /// A fork of another run, or of an earlier checkpoint.
    Fork,
}

impl From<Source> for CheckpointSource {
    fn from(source: Source) -> Self {
        match source {
            Source::Input => Self::Input,
            Source::Loop => Self::Loop,
            Source::Update => Self::Update,
            Source::Fork => Self::Fork,
        }
    }
}

/// The state of a run at a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointState {
    /// The run.
    pub run: String,
    /// The checkpoint.
    pub checkpoint: CheckpointRow,
    /// The values of the state, by field.
    pub values: BTreeMap<String, Value>,
    /// The fields in the order of the state.
    pub fields: Vec<StateField>,
    /// The nodes of the graph, in the order of the graph.
    pub nodes: Vec<String>,
    /// The question asked at the checkpoint, if it is still open.
    pub question: Option<RunQuestion>,
    /// The failure of the last attempt to go on from the checkpoint.
    pub failure: Option<String>,
}

/// A field of the state of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateField {
    /// The name.
    pub name: String,
    /// The type, as written in the program.
    pub form: String,
    /// Whether the field can be edited.
    pub is_editable: bool,
}

/// An edited run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EditedRun {
    /// The run with the edit: the edited run, or its fork if finished nodes run again.
    pub run: String,
    /// The run's project.
    pub project: String,
    /// The new checkpoint.
    pub checkpoint: u64,
    /// Whether the run is a new fork.
    pub is_fork: bool,
    /// The nodes that run next.
    pub next: Vec<String>,
}

/// A forked run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkedRun {
    /// The new run; it starts when it is resumed.
    pub run: String,
    /// The run's project.
    pub project: String,
    /// The nodes that run next.
    pub next: Vec<String>,
}

/// The prompts of a node of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodePrompts {
    /// The run.
    pub run: String,
    /// The node.
    pub node: String,
    /// The correction prompt for the node in the state, if any.
    pub correction: Option<String>,
    /// Whether the run was recorded; otherwise `prompts` is empty.
    pub is_recorded: bool,
    /// The requests of the node to models, oldest first.
    pub prompts: Vec<RecordedPrompt>,
}

/// A recorded request of a node to a model, with the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedPrompt {
    /// The superstep of the node.
    pub superstep: i64,
    /// The purpose, such as `outline.generate`.
    pub purpose: String,
    /// The messages of the request.
    pub messages: Vec<RecordedMessage>,
    /// The text of the answer.
    pub answer: String,
}

/// A message of a recorded request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedMessage {
    /// The author: `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// The text.
    pub text: String,
}
