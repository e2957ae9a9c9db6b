//! Maintenance of threads: deleting, copying, pruning.
//!
//! Each operation holds the thread's lease, so a running thread is refused with [`Error::ThreadBusy`].
//! [`Store::threads`] lists all threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::handle::Thread;
use super::stored::AnyThread;
use crate::error::Error;
use crate::journal::CheckpointMark;
use crate::lease::HeldLease;
use crate::state::State;
use crate::store::{JournalRecord, Store, ThreadId, ThreadLease};

/// The number of records fetched at a time.
const PAGE: usize = 256;

impl<S: State> Thread<S> {
    /// Deletes the thread with the whole history; the thread can be started again. A missing thread is no error.
    pub async fn delete(&self) -> Result<(), Error> {
        self.stored.delete().await
    }

    /// Copies the thread with the history, pending results and subgraphs to the thread `id` of `store`, and returns the
    /// copy. The two threads are independent afterwards.
    ///
    /// The copy is atomic; while copying, the whole journal is in memory. The checkpoints have other ids if the thread
    /// was pruned. Fails with [`Error::ThreadExists`] if the thread `id` exists already.
    pub async fn copy_to(&self, store: Arc<dyn Store>, id: impl Into<ThreadId>) -> Result<Self, Error> {
        self.stored.copy_to(store, id.into()).await.map(Self::of)
    }

    /// Removes all records not needed by the newest `keep_newest` checkpoints, of any branch. These checkpoints keep
    /// their ids, their pending results and their subgraphs.
    ///
    /// A few more records may stay: the changes since the last snapshot. The oldest remaining checkpoint may name a
    /// removed parent.
    pub async fn prune(&self, keep_newest: NonZeroUsize) -> Result<(), Error> {
        self.stored.prune(keep_newest).await
    }
}

impl AnyThread {
    async fn delete(&self) -> Result<(), Error> {
        self.holding(async |lease| self.store.delete(lease).await).await
    }

    async fn copy_to(&self, store: Arc<dyn Store>, id: ThreadId) -> Result<Self, Error> {
        let copy = Self { store, id, ..self.clone() };
        copy.holding(async |lease| {
            if !copy.store.records(&copy.id, 0, 1).await?.is_empty() {
                return Err(Error::ThreadExists { thread: copy.id.to_string() });
            }
            let records = self.holding(async |_| self.every_record().await).await?;
            let last = copy.store.append(lease, Vec::new(), Vec::new()).await?;
            copy.store.append(lease, renumbered(records, last + 1), Vec::new()).await
        })
        .await?;
        Ok(copy)
    }

    async fn prune(&self, keep_newest: NonZeroUsize) -> Result<(), Error> {
        self.holding(async |lease| {
            let newest = self.store.checkpoints(&self.id, "", u64::MAX, keep_newest.get()).await?;
            let (oldest, _) = newest.last().ok_or_else(|| self.no_thread())?;
            let cut = self.snapshot_before(*oldest).await?;
            let keep = self.scopes_since(cut).await?;
            self.store.prune(lease, cut, &keep).await
        })
        .await
    }

    /// Acquires the lease for `work` and releases the lease afterwards, also on an error.
    async fn holding<T>(&self, work: impl AsyncFnOnce(&ThreadLease) -> Result<T, Error>) -> Result<T, Error> {
        let held = HeldLease::acquire(Arc::clone(&self.store), &self.id, self.settings.lease).await?;
        let done = work(&held.lease()).await;
        held.release().await;
        done
    }

    async fn every_record(&self) -> Result<Vec<(u64, JournalRecord)>, Error> {
        if self.store.newest(&self.id, "").await?.is_none() {
            return Err(self.no_thread());
        }
        self.store.records(&self.id, 0, usize::MAX).await
    }

    /// Returns the position of a checkpoint's snapshot.
    async fn snapshot_before(&self, checkpoint: u64) -> Result<u64, Error> {
        let journal = self.store.at(&self.id, checkpoint).await?.ok_or_else(|| self.no_checkpoint(checkpoint))?;
        let needed = self.store.checkpoints(&self.id, "", checkpoint + 1, journal.checkpoints.len()).await?;
        needed.last().map(|(position, _)| *position).ok_or_else(|| self.no_checkpoint(checkpoint))
    }

    /// Returns the scopes needed by the records from `cut` on.
    async fn scopes_since(&self, cut: u64) -> Result<BTreeSet<String>, Error> {
        let mut scopes = BTreeSet::new();
        let mut after = cut - 1;
        loop {
            let page = self.store.records(&self.id, after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(scopes) };
            after = *last;
            for (_, record) in &page {
                scopes.extend(scopes_needed(record)?);
            }
        }
    }

    fn no_thread(&self) -> Error {
        Error::NoSuchThread { thread: self.id.to_string() }
    }
}

/// Returns the scopes that must be kept whole for `record`: its own, except the graph's scope, and the calls remembered
/// by the checkpoint.
fn scopes_needed(record: &JournalRecord) -> Result<BTreeSet<String>, Error> {
    let own = Some(record.scope.clone()).filter(|scope| !scope.is_empty());
    let remembered = if record.kind.is_checkpoint() { CheckpointMark::read(record)?.memories } else { BTreeMap::new() };
    Ok(own.into_iter().chain(remembered.into_values()).collect())
}

/// Returns the records renumbered from the position `first`. The parent of a record is 0 if the parent was removed.
fn renumbered(records: Vec<(u64, JournalRecord)>, first: u64) -> Vec<JournalRecord> {
    let places: HashMap<_, _> = records.iter().map(|(position, _)| *position).zip(first..).collect();
    let placed = |parent| places.get(&parent).copied().unwrap_or_default();
    records.into_iter().map(|(_, record)| JournalRecord { parent: placed(record.parent), ..record }).collect()
}
