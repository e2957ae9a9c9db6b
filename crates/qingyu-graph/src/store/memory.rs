//! An in-memory store: for tests, and for runs with questions but without durability.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tokio::time::Instant;

use super::interface::{JoinedWrite, Store};
use super::owner::Owner;
use super::record::{CheckpointJournal, JournalRecord, RecordKind, ThreadId, ThreadLease};
use crate::error::Error;

/// A store that keeps threads in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    threads: Mutex<BTreeMap<ThreadId, StoredThread>>,
}

#[derive(Debug, Default)]
struct StoredThread {
    epoch: u64,
    holder: Option<(Owner, Instant)>,
    last: u64,
    records: BTreeMap<u64, JournalRecord>,
}

impl MemoryStore {
    /// Returns an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn threads(&self) -> MutexGuard<'_, BTreeMap<ThreadId, StoredThread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `look` with a thread's records; empty for an unknown thread.
    fn read<T>(&self, thread: &ThreadId, look: impl FnOnce(&BTreeMap<u64, JournalRecord>) -> T) -> T {
        look(self.threads().get(thread).map_or(&BTreeMap::new(), |kept| &kept.records))
    }

    /// Calls `work` with a thread if `lease` is the current lease; fails with `Error::Fenced` otherwise.
    fn held<T>(&self, lease: &ThreadLease, work: impl FnOnce(&mut StoredThread) -> T) -> Result<T, Error> {
        let mut threads = self.threads();
        let kept = threads.entry(lease.thread.clone()).or_default();
        if kept.epoch != lease.epoch || kept.holder.is_none() {
            return Err(Error::Fenced { thread: lease.thread.to_string() });
        }
        Ok(work(kept))
    }
}

impl Store for MemoryStore {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>> {
        let mut threads = self.threads();
        let kept = threads.entry(thread.clone()).or_default();
        let result = match &kept.holder {
            Some(holder) if is_living(holder) => {
                Err(Error::ThreadBusy { thread: thread.to_string(), holder: holder.0.describe() })
            }
            _ => {
                kept.epoch += 1;
                kept.holder = Some((owner.clone(), Instant::now() + duration));
                Ok(ThreadLease { thread: thread.clone(), epoch: kept.epoch })
            }
        };
        ready(result).boxed()
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        let threads = self.threads();
        let holder = threads.get(thread).and_then(|kept| kept.holder.as_ref());
        ready(Ok(holder.filter(|holder| is_living(holder)).map(|(owner, _)| owner.describe()))).boxed()
    }

    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let renewed = self.held(lease, |kept| {
            if let Some((_, expires)) = &mut kept.holder {
                *expires = Instant::now() + duration;
            }
        });
        ready(renewed).boxed()
    }

    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        // A lease that was taken over cannot be released.
        let _ = self.held(lease, |kept| kept.holder = None);
        ready(Ok(())).boxed()
    }

    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        if let Some(write) = joined.into_iter().next() {
            return ready(Err(Error::CannotJoin { node: write.node })).boxed();
        }
        let position = self.held(lease, |kept| {
            for record in records {
                kept.last += 1;
                kept.records.insert(kept.last, record);
            }
            kept.last
        });
        ready(position).boxed()
    }

    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        ready(Ok(self.read(thread, |records| newest(records, scope)))).boxed()
    }

    fn at<'a>(
        &'a self,
        thread: &'a ThreadId,
        position: u64,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        ready(Ok(self.read(thread, |records| journal(records, position)))).boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let found = self.read(thread, |records| {
            let wanted = |(_, record): &(&u64, &JournalRecord)| record.kind.is_checkpoint() && record.scope == scope;
            owned(records.range(..before).rev().filter(wanted).take(limit))
        });
        ready(Ok(found)).boxed()
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let found =
            self.read(thread, |records| owned(records.range((Bound::Excluded(after), Bound::Unbounded)).take(limit)));
        ready(Ok(found)).boxed()
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        let threads = self.threads();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let found = threads.range((start, Bound::Unbounded));
        let begun = found.filter(|(_, kept)| newest(&kept.records, "").is_some());
        ready(Ok(begun.take(limit).map(|(thread, _)| thread.clone()).collect())).boxed()
    }

    fn prune<'a>(
        &'a self,
        lease: &'a ThreadLease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        let pruned = self.held(lease, |kept| {
            kept.records.retain(|position, record| *position >= before || keep.contains(&record.scope));
        });
        ready(pruned).boxed()
    }

    fn delete<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        let deleted = self.held(lease, |kept| *kept = StoredThread { epoch: kept.epoch, ..StoredThread::default() });
        ready(deleted).boxed()
    }
}

/// Returns whether a lease has not expired and the owner is not known to be dead.
fn is_living((owner, expires): &(Owner, Instant)) -> bool {
    *expires > Instant::now() && !owner.is_dead()
}

fn owned<'a>(records: impl Iterator<Item = (&'a u64, &'a JournalRecord)>) -> Vec<(u64, JournalRecord)> {
    records.map(|(position, record)| (*position, record.clone())).collect()
}

/// Returns the records for the newest checkpoint of `scope`.
fn newest(records: &BTreeMap<u64, JournalRecord>, scope: &str) -> Option<CheckpointJournal> {
    let head = records.iter().rev().find(|(_, record)| record.kind.is_checkpoint() && record.scope == scope);
    head.and_then(|(position, _)| journal(records, *position))
}

/// Returns the records for the checkpoint at `head`.
fn journal(records: &BTreeMap<u64, JournalRecord>, head: u64) -> Option<CheckpointJournal> {
    let scope = &records.get(&head).filter(|record| record.kind.is_checkpoint())?.scope;
    let own = |(_, record): &(&u64, &JournalRecord)| record.kind.is_checkpoint() && record.scope == *scope;
    let mut past = records.range(..=head).rev().filter(own);
    let (snapshot, _) = past.find(|(_, record)| record.kind == RecordKind::Snapshot)?;
    let checkpoints = records.range(snapshot..=&head).filter(own).map(|(_, record)| record.clone()).collect();
    let follows = |record: &&JournalRecord| record.parent == head && !record.kind.is_checkpoint();
    let pending = records.range(head..).map(|(_, record)| record).filter(follows).cloned().collect();
    Some(CheckpointJournal { head, checkpoints, pending })
}
