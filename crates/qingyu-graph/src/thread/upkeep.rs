//! Looking after threads: deleting, copying, pruning.
//!
//! Each of these holds the thread's lease while it works, so a thread that somebody runs is refused with
//! [`Error::ThreadBusy`]. [`Store::threads`] lists the threads that there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::Thread;
use crate::journal::Mark;
use crate::lease::Held;
use crate::store::{Lease, Record};
use crate::{Error, State, Store, ThreadId};

/// How many records are looked at together.
const PAGE: usize = 256;

impl<S: State> Thread<S> {
    /// Removes the thread with its whole history; it can be started anew. One that does not exist is left so.
    pub async fn delete(&self) -> Result<(), Error> {
        self.holding(async |lease| self.store.delete(lease).await).await
    }

    /// Copies the thread with its history, what is under way and its subgraphs to the thread `id` of `store`, and returns
    /// that one. The two then go on independently of each other.
    ///
    /// The copy is there as a whole or not at all; while it is made, its whole journal is in memory. Its checkpoints have
    /// other ids if the thread was pruned. Fails with [`Error::ThreadExists`] if there is such a thread already.
    pub async fn copy_to(&self, store: Arc<dyn Store>, id: impl Into<ThreadId>) -> Result<Self, Error> {
        let copy = Self { store, id: id.into(), ..self.clone() };
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

    /// Removes what none of the newest `keep_newest` checkpoints needs, on whichever branches they are. Those keep their
    /// ids, what is under way at them, and their subgraphs.
    ///
    /// Somewhat more may stay: what has changed since the last whole state that was stored. The oldest of what stays may
    /// name a parent that is gone.
    pub async fn prune(&self, keep_newest: NonZeroUsize) -> Result<(), Error> {
        self.holding(async |lease| {
            let newest = self.store.checkpoints(&self.id, "", u64::MAX, keep_newest.get()).await?;
            let (oldest, _) = newest.last().ok_or_else(|| self.no_thread())?;
            let cut = self.snapshot_before(*oldest).await?;
            let keep = self.scopes_since(cut).await?;
            self.store.prune(lease, cut, &keep).await
        })
        .await
    }

    /// Takes the lease for `work` and gives it back, however that ends.
    async fn holding<T>(&self, work: impl AsyncFnOnce(&Lease) -> Result<T, Error>) -> Result<T, Error> {
        let held = Held::acquire(Arc::clone(&self.store), &self.id, self.settings.lease).await?;
        let done = work(&held.lease()).await;
        held.release().await;
        done
    }

    async fn every_record(&self) -> Result<Vec<(u64, Record)>, Error> {
        if self.store.newest(&self.id, "").await?.is_none() {
            return Err(self.no_thread());
        }
        self.store.records(&self.id, 0, usize::MAX).await
    }

    /// Where the snapshot stands that a checkpoint builds on.
    async fn snapshot_before(&self, checkpoint: u64) -> Result<u64, Error> {
        let journal = self.store.at(&self.id, checkpoint).await?.ok_or_else(|| self.no_checkpoint(checkpoint))?;
        let needed = self.store.checkpoints(&self.id, "", checkpoint + 1, journal.checkpoints.len()).await?;
        needed.last().map(|(position, _)| *position).ok_or_else(|| self.no_checkpoint(checkpoint))
    }

    /// The scopes that the records from `cut` on need.
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

/// The scopes that must stay whole because `record` stays: its own, unless that is the graph itself, and the calls of
/// subgraphs that it remembers.
fn scopes_needed(record: &Record) -> Result<BTreeSet<String>, Error> {
    let own = Some(record.scope.clone()).filter(|scope| !scope.is_empty());
    let remembered = if record.kind.is_checkpoint() { Mark::read(record)?.memories } else { BTreeMap::new() };
    Ok(own.into_iter().chain(remembered.into_values()).collect())
}

/// The same records one after another from the position `first` on. What builds on something that is gone builds on
/// nothing.
fn renumbered(records: Vec<(u64, Record)>, first: u64) -> Vec<Record> {
    let places: HashMap<_, _> = records.iter().map(|(position, _)| *position).zip(first..).collect();
    let placed = |parent| places.get(&parent).copied().unwrap_or_default();
    records.into_iter().map(|(_, record)| Record { parent: placed(record.parent), ..record }).collect()
}
