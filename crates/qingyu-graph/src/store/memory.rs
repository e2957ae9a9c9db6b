//! Threads in memory: for tests, and for runs that need questions but no lasting record.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

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
    records: Vec<Record>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn threads(&self) -> MutexGuard<'_, BTreeMap<ThreadId, Kept>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
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
            kept.records.extend(records);
            kept.records.len() as u64
        });
        ready(position).boxed()
    }

    fn newest<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        let threads = self.threads();
        let records = threads.get(thread).map_or(&[][..], |kept| &kept.records);
        let head = records.iter().rposition(|record| record.kind.is_checkpoint());
        ready(Ok(head.and_then(|head| journal(records, head)))).boxed()
    }

    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        let threads = self.threads();
        let records = threads.get(thread).map_or(&[][..], |kept| &kept.records);
        let index = position.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        ready(Ok(index.and_then(|index| journal(records, index)))).boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        let threads = self.threads();
        let records = threads.get(thread).map_or(&[][..], |kept| &kept.records);
        let placed = (1..before).zip(records).filter(|(_, record)| record.kind.is_checkpoint());
        let mut found: Vec<_> = placed.map(|(position, record)| (position, record.clone())).collect();
        found.reverse();
        found.truncate(limit);
        ready(Ok(found)).boxed()
    }
}

/// Whether a lease has not run out and its owner is not known to be dead.
fn is_living((owner, expires): &(Owner, Instant)) -> bool {
    *expires > Instant::now() && !owner.is_dead()
}

/// What the checkpoint at the index `head` needs.
fn journal(records: &[Record], head: usize) -> Option<Journal> {
    records.get(head).filter(|record| record.kind.is_checkpoint())?;
    let snapshot = records[..=head].iter().rposition(|record| record.kind == RecordKind::Snapshot)?;
    let checkpoints = records[snapshot..=head].iter().filter(|record| record.kind.is_checkpoint()).cloned().collect();
    let position = head as u64 + 1;
    let follows = |record: &&Record| record.parent == position && !record.kind.is_checkpoint();
    let pending = records[head + 1..].iter().filter(follows).cloned().collect();
    Some(Journal { head: position, checkpoints, pending })
}
