//! A store with hooks for tests.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use crate::store::{CheckpointJournal, JournalRecord, Owner, ThreadLease};
use crate::{Error, JoinedWrite, Store, ThreadId};

/// A wrapper of a store with hooks, where a test can observe, wait or fail.
///
/// Calls without a hook go straight to the store. Hooks are called in the order of the calls; the future returned by a
/// hook is awaited before the store is called, so a test can delay a commit.
///
/// ```
/// use std::sync::Arc;
/// use futures::future::ready;
/// use qingyu_graph::{Error, store::MemoryStore, testing::InterposedStore};
///
/// let full = InterposedStore::new(Arc::new(MemoryStore::new()))
///     .before_append(|_| ready(Err(Error::Broken { reason: "the disk is full".to_owned() })));
/// ```
pub struct InterposedStore {
    store: Arc<dyn Store>,
    owner: Option<Owner>,
    before_append: Hook<[JournalRecord]>,
    before_renew: Hook<ThreadLease>,
}

type Hook<T> = Box<dyn Fn(&T) -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

impl InterposedStore {
    /// Wraps `store` without hooks.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, owner: None, before_append: transparent(), before_renew: transparent() }
    }

    /// Calls `hook` with the records of every append; on an error nothing is stored and the append returns the error.
    #[must_use]
    pub fn before_append<F>(mut self, hook: impl Fn(&[JournalRecord]) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.before_append = Box::new(move |records| hook(records).boxed());
        self
    }

    /// Calls `hook` with the lease of every renewal; on an error the lease is not renewed.
    #[must_use]
    pub fn before_renew<F>(mut self, hook: impl Fn(&ThreadLease) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.before_renew = Box::new(move |lease| hook(lease).boxed());
        self
    }

    /// Acquires every lease for `owner`, whatever owner the caller passes.
    #[must_use]
    pub fn owned_by(mut self, owner: Owner) -> Self {
        self.owner = Some(owner);
        self
    }
}

impl Store for InterposedStore {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>> {
        self.store.acquire(thread, self.owner.as_ref().unwrap_or(owner), duration)
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        self.store.holder(thread)
    }

    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let allowed = (self.before_renew)(lease);
        async move {
            allowed.await?;
            self.store.renew(lease, duration).await
        }
        .boxed()
    }

    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        self.store.release(lease)
    }

    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let allowed = (self.before_append)(&records);
        async move {
            allowed.await?;
            self.store.append(lease, records, joined).await
        }
        .boxed()
    }

    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        self.store.newest(thread, scope)
    }

    fn at<'a>(
        &'a self,
        thread: &'a ThreadId,
        position: u64,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        self.store.at(thread, position)
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        self.store.checkpoints(thread, scope, before, limit)
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        self.store.records(thread, after, limit)
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        self.store.threads(after, limit)
    }

    fn prune<'a>(
        &'a self,
        lease: &'a ThreadLease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        self.store.prune(lease, before, keep)
    }

    fn delete<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        self.store.delete(lease)
    }
}

impl fmt::Debug for InterposedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Interposed").field("store", &self.store).finish_non_exhaustive()
    }
}

fn transparent<T: ?Sized>() -> Hook<T> {
    Box::new(|_| ready(Ok(())).boxed())
}
