//! The interface of stores.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;

use super::owner::Owner;
use super::record::{CheckpointJournal, JournalRecord, ThreadId, ThreadLease};
use crate::error::Error;

/// A store of journals.
///
/// Every method is one transaction: after a crash the effect is complete or absent, and durable once the method has
/// returned. Implementations run `testing::store_suite`.
pub trait Store: Send + Sync + fmt::Debug {
    /// Acquires the lease of `thread` for `owner`, for `duration` from now; only the holder may append.
    ///
    /// Fails with [`Error::ThreadBusy`] while another lease is valid, unless the owner is known to be dead. Each new
    /// lease has a higher epoch than any before.
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>>;

    /// Returns the current holder of the lease of `thread`, as readable text; `None` if the thread is free, the lease
    /// has expired, or the owner is known to be dead. Another caller may acquire the lease before the answer arrives.
    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>>;

    /// Extends the lease to `duration` from now; fails with [`Error::Fenced`] if the lease was taken over or released.
    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>>;

    /// Releases the lease. A lease that was taken over is left alone, without an error.
    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>>;

    /// Appends `records` and runs `joined` in one commit; returns the position of the last record.
    ///
    /// Positions start at 1 and grow by 1; without records the call only returns the last position. Fails with
    /// [`Error::Fenced`], storing nothing, if the lease is not the thread's current lease; the check is part of the
    /// commit.
    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>>;

    /// Returns the records needed to continue in `scope`: the newest snapshot, the deltas after the snapshot, and the
    /// records whose parent is the newest checkpoint, each in order. `None` if the scope has no checkpoint. Older
    /// records are not read.
    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>>;

    /// Returns the same for the checkpoint at `position`, of any scope and branch: the last snapshot of the scope up to
    /// the position, the scope's deltas in between, and the non-checkpoint records whose parent is the checkpoint.
    /// `None` if the position has no checkpoint.
    ///
    /// A branch starts with a snapshot, and only the newest branch grows; so no record of another branch is in between.
    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64)
    -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>>;

    /// Returns the checkpoints of `scope` on every branch with their positions, newest first: at most `limit`, all
    /// before `before`.
    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>>;

    /// Returns the records after `after` with their positions, in order: at most `limit`.
    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>>;

    /// Returns the threads whose graph has a checkpoint, sorted by the bytes of their names: at most `limit`, all after
    /// `after`.
    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>>;

    /// Removes the records before `before`, except the records of the scopes in `keep`; the others keep their
    /// positions.
    ///
    /// A checkpoint without its snapshot cannot be read any more, so `before` should be the position of a snapshot.
    /// Fails with [`Error::Fenced`], removing nothing, if the lease is not the thread's current lease.
    fn prune<'a>(
        &'a self,
        lease: &'a ThreadLease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>>;

    /// Deletes every record of the thread and releases the lease. Positions start at 1 again, epochs continue.
    ///
    /// Fails with [`Error::Fenced`], deleting nothing, if the lease is not the thread's current lease.
    fn delete<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>>;
}

/// A write to our own database that joins the commit of the task: both become durable, or neither.
///
/// The content is private to a store and its users; `SqliteStore::joined` and `PostgresStore::joined` return one.
pub struct JoinedWrite {
    pub(crate) node: String,
    pub(crate) work: Box<dyn Any + Send>,
}

impl JoinedWrite {
    /// Returns a write that a store recognises by the type of `work`.
    pub fn new(work: impl Any + Send) -> Self {
        Self { node: String::new(), work: Box::new(work) }
    }

    /// Returns the work to the store that knows the type; fails with [`Error::CannotJoin`] in any other store.
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
