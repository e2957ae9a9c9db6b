//! Events that a run sends to subscribers.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::call_path::join;
use crate::task_id::TaskId;

/// An event of a run. Events are sent in the order in which they happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunEvent {
    /// The superstep, counted in the graph or subgraph of the event; −1 for the input of a new thread.
    pub superstep: i64,
    /// The node, if the event is about a node.
    pub node: Option<String>,
    /// The path of the task through the subgraph calls, such as `write#1/polish`. For an event without a task, the path
    /// of the subgraph call; empty for the graph.
    pub path: String,
    /// The kind of the event, with the data.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The kind of an event, with the data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A node was called.
    TaskStarted {
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// A node succeeded.
    TaskFinished,
    /// An attempt of a node failed.
    TaskFailed {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The message of the node's error.
        message: String,
        /// Whether a retry follows.
        will_retry: bool,
    },
    /// A node was not called because its result was in the cache.
    TaskCached,
    /// A step is executed; after a crash the event shows that the result was not stored.
    StepStarted {
        /// The step's key.
        key: String,
    },
    /// The stored result of a step was used, and the step was not executed.
    StepReused {
        /// The step's key.
        key: String,
    },
    /// The writes of a node, by channel.
    Update {
        /// `{"channel": {"set" | "add": value}}`.
        values: Value,
    },
    /// The state after a superstep or the input, by channel. Sent only to subscribers of the mode.
    Values {
        /// The values of the tracked channels.
        values: Value,
    },
    /// A custom event of a node. Best effort: dropped when the reader is far behind.
    Custom(Value),
    /// A token of a model's answer, forwarded by a node. Best effort, as above.
    Token(String),
    /// A node asked a person.
    Interrupted(Question),
    /// The run stops at a breakpoint.
    Paused,
    /// A superstep was applied (and committed, if the thread has a store).
    Checkpoint {
        /// The nodes that run next.
        next: Vec<String>,
    },
}

/// A group of events that a reader may subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Starts and ends of tasks and steps, and results reused from the cache or the store.
    Tasks,
    /// The writes of each node.
    Updates,
    /// The whole state after every superstep; the cost grows with the state.
    Values,
    /// Custom events of nodes.
    Custom,
    /// Tokens of models' answers.
    Tokens,
    /// Applied supersteps, and stops at breakpoints.
    Checkpoints,
    /// Questions to people.
    Questions,
    /// Failed attempts.
    Errors,
}

impl EventKind {
    /// Returns the mode of the event.
    pub fn mode(&self) -> Mode {
        match self {
            Self::TaskStarted { .. }
            | Self::TaskFinished
            | Self::TaskCached
            | Self::StepStarted { .. }
            | Self::StepReused { .. } => Mode::Tasks,
            Self::TaskFailed { .. } => Mode::Errors,
            Self::Update { .. } => Mode::Updates,
            Self::Values { .. } => Mode::Values,
            Self::Custom(_) => Mode::Custom,
            Self::Token(_) => Mode::Tokens,
            Self::Interrupted(_) => Mode::Questions,
            Self::Paused | Self::Checkpoint { .. } => Mode::Checkpoints,
        }
    }
}

/// The set of subscribed modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventModes(u16);

impl Default for EventModes {
    /// Returns all modes but the values.
    fn default() -> Self {
        Self(!(1 << Mode::Values as u16))
    }
}

impl FromIterator<Mode> for EventModes {
    fn from_iter<I: IntoIterator<Item = Mode>>(modes: I) -> Self {
        Self(modes.into_iter().fold(0, |bits, mode| bits | 1 << mode as u16))
    }
}

impl EventModes {
    fn has(self, mode: Mode) -> bool {
        self.0 & (1 << mode as u16) != 0
    }
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// The permanent id of the question; a later question has another id even if node and key are the same.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// The path of the asking task through the subgraph calls.
    pub path: String,
    /// The key given by the node.
    pub key: String,
    /// The content of the question.
    pub payload: Value,
    /// The reason the last answer was refused; `None` by default.
    pub refused: Option<String>,
}

/// The sender of a run's events, for the graph or one call of a subgraph.
#[derive(Debug, Clone)]
pub(crate) struct EventSender {
    sender: mpsc::Sender<Option<RunEvent>>,
    modes: EventModes,
    /// The path of the call; empty for the graph.
    path: Arc<str>,
}

/// The capacity of the event buffer.
const QUEUE: usize = 1024;

impl EventSender {
    pub(crate) fn channel(modes: EventModes) -> (Self, mpsc::Receiver<Option<RunEvent>>) {
        let (sender, receiver) = mpsc::channel(QUEUE);
        (Self { sender, modes, path: Arc::default() }, receiver)
    }

    /// Returns the sender for a subgraph call.
    pub(crate) fn of_call(&self, path: &str) -> Self {
        Self { path: path.into(), ..self.clone() }
    }

    /// Returns whether the run has a subscriber for `mode`, so that costly events are built only when needed.
    pub(crate) fn wanted(&self, mode: Mode) -> bool {
        self.modes.has(mode) && !self.sender.is_closed()
    }

    /// Sends an event of the engine; waits while the reader is far behind.
    pub(crate) async fn send(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) {
        if self.wanted(kind.mode()) {
            // The reader may be gone; then the event is dropped.
            let _ = self.sender.send(Some(self.event(superstep, task, kind))).await;
        }
    }

    /// Sends an event of a node, or drops the event if the buffer is full.
    pub(crate) fn offer(&self, superstep: i64, task: &TaskId, kind: EventKind) {
        if self.wanted(kind.mode()) {
            // A full buffer drops the event by design; a closed buffer has no reader.
            let _ = self.sender.try_send(Some(self.event(superstep, Some(task), kind)));
        }
    }

    /// Signals the end of the events to the reader, even if a node has leaked its context.
    pub(crate) async fn end(&self) {
        // The reader may be gone.
        let _ = self.sender.send(None).await;
    }

    /// Returns the path of a task.
    pub(crate) fn path_of(&self, task: impl fmt::Display) -> String {
        join(&self.path, task)
    }

    fn event(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) -> RunEvent {
        let path = task.map_or_else(|| self.path.to_string(), |task| self.path_of(task));
        RunEvent { superstep, node: task.map(|task| task.node.to_string()), path, kind }
    }
}
