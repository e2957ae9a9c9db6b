//! Where threads are kept: a journal of records per thread, written by one owner at a time.
//!
//! A store knows neither states nor graphs; it keeps records in order and guards who may add to them.

mod memory;
mod owner;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::Error;

pub use memory::MemoryStore;
pub use owner::Owner;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

/// Names a thread: one lasting conversation with a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(String);

impl ThreadId {
    /// The name.
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

/// Keeps journals.
///
/// Every method is one transaction: after a crash its effect is whole or absent, and once it has returned it lasts.
/// Implementations run `testing::store_suite`.
pub trait Store: Send + Sync + fmt::Debug {
    /// Makes `owner` the only one who may append to `thread`, for `duration` from now.
    ///
    /// Fails with [`Error::ThreadBusy`] while another lease lasts, unless its owner is known to be dead.
    /// Each success has a higher epoch than any before it.
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<Lease, Error>>;

    /// Who holds the lease of `thread` now, for people; `None` if it is free, has run out, or its owner is known to be
    /// dead. Whoever acquires it may be faster than the answer.
    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>>;

    /// Lets the lease last for `duration` from now; fails with [`Error::Fenced`] if it was taken over or released.
    fn renew<'a>(&'a self, lease: &'a Lease, duration: Duration) -> BoxFuture<'a, Result<(), Error>>;

    /// Gives the lease back. A lease that was taken over is left alone, without an error.
    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>>;

    /// Appends `records` and carries out `joined` in one commit; returns the position of the last record.
    ///
    /// Positions start at 1 and grow by 1; without records it only tells the last of them. Fails with [`Error::Fenced`], storing nothing, if the lease is not the
    /// thread's present one; the check is part of the commit.
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>>;

    /// What is needed to go on in `scope`: its newest snapshot, the deltas after it, and the records whose parent is its
    /// newest checkpoint, each in order. `None` if the scope has no checkpoint. Older records are not read.
    fn newest<'a>(&'a self, thread: &'a ThreadId, scope: &'a str) -> BoxFuture<'a, Result<Option<Journal>, Error>>;

    /// The same for the checkpoint at `position`, whichever scope and branch it is of: the last snapshot of its scope up
    /// to it, the scope's deltas from there to it, and the records that are no checkpoints and whose parent it is.
    /// `None` if no checkpoint stands there.
    ///
    /// A branch starts with a snapshot, and only the newest branch grows; so nothing of another branch stands between.
    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>>;

    /// The checkpoints of `scope` on every branch with their positions, newest first: at most `limit`, all of them
    /// before `before`.
    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>>;

    /// Every record after `after` with its position, in order: at most `limit`.
    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>>;

    /// The threads whose graph itself has a checkpoint, by the bytes of their names: at most `limit`, all of them after
    /// `after`.
    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>>;

    /// Removes the records before `before`, except those of the scopes in `keep`; the others keep their positions.
    ///
    /// Checkpoints that have lost their snapshot cannot be read any more, so `before` should be the place of one.
    /// Fails with [`Error::Fenced`], removing nothing, if the lease is not the thread's present one.
    fn prune<'a>(
        &'a self,
        lease: &'a Lease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>>;

    /// Removes every record of the thread and gives the lease back. Positions start at 1 again, epochs go on.
    ///
    /// Fails with [`Error::Fenced`], removing nothing, if the lease is not the thread's present one.
    fn delete<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>>;
}

/// The right to append to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The thread.
    pub thread: ThreadId,
    /// Grows with every acquisition.
    pub epoch: u64,
}

/// One entry of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The call of a subgraph that it belongs to; empty for the graph itself. Each scope has checkpoints of its own.
    pub scope: String,
    /// The branch of the scope's history; 0 is the first.
    pub branch: u64,
    /// The position of the checkpoint of the same scope that it builds on; 0 if there is none yet.
    pub parent: u64,
    /// What it is.
    pub kind: RecordKind,
    /// The task that it belongs to; empty for a checkpoint.
    pub task: String,
    /// The key of a step, question or answer; empty otherwise.
    pub key: String,
    /// JSON, in the form that the engine gives it.
    pub body: String,
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// A checkpoint with the whole state.
    Snapshot,
    /// A checkpoint with what changed since its parent.
    Delta,
    /// The result of a paid-once step.
    Step,
    /// What a finished task wrote, kept until its superstep is applied.
    Writes,
    /// A question to a person.
    Question,
    /// The answer to it.
    Answer,
    /// Why a task failed.
    Failure,
    /// The pending writes of this checkpoint before this record do not count any more.
    Discard,
    /// A run stopped at this checkpoint for a breakpoint; the next one goes on.
    Pause,
}

impl RecordKind {
    /// Every kind.
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

    /// The name under which it is stored.
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

    /// Whether it ends a superstep.
    pub fn is_checkpoint(self) -> bool {
        matches!(self, Self::Snapshot | Self::Delta)
    }
}

/// The part of a thread's journal that one checkpoint needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Journal {
    /// The position of the checkpoint.
    pub head: u64,
    /// The last snapshot before it and the deltas after that; the last of them is the checkpoint itself.
    pub checkpoints: Vec<Record>,
    /// The records of the superstep that follows it.
    pub pending: Vec<Record>,
}

/// A write to our own database that becomes durable together with the task that asked for it, or not at all.
///
/// What it contains is between a store and its users; `SqliteStore::joined` and
/// `PostgresStore::joined` make one.
pub struct JoinedWrite {
    pub(crate) node: String,
    pub(crate) work: Box<dyn Any + Send>,
}

impl JoinedWrite {
    /// A write that a store recognises by the type of `work`.
    pub fn new(work: impl Any + Send) -> Self {
        Self { node: String::new(), work: Box::new(work) }
    }

    /// The work, for the store that knows its type; fails with [`Error::CannotJoin`] in any other.
    pub fn work<W: Any>(self) -> Result<W, Error> {
        let Self { node, work } = self;
        work.downcast().map(|work| *work).map_err(|_| Error::CannotJoin { node })
    }
}

impl fmt::Debug for JoinedWrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JoinedWrite").field("node", &self.node).finish_non_exhaustive()
    }
}
