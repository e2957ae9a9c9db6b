//! Threads in memory: for tests, and for runs that need questions but no lasting record.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tokio::time::Instant;

use super::{JoinedWrite, Journal, Lease, Owner, Record, RecordKind, Store, ThreadId};
use crate::Error;

/// Keeps threads as long as it lives.
#[derive(Debug, Default)]
pub struct MemoryStore {
    threads: Mutex<BTreeMap<ThreadId, Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    epoch: u64,
    holder: Option<(Owner, Instant)>,
    last: u64,
    records: BTreeMap<u64, Record>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn threads(&self) -> MutexGuard<'_, BTreeMap<ThreadId, Kept>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at a thread's records; those of an unknown thread are none.
    fn read<T>(&self, thread: &ThreadId, look: impl FnOnce(&BTreeMap<u64, Record>) -> T) -> T {
        look(self.threads().get(thread).map_or(&BTreeMap::new(), |kept| &kept.records))
    }

    /// Runs `work` on a thread if `lease` is its present one.
    fn held<T>(&self, lease: &Lease, work: impl FnOnce(&mut Kept) -> T) -> Result<T, Error> {
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
    ) -> BoxFuture<'a, Result<Lease, Error>> {
        let mut threads = self.threads();
        let kept = threads.entry(thread.clone()).or_default();
        let result = match &kept.holder {
            Some(holder) if is_living(holder) => {
                Err(Error::ThreadBusy { thread: thread.to_string(), holder: holder.0.describe() })
            }
            _ => {
                kept.epoch += 1;
                kept.holder = Some((owner.clone(), Instant::now() + duration));
                Ok(Lease { thread: thread.clone(), epoch: kept.epoch })
            }
        };
        ready(result).boxed()
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        let threads = self.threads();
        let holder = threads.get(thread).and_then(|kept| kept.holder.as_ref());
        ready(Ok(holder.filter(|holder| is_living(holder)).map(|(owner, _)| owner.describe()))).boxed()
    }

    fn renew<'a>(&'a self, lease: &'a Lease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let renewed = self.held(lease, |kept| {
            if let Some((_, expires)) = &mut kept.holder {
                *expires = Instant::now() + duration;
            }
        });
        ready(renewed).boxed()
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
        // A lease that was taken over is not ours to give back.
        let _ = self.held(lease, |kept| kept.holder = None);
        ready(Ok(())).boxed()
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
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

    fn newest<'a>(&'a self, thread: &'a ThreadId, scope: &'a str) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        ready(Ok(self.read(thread, |records| newest(records, scope)))).boxed()
    }

    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        ready(Ok(self.read(thread, |records| journal(records, position)))).boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        let found = self.read(thread, |records| {
            let wanted = |(_, record): &(&u64, &Record)| record.kind.is_checkpoint() && record.scope == scope;
            owned(records.range(..before).rev().filter(wanted).take(limit))
        });
        ready(Ok(found)).boxed()
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
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
        lease: &'a Lease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        let pruned = self.held(lease, |kept| {
            kept.records.retain(|position, record| *position >= before || keep.contains(&record.scope));
        });
        ready(pruned).boxed()
    }

    fn delete<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
        let deleted = self.held(lease, |kept| *kept = Kept { epoch: kept.epoch, ..Kept::default() });
        ready(deleted).boxed()
    }
}

/// Whether a lease has not run out and its owner is not known to be dead.
fn is_living((owner, expires): &(Owner, Instant)) -> bool {
    *expires > Instant::now() && !owner.is_dead()
}

fn owned<'a>(records: impl Iterator<Item = (&'a u64, &'a Record)>) -> Vec<(u64, Record)> {
    records.map(|(position, record)| (*position, record.clone())).collect()
}

/// What the newest checkpoint of `scope` needs.
fn newest(records: &BTreeMap<u64, Record>, scope: &str) -> Option<Journal> {
    let head = records.iter().rev().find(|(_, record)| record.kind.is_checkpoint() && record.scope == scope);
    head.and_then(|(position, _)| journal(records, *position))
}

/// What the checkpoint at `head` needs.
fn journal(records: &BTreeMap<u64, Record>, head: u64) -> Option<Journal> {
    let scope = &records.get(&head).filter(|record| record.kind.is_checkpoint())?.scope;
    let own = |(_, record): &(&u64, &Record)| record.kind.is_checkpoint() && record.scope == *scope;
    let mut past = records.range(..=head).rev().filter(own);
    let (snapshot, _) = past.find(|(_, record)| record.kind == RecordKind::Snapshot)?;
    let checkpoints = records.range(snapshot..=&head).filter(own).map(|(_, record)| record.clone()).collect();
    let follows = |record: &&Record| record.parent == head && !record.kind.is_checkpoint();
    let pending = records.range(head..).map(|(_, record)| record).filter(follows).cloned().collect();
    Some(Journal { head, checkpoints, pending })
}
