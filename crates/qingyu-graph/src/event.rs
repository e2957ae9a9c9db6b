//! What a run tells while it works.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::journal::join;
use crate::superstep::TaskId;

/// Something that happened in a run, in the order in which it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The superstep, counted in the graph or subgraph that it is about; the input is −1 on a new thread.
    pub superstep: i64,
    /// The node, where it is about one.
    pub node: Option<String>,
    /// The task that it is about, through the calls that lead to it, such as `write#1/polish`. Where it is about no
    /// task, the call of the subgraph; empty for the graph itself.
    pub path: String,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A node was called.
    TaskStarted {
        /// Counted from 1.
        attempt: u32,
    },
    /// A node ended well.
    TaskFinished,
    /// An attempt of a node failed.
    TaskFailed {
        /// Counted from 1.
        attempt: u32,
        /// What the node said.
        message: String,
        /// Whether another attempt follows.
        will_retry: bool,
    },
    /// A node was not called: an earlier result is used.
    TaskCached,
    /// A step is really carried out now; after a crash this shows that it was not stored.
    StepStarted {
        /// The step's key.
        key: String,
    },
    /// A step's stored result was used instead of carrying it out.
    StepReused {
        /// The step's key.
        key: String,
    },
    /// What a node wrote, channel by channel.
    Update {
        /// `{"channel": {"set" | "add": value}}`.
        values: Value,
    },
    /// The state after a superstep or the input, channel by channel. Sent only if it was asked for.
    Values {
        /// Without the untracked channels.
        values: Value,
    },
    /// What a node emitted itself. Best effort: it is dropped when the reader is far behind.
    Custom(Value),
    /// A piece of a model's answer that a node passes on as it comes. Best effort, as above.
    Token(String),
    /// A node asked a person.
    Interrupted(Question),
    /// The run stops at a breakpoint.
    Paused,
    /// A superstep was applied (and stored, if the thread has a store).
    Checkpoint {
        /// What runs next.
        next: Vec<String>,
    },
}

/// A kind of events that a reader may or may not want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Tasks and steps that begin, end, or are not carried out because their result is known.
    Tasks,
    /// What each node wrote.
    Updates,
    /// The whole state after every superstep; costs as much as the state is large.
    Values,
    /// What nodes emit themselves.
    Custom,
    /// Pieces of models' answers.
    Tokens,
    /// Supersteps that were applied, and stops at breakpoints.
    Checkpoints,
    /// Questions to people.
    Questions,
    /// Failed attempts.
    Errors,
}

impl EventKind {
    /// The mode that it belongs to.
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

/// The modes that are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modes(u16);

impl Default for Modes {
    /// All but the values.
    fn default() -> Self {
        Self(!(1 << Mode::Values as u16))
    }
}

impl FromIterator<Mode> for Modes {
    fn from_iter<I: IntoIterator<Item = Mode>>(modes: I) -> Self {
        Self(modes.into_iter().fold(0, |bits, mode| bits | 1 << mode as u16))
    }
}

impl Modes {
    fn has(self, mode: Mode) -> bool {
        self.0 & (1 << mode as u16) != 0
    }
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// Names this question for ever; a later question has another id even if node and key are the same.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// The task that asks, through the calls that lead to it.
    pub path: String,
    /// The key that the node gave it.
    pub key: String,
    /// What the node asks.
    pub payload: Value,
    /// Why the last answer was refused, if one was.
    pub refused: Option<String>,
}

/// The sending side of a run's events, as the graph or one call of a subgraph uses it.
#[derive(Debug, Clone)]
pub(crate) struct Events {
    sender: mpsc::Sender<Option<Event>>,
    modes: Modes,
    /// The call; empty for the graph itself.
    path: Arc<str>,
}

/// How many events may wait for their reader.
const QUEUE: usize = 1024;

impl Events {
    pub(crate) fn channel(modes: Modes) -> (Self, mpsc::Receiver<Option<Event>>) {
        let (sender, receiver) = mpsc::channel(QUEUE);
        (Self { sender, modes, path: Arc::default() }, receiver)
    }

    /// The same for the call of a subgraph.
    pub(crate) fn of_call(&self, path: &str) -> Self {
        Self { path: path.into(), ..self.clone() }
    }

    /// Whether anybody listens for `mode`, so that costly events need not be built for nobody.
    pub(crate) fn wanted(&self, mode: Mode) -> bool {
        self.modes.has(mode) && !self.sender.is_closed()
    }

    /// Sends an event of the engine; the run waits while its reader is far behind.
    pub(crate) async fn send(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) {
        if self.wanted(kind.mode()) {
            // The reader may have gone meanwhile; nobody is left to tell.
            let _ = self.sender.send(Some(self.event(superstep, task, kind))).await;
        }
    }

    /// Sends an event of a node, or drops it.
    pub(crate) fn offer(&self, superstep: i64, task: &TaskId, kind: EventKind) {
        if self.wanted(kind.mode()) {
            // A full queue drops it by design, a closed one has no reader.
            let _ = self.sender.try_send(Some(self.event(superstep, Some(task), kind)));
        }
    }

    /// Tells the reader that nothing more comes, even if a node has left its context somewhere.
    pub(crate) async fn end(&self) {
        // Without a reader there is nobody to tell.
        let _ = self.sender.send(None).await;
    }

    /// The path of a task.
    pub(crate) fn path_of(&self, task: impl fmt::Display) -> String {
        join(&self.path, task)
    }

    fn event(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) -> Event {
        let path = task.map_or_else(|| self.path.to_string(), |task| self.path_of(task));
        Event { superstep, node: task.map(|task| task.node.to_string()), path, kind }
    }
}
