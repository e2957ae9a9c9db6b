//! A store whose process dies: from some moment on nothing is stored any more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use qingyu_graph::store::{Journal, Lease, Owner, Record, RecordKind};
use qingyu_graph::{CheckpointId, Error, JoinedWrite, SharedError, Store, ThreadId};

/// Refuses to append when its time has come.
#[derive(Debug)]
pub(crate) struct Dying {
    store: Arc<dyn Store>,
    left: AtomicUsize,
    /// The tasks whose results have been stored before their superstep was, and do count.
    finished: Mutex<Vec<(CheckpointId, String)>>,
}

impl Dying {
    /// Lives on for ever unless it is told otherwise.
    pub(crate) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { store, left: AtomicUsize::new(usize::MAX), finished: Mutex::default() })
    }

    /// Lives for so many appends from now.
    pub(crate) fn live(&self, appends: usize) {
        self.left.store(appends, Ordering::SeqCst);
    }

    /// The tasks that had finished when the process died in the superstep after a checkpoint.
    pub(crate) fn finished(&self, checkpoint: CheckpointId) -> Vec<String> {
        let finished = self.finished.lock().unwrap();
        finished.iter().filter(|(at, _)| *at == checkpoint).map(|(_, task)| task.clone()).collect()
    }

    fn note(&self, records: &[Record]) {
        let mut finished = self.finished.lock().unwrap();
        for Record { kind, parent, task, .. } in records {
            match kind {
                RecordKind::Writes => finished.push(((*parent).into(), task.clone())),
                RecordKind::Discard => finished.retain(|(at, _)| *at != (*parent).into()),
                _ => {}
            }
        }
    }
}

impl Store for Dying {
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let lives = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match lives {
            Ok(_) => {
                self.note(&records);
                self.store.append(lease, records, joined)
            }
            Err(_) => ready(Err(Error::Store(SharedError::new("the process is gone")))).boxed(),
        }
    }

    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<Lease, Error>> {
        self.store.acquire(thread, owner, duration)
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        self.store.holder(thread)
    }

    fn renew<'a>(&'a self, lease: &'a Lease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        self.store.renew(lease, duration)
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
        self.store.release(lease)
    }

    fn newest<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        self.store.newest(thread)
    }

    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        self.store.at(thread, position)
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        self.store.checkpoints(thread, before, limit)
    }
}
