//! Errors of graphs, runs and stores.

use std::fmt;
use std::sync::Arc;

use crate::problem::GraphProblem;

/// The error of compiling a graph or of continuing a run.
///
/// After any error the thread stays at the last checkpoint and can be read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The graph has mistakes.
    #[error("the graph {graph} has {} mistakes: {}", problems.len(), list(problems))]
    InvalidGraph {
        /// The graph's name.
        graph: String,
        /// All mistakes found.
        problems: Vec<GraphProblem>,
    },
    /// Several writes of one superstep conflict.
    #[error("{} wrote `{key}` in one superstep, and it has no reducer for that", writers.join(", "))]
    InvalidUpdate {
        /// The channel.
        key: String,
        /// The tasks that wrote to the channel, in declaration order.
        writers: Vec<String>,
    },
    /// A node or route went to an undeclared target.
    #[error("{node} went to {target}, which is not one of its declared targets")]
    UnknownTarget {
        /// The node, or the source of the route.
        node: String,
        /// The undeclared target.
        target: String,
    },
    /// Nothing is left to run, but a join still waits for some of its sources.
    #[error("the join into {node} never ran: {} did not come", missing.join(", "))]
    JoinStarved {
        /// The target of the join.
        node: String,
        /// The sources that never ran.
        missing: Vec<String>,
    },
    /// The run reached the limit of supersteps; a resumed run starts a new count.
    #[error("the run stopped after {limit} supersteps, before {}", next.join(", "))]
    RecursionLimit {
        /// The limit of supersteps per run.
        limit: u32,
        /// The nodes that were due next.
        next: Vec<String>,
    },
    /// A node failed after the last retry. Results of concurrent tasks are kept; resuming runs only the failed tasks.
    #[error("{node} failed in superstep {superstep}: {message}")]
    Node {
        /// The node that failed.
        node: String,
        /// The superstep of the failure.
        superstep: i64,
        /// The message of the node's error.
        message: String,
        /// The node's own error; `None` after a panic.
        source: Option<SharedError>,
    },
    /// One execution of a node used a duplicate step or question key.
    #[error("{node} used the key `{key}` twice in one execution")]
    DuplicateKey {
        /// The node.
        node: String,
        /// The duplicate key.
        key: String,
    },
    /// The payload does not deserialize to the type that the node requested.
    #[error("{node} cannot read its payload: {reason}")]
    WrongPayload {
        /// The node.
        node: String,
        /// The deserializer's message.
        reason: String,
    },
    /// A step was stored for another input than the current input.
    #[error("{0}")]
    ReplayMismatch(Box<Mismatch>),
    /// The thread was created by a graph that differs from the current graph.
    #[error("thread {thread} was made by a different graph: {}", changes.join("; "))]
    GraphChanged {
        /// The thread.
        thread: String,
        /// The changes since the thread was created.
        changes: Vec<String>,
    },
    /// Another run holds the lease of the thread.
    #[error("thread {thread} is being run by {holder}")]
    ThreadBusy {
        /// The thread.
        thread: String,
        /// The holder of the lease, as readable text.
        holder: String,
    },
    /// The run lost the lease; the append was refused.
    #[error("this run no longer owns thread {thread}")]
    Fenced {
        /// The thread.
        thread: String,
    },
    /// New input arrived for a thread that has not finished.
    #[error("thread {thread} has not finished: {} is still to run", next.join(", "))]
    Unfinished {
        /// The thread.
        thread: String,
        /// The nodes still to run.
        next: Vec<String>,
    },
    /// The thread has no checkpoint to resume from.
    #[error("thread {thread} does not exist")]
    NoSuchThread {
        /// The thread.
        thread: String,
    },
    /// A thread with the id exists already; the caller wanted to start a new thread or to copy to one.
    #[error("thread {thread} exists already")]
    ThreadExists {
        /// The thread.
        thread: String,
    },
    /// The thread has no such checkpoint.
    #[error("thread {thread} has no checkpoint {checkpoint}")]
    NoSuchCheckpoint {
        /// The thread.
        thread: String,
        /// The requested position.
        checkpoint: u64,
    },
    /// The checkpoint belongs to a subgraph call, not to the graph.
    #[error("checkpoint {checkpoint} of thread {thread} belongs to the call {path}, whose state is another")]
    CheckpointOfCall {
        /// The thread.
        thread: String,
        /// The checkpoint's position.
        checkpoint: u64,
        /// The path of the call.
        path: String,
    },
    /// A state update named a node that the graph does not have.
    #[error("the graph has no node {node}")]
    NoSuchNode {
        /// The unknown name.
        node: String,
    },
    /// An answer arrived for a question that is not open.
    #[error("thread {thread} has no open question {id}")]
    NoSuchQuestion {
        /// The thread.
        thread: String,
        /// The id of the question, or `-` for an answer without an id when no question is open.
        id: String,
    },
    /// An answer without an id arrived, but several questions are open: answer by id.
    #[error("thread {thread} has several open questions: {}", ids.join(", "))]
    SeveralQuestions {
        /// The thread.
        thread: String,
        /// The ids of the open questions.
        ids: Vec<String>,
    },
    /// A node asked a person in a run without a store, which cannot wait.
    #[error("{node} asked `{key}`, but a run without a store cannot wait for an answer")]
    CannotWait {
        /// The node.
        node: String,
        /// The question's key.
        key: String,
    },
    /// A run without a store reached a breakpoint.
    #[error("there is a breakpoint before {node}, but a run without a store cannot pause")]
    CannotPause {
        /// The node that was due.
        node: String,
    },
    /// A context was used after the execution of the node had ended or timed out.
    #[error("{node} used the context of an execution that is over")]
    TooLate {
        /// The node.
        node: String,
    },
    /// The store does not support the type of the joined write.
    #[error("this store cannot join the write of {node} to its commit")]
    CannotJoin {
        /// The node.
        node: String,
    },
    /// A value cannot be serialized to JSON.
    #[error("{what} cannot be stored: {reason}")]
    Encode {
        /// The value, with the node that wrote it if known.
        what: String,
        /// The serializer's message.
        reason: String,
    },
    /// Stored data cannot be parsed.
    #[error("the stored thread cannot be read: {reason}")]
    Corrupt {
        /// The parse error.
        reason: String,
    },
    /// An internal task of the engine broke off, for example by a panic.
    #[error("the run broke off: {reason}")]
    Broken {
        /// The description of the failure.
        reason: String,
    },
    /// The database returned an error.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// Another store returned an error.
    #[error("the store failed: {0}")]
    Store(SharedError),
}

