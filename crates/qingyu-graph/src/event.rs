//! What a run tells while it works.

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

/// Something that happened in a run, in the order in which it happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// The superstep; the input is −1 on a new thread.
    pub superstep: i64,
    /// The node, where it is about one.
    pub node: Option<String>,
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
    /// What a node emitted itself. Best effort: it is dropped when the reader is far behind.
    Custom(Value),
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

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Question {
    /// Names this question for ever; a later question has another id even if node and key are the same.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// The key that the node gave it.
    pub key: String,
    /// What the node asks.
    pub payload: Value,
    /// Why the last answer was refused, if one was.
    pub refused: Option<String>,
}

/// The sending side of a run's events.
#[derive(Debug, Clone)]
pub(crate) struct Events(mpsc::Sender<Option<Event>>);

/// How many events may wait for their reader.
const QUEUE: usize = 1024;

impl Events {
    pub(crate) fn channel() -> (Self, mpsc::Receiver<Option<Event>>) {
        let (sender, receiver) = mpsc::channel(QUEUE);
        (Self(sender), receiver)
    }

    /// Whether anybody listens, so that costly events need not be built for nobody.
    pub(crate) fn wanted(&self) -> bool {
        !self.0.is_closed()
    }

    /// Sends an event of the engine; the run waits while its reader is far behind.
    pub(crate) async fn send(&self, superstep: i64, node: Option<&str>, kind: EventKind) {
        if self.wanted() {
            // The reader may have gone meanwhile; nobody is left to tell.
            let _ = self.0.send(Some(Event { superstep, node: node.map(str::to_owned), kind })).await;
        }
    }

    /// Tells the reader that nothing more comes, even if a node has left its context somewhere.
    pub(crate) async fn end(&self) {
        // Without a reader there is nobody to tell.
        let _ = self.0.send(None).await;
    }

    /// Sends an event of a node, or drops it.
    pub(crate) fn offer(&self, superstep: i64, node: &str, kind: EventKind) {
        // A full queue drops it by design, a closed one has no reader.
        let _ = self.0.try_send(Some(Event { superstep, node: Some(node.to_owned()), kind }));
    }
}
