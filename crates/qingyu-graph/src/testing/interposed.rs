//! A store with a test in between.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use crate::store::{Journal, Lease, Owner, Record};
use crate::{Error, JoinedWrite, Store, ThreadId};

/// Another store, before whose work a test may look, wait or fail.
///
/// What nobody has asked to see goes straight through. Hooks are called in the order of the calls; the future that one
/// returns is waited for before the store is asked, so a test can hold a commit back.
///
/// ```
/// use std::sync::Arc;
/// use futures::future::ready;
/// use qingyu_graph::{Error, store::MemoryStore, testing::Interposed};
///
/// let full = Interposed::new(Arc::new(MemoryStore::new()))
///     .before_append(|_| ready(Err(Error::Broken { reason: "the disk is full".to_owned() })));
/// ```
pub struct Interposed {
    store: Arc<dyn Store>,
    owner: Option<Owner>,
    before_append: Hook<[Record]>,
    before_renew: Hook<Lease>,
}

type Hook<T> = Box<dyn Fn(&T) -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

impl Interposed {
    /// Lets everything through to `store`.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, owner: None, before_append: transparent(), before_renew: transparent() }
    }

    /// Calls `hook` with the records of every append; if it fails, nothing is stored and the append fails so.
    #[must_use]
    pub fn before_append<F>(mut self, hook: impl Fn(&[Record]) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.before_append = Box::new(move |records| hook(records).boxed());
        self
    }

    /// Calls `hook` with the lease of every renewal; if it fails, the lease is not renewed.
    #[must_use]
    pub fn before_renew<F>(mut self, hook: impl Fn(&Lease) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.before_renew = Box::new(move |lease| hook(lease).boxed());
        self
    }

    /// Takes every lease for `owner`, whoever asks.
    #[must_use]
    pub fn owned_by(mut self, owner: Owner) -> Self {
        self.owner = Some(owner);
        self
    }
}

impl Store for Interposed {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<Lease, Error>> {
        self.store.acquire(thread, self.owner.as_ref().unwrap_or(owner), duration)
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        self.store.holder(thread)
    }

    fn renew<'a>(&'a self, lease: &'a Lease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let allowed = (self.before_renew)(lease);
        async move {
            allowed.await?;
            self.store.renew(lease, duration).await
        }
        .boxed()
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
        self.store.release(lease)
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let allowed = (self.before_append)(&records);
        async move {
            allowed.await?;
            self.store.append(lease, records, joined).await
        }
        .boxed()
    }

    fn newest<'a>(&'a self, thread: &'a ThreadId, scope: &'a str) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        self.store.newest(thread, scope)
    }

    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        self.store.at(thread, position)
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        self.store.checkpoints(thread, scope, before, limit)
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        self.store.records(thread, after, limit)
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        self.store.threads(after, limit)
    }

    fn prune<'a>(
        &'a self,
        lease: &'a Lease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        self.store.prune(lease, before, keep)
    }

    fn delete<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
        self.store.delete(lease)
    }
}

impl fmt::Debug for Interposed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Interposed").field("store", &self.store).finish_non_exhaustive()
    }
}

fn transparent<T: ?Sized>() -> Hook<T> {
    Box::new(|_| ready(Ok(())).boxed())
}