impl Error {
    /// Returns the error for an internal task that broke off.
    pub(crate) fn broken(error: &tokio::task::JoinError) -> Self {
        Self::Broken { reason: error.to_string() }
    }
}

/// A stored step that does not match the current input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The thread.
    pub thread: String,
    /// The run that found the mismatch.
    pub run: String,
    /// The node.
    pub node: String,
    /// The step's key.
    pub step: String,
    /// The stored fingerprint.
    pub recorded: String,
    /// The fingerprint of the current input.
    pub present: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { thread, run, node, step, recorded, present } = self;
        write!(formatter, "step `{step}` of {node} in thread {thread} was stored for input {recorded}, ")?;
        write!(formatter, "but in run {run} its input is {present}")
    }
}

#[cfg(feature = "sqlite")]
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}

#[cfg(feature = "postgres")]
impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error.into())
    }
}

/// A shared error of any type, so that [`enum@Error`] can be cloned.
#[derive(Clone)]
pub struct SharedError(Arc<dyn std::error::Error + Send + Sync>);

impl SharedError {
    /// Wraps `error`.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Arc::from(error.into()))
    }

    /// Returns the wrapped error.
    pub fn get(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl fmt::Debug for SharedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for SharedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl std::error::Error for SharedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

fn list(problems: &[GraphProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
