//! The data of a store: ids of threads, leases and the records of journals.

use std::fmt;

/// The id of a thread: one durable conversation with a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(String);

impl ThreadId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ThreadId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for ThreadId {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A lease: the right to append to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadLease {
    /// The leased thread.
    pub thread: ThreadId,
    /// The epoch; grows with every acquisition.
    pub epoch: u64,
}

/// A record of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRecord {
    /// The scope of a subgraph call; empty for the graph. Each scope has separate checkpoints.
    pub scope: String,
    /// The branch of the scope's history, from 0.
    pub branch: u64,
    /// The position of the preceding checkpoint of the same scope; 0 if there is none yet.
    pub parent: u64,
    /// The kind of the record.
    pub kind: RecordKind,
    /// The task of the record; empty for a checkpoint.
    pub task: String,
    /// The key of a step, question or answer; empty by default.
    pub key: String,
    /// The content, as JSON serialized by the engine.
    pub body: String,
}

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// A checkpoint with the whole state.
    Snapshot,
    /// A checkpoint with the changes since the parent.
    Delta,
    /// The result of a paid-once step.
    Step,
    /// The writes of a finished task, kept until the superstep is applied.
    Writes,
    /// A question to a person.
    Question,
    /// The answer to a question.
    Answer,
    /// The failure of a task.
    Failure,
    /// A marker that invalidates the earlier pending writes of the checkpoint.
    Discard,
    /// A stop of a run at the checkpoint for a breakpoint; the next run continues.
    Pause,
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Snapshot,
        Self::Delta,
        Self::Step,
        Self::Writes,
        Self::Question,
        Self::Answer,
        Self::Failure,
        Self::Discard,
        Self::Pause,
    ];

    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Delta => "delta",
            Self::Step => "step",
            Self::Writes => "writes",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Failure => "failure",
            Self::Discard => "discard",
            Self::Pause => "pause",
        }
    }

    /// Returns whether the record ends a superstep.
    pub(crate) fn is_checkpoint(self) -> bool {
        matches!(self, Self::Snapshot | Self::Delta)
    }
}

/// The part of a thread's journal needed for one checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckpointJournal {
    /// The position of the checkpoint.
    pub head: u64,
    /// The last snapshot and the deltas after the snapshot; the last record is the checkpoint.
    pub checkpoints: Vec<JournalRecord>,
    /// The records of the superstep after the checkpoint.
    pub pending: Vec<JournalRecord>,
}

impl CheckpointJournal {
    /// Returns the branch of the journal's checkpoint.
    pub(crate) fn branch(&self) -> u64 {
        self.checkpoints.last().map_or(0, |record| record.branch)
    }
}
