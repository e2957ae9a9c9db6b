//! What can go wrong in a graph, its runs and its stores.

use std::fmt;
use std::sync::Arc;

use crate::Problem;

/// Why a graph could not be compiled or a run could not go on.
///
/// Whatever it is, the thread stays as it was at its last checkpoint and can be read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The graph has mistakes; all that were found are listed.
    #[error("the graph {graph} has {} mistakes: {}", problems.len(), list(problems))]
    InvalidGraph {
        /// The graph's name.
        graph: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// Several writes of one superstep cannot be brought together.
    #[error("{} wrote `{key}` in one superstep, and it has no reducer for that", writers.join(", "))]
    InvalidUpdate {
        /// The channel.
        key: String,
        /// The tasks that wrote it, in declaration order.
        writers: Vec<String>,
    },
    /// A node or route went where it did not declare to go.
    #[error("{node} went to {target}, which is not one of its declared targets")]
    UnknownTarget {
        /// Who chose the way.
        node: String,
        /// Where it wanted to go.
        target: String,
    },
    /// Nothing is left to run, but a join still waits for some of its sources.
    #[error("the join into {node} never ran: {} did not come", missing.join(", "))]
    JoinStarved {
        /// The node behind the join.
        node: String,
        /// The sources that were never run.
        missing: Vec<String>,
    },
    /// The run took as many supersteps as it may; resuming gives it as many again.
    #[error("the run stopped after {limit} supersteps, before {}", next.join(", "))]
    RecursionLimit {
        /// How many supersteps one run may take.
        limit: u32,
        /// What would have run next.
        next: Vec<String>,
    },
    /// A node failed after its last attempt. Its siblings' results are kept; resuming runs only what failed.
    #[error("{node} failed in superstep {superstep}: {message}")]
    Node {
        /// The node that failed.
        node: String,
        /// When it failed.
        superstep: i64,
        /// What it said.
        message: String,
        /// The node's own error; absent when it panicked.
        source: Option<SharedError>,
    },
    /// One execution of a node used a step or question key twice.
    #[error("{node} used the key `{key}` twice in one execution")]
    DuplicateKey {
        /// The node.
        node: String,
        /// The key.
        key: String,
    },
    /// A node read its payload as something that it is not.
    #[error("{node} cannot read its payload: {reason}")]
    WrongPayload {
        /// The node.
        node: String,
        /// Why not.
        reason: String,
    },
    /// A step was stored for another input than it has now.
    #[error("{0}")]
    ReplayMismatch(Box<Mismatch>),
    /// The thread was made by a graph that differs from this one.
    #[error("thread {thread} was made by a different graph: {}", changes.join("; "))]
    GraphChanged {
        /// The thread.
        thread: String,
        /// What changed since.
        changes: Vec<String>,
    },
    /// Somebody else is running this thread.
    #[error("thread {thread} is being run by {holder}")]
    ThreadBusy {
        /// The thread.
        thread: String,
        /// Who holds the lease, for people.
        holder: String,
    },
    /// This run lost its lease; what it would have stored was refused.
    #[error("this run no longer owns thread {thread}")]
    Fenced {
        /// The thread.
        thread: String,
    },
    /// New input came for a thread that has not finished.
    #[error("thread {thread} has not finished: {} is still to run", next.join(", "))]
    Unfinished {
        /// The thread.
        thread: String,
        /// What is still to run.
        next: Vec<String>,
    },
    /// The thread has no checkpoint to go on from.
    #[error("thread {thread} does not exist")]
    NoSuchThread {
        /// The thread.
        thread: String,
    },
    /// A thread was to be started as a new one, or copied to, where one is already.
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
        /// Its position.
        checkpoint: u64,
    },
    /// The checkpoint is not one of the graph itself but of a subgraph that it called.
    #[error("checkpoint {checkpoint} of thread {thread} belongs to the call {path}, whose state is another")]
    CheckpointOfCall {
        /// The thread.
        thread: String,
        /// Its position.
        checkpoint: u64,
        /// The call.
        path: String,
    },
    /// The state was to be changed as if by a node that the graph does not have.
    #[error("the graph has no node {node}")]
    NoSuchNode {
        /// The name.
        node: String,
    },
    /// An answer came for a question that is not open.
    #[error("thread {thread} has no open question {id}")]
    NoSuchQuestion {
        /// The thread.
        thread: String,
        /// The id, or `-` when a plain answer met no question at all.
        id: String,
    },
    /// A plain answer came, but several questions are open: answer them by id.
    #[error("thread {thread} has several open questions: {}", ids.join(", "))]
    SeveralQuestions {
        /// The thread.
        thread: String,
        /// The ids of the open questions.
        ids: Vec<String>,
    },
    /// A node asked a person in a run that is not stored and so cannot wait.
    #[error("{node} asked `{key}`, but a run without a store cannot wait for an answer")]
    CannotWait {
        /// The node.
        node: String,
        /// The question's key.
        key: String,
    },
    /// A run that is not stored came to a breakpoint.
    #[error("there is a breakpoint before {node}, but a run without a store cannot pause")]
    CannotPause {
        /// What was due.
        node: String,
    },
    /// An execution of a node that has already ended or been given up used its context.
    #[error("{node} used the context of an execution that is over")]
    TooLate {
        /// The node.
        node: String,
    },
    /// The store cannot carry out this kind of joined write.
    #[error("this store cannot join the write of {node} to its commit")]
    CannotJoin {
        /// The node.
        node: String,
    },
    /// A value cannot be written as JSON.
    #[error("{what} cannot be stored: {reason}")]
    Encode {
        /// The value, with the node that wrote it where that is known.
        what: String,
        /// What the encoder said.
        reason: String,
    },
    /// What was read back is not what this program stores.
    #[error("the stored thread cannot be read: {reason}")]
    Corrupt {
        /// What was met.
        reason: String,
    },
    /// The engine's own task broke off.
    #[error("the run broke off: {reason}")]
    Broken {
        /// What was met.
        reason: String,
    },
    /// The database refused.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// Another store refused.
    #[error("the store failed: {0}")]
    Store(SharedError),
}

impl Error {
    /// The error for a task of the engine's own that broke off.
    pub(crate) fn broken(error: &tokio::task::JoinError) -> Self {
        Self::Broken { reason: error.to_string() }
    }
}

/// A stored step that does not belong to the present input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The thread.
    pub thread: String,
    /// The run that met it.
    pub run: String,
    /// The node.
    pub node: String,
    /// The step's key.
    pub step: String,
    /// The fingerprint that was stored.
    pub recorded: String,
    /// The fingerprint of the present input.
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

/// Any error, shared, so that [`enum@Error`] can be cloned.
#[derive(Clone)]
pub struct SharedError(Arc<dyn std::error::Error + Send + Sync>);

impl SharedError {
    /// Wraps `error`.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Arc::from(error.into()))
    }

    /// The error as it was.
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

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
