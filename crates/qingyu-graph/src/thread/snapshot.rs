//! A thread as stored.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::any_state::AnyState;
use crate::event::Question;
use crate::journal::ReachedBreakpoint;
use crate::loaded::LoadedThread;
use crate::node::NodeFailure;
use crate::state::State;
use crate::superstep::{plan, preview};

/// The id of a checkpoint: the position in the thread's journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CheckpointId(pub(super) u64);

impl From<u64> for CheckpointId {
    fn from(position: u64) -> Self {
        Self(position)
    }
}

impl From<CheckpointId> for u64 {
    fn from(checkpoint: CheckpointId) -> Self {
        checkpoint.0
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A thread as stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot<S> {
    /// The id of the checkpoint.
    pub checkpoint: CheckpointId,
    /// The state, with the writes of finished tasks of an unfinished superstep.
    pub state: S,
    /// The state without uncommitted writes, if there are any.
    committed: Option<S>,
    /// The nodes that are due or waiting.
    pub next: Vec<String>,
    /// The open questions.
    pub questions: Vec<Question>,
    /// The superstep of the checkpoint; −1 after the first input.
    pub superstep: i64,
    /// The failure of the last run, if a node failed.
    pub error: Option<NodeFailure>,
    /// The breakpoint at which the last run stopped; resuming passes it.
    pub breakpoint: Option<ReachedBreakpoint>,
}

impl Snapshot<AnyState> {
    pub(super) fn of(loaded: LoadedThread) -> Self {
        let LoadedThread { checkpoint, pending, head, .. } = loaded;
        // Conflicting writes are left out; the next run reports them.
        let has_writes = !pending.finished.0.is_empty();
        let state = has_writes.then(|| preview(&checkpoint, &pending.finished).ok()).flatten();
        let next = plan(&checkpoint, &pending.finished, |_| false).iter().map(ToString::to_string).collect();
        let failed = checkpoint.next.iter().find_map(|task| pending.failures.get_key_value(task));
        let questions = pending.open_questions(&checkpoint);
        let breakpoint = pending.reached_breakpoint().cloned();
        let superstep = checkpoint.superstep;
        let committed = checkpoint.state;
        let (state, committed) = match state {
            Some(state) => (state, Some(committed)),
            None => (committed, None),
        };
        Self {
            checkpoint: CheckpointId::from(head),
            state,
            committed,
            next,
            questions,
            superstep,
            error: failed.map(|(task, message)| NodeFailure { node: task.to_string(), message: message.clone() }),
            breakpoint,
        }
    }

    /// Returns the snapshot with the state of the graph's type.
    pub(super) fn typed<S: State>(self) -> Snapshot<S> {
        let Self { checkpoint, state, committed, next, questions, superstep, error, breakpoint } = self;
        let (state, committed) = (state.owned(), committed.map(AnyState::owned));
        Snapshot { checkpoint, state, committed, next, questions, superstep, error, breakpoint }
    }
}

impl<S: State> Snapshot<S> {
    /// Returns the state of the last checkpoint.
    pub fn committed(&self) -> &S {
        self.committed.as_ref().unwrap_or(&self.state)
    }
}
