//! Reading subgraph calls.

use std::marker::PhantomData;
use std::sync::Arc;

use super::handle::Thread;
use super::history::{Page, PastCheckpoint, ThreadMoment, history};
use super::snapshot::{CheckpointId, Snapshot};
use crate::call_path::path_of;
use crate::error::Error;
use crate::journal::RebuiltCheckpoint;
use crate::loaded::LoadedThread;
use crate::state::State;
use crate::store::{Store, ThreadId};

/// One call of a subgraph in the history of a thread; `C` is the subgraph's state.
#[derive(Debug, Clone)]
pub struct Call<C> {
    store: Arc<dyn Store>,
    thread: ThreadId,
    scope: String,
    state: PhantomData<fn() -> C>,
}

impl<S: State> Thread<S> {
    /// Returns the call at `path` in the newest superstep, finished or not: `write`, `write#1/polish`. `None` if there
    /// is no such call.
    ///
    /// The path is the path of [`crate::RunEvent`] and [`crate::Question`] without the last segment; a
    /// [`crate::Context::call`] with a key is `node|key`.
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        find(&self.store, self.id(), "", path).await
    }
}

impl<S: State> ThreadMoment<S> {
    /// Returns the call at `path` in the superstep after the checkpoint; as in [`Thread::call`].
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        let (thread, position) = self.place();
        let Some(journal) = thread.store.at(&thread.id, position).await? else { return Ok(None) };
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        walk(&thread.store, &thread.id, scope, &RebuiltCheckpoint::from(&journal.checkpoints)?, path).await
    }
}

impl<C: State> Call<C> {
    /// Returns the stored state of the call.
    pub async fn snapshot(&self) -> Result<Snapshot<C>, Error> {
        let journal = self.store.newest(&self.thread, &self.scope).await?;
        journal.ok_or_else(|| self.gone()).and_then(|journal| Ok(Snapshot::of(LoadedThread::read_plainly(journal)?)))
    }

    /// Returns the call's checkpoints, newest first. [`Thread::at`] continues from any of them.
    pub async fn history(&self, page: Page) -> Result<Vec<PastCheckpoint<C>>, Error> {
        history(&*self.store, &self.thread, &self.scope, page, None).await
    }

    /// Returns the call at a checkpoint of the call.
    pub async fn at(&self, checkpoint: CheckpointId) -> Result<Snapshot<C>, Error> {
        let journal = self.store.at(&self.thread, checkpoint.0).await?;
        let own = journal.filter(|journal| journal.checkpoints.iter().all(|record| record.scope == self.scope));
        let journal =
            own.ok_or_else(|| Error::NoSuchCheckpoint { thread: self.thread.to_string(), checkpoint: checkpoint.0 })?;
        Ok(Snapshot::of(LoadedThread::read_plainly(journal)?))
    }

    /// Returns a nested call of the call's newest superstep; as in [`Thread::call`].
    pub async fn call<D: State>(&self, path: &str) -> Result<Option<Call<D>>, Error> {
        find(&self.store, &self.thread, &self.scope, path).await
    }

    /// Returns the path of the calling task.
    pub fn path(&self) -> &str {
        path_of(&self.scope)
    }

    fn gone(&self) -> Error {
        Error::Corrupt { reason: format!("the call {} is gone", self.path()) }
    }
}

async fn find<C>(store: &Arc<dyn Store>, thread: &ThreadId, scope: &str, path: &str) -> Result<Option<Call<C>>, Error> {
    let Some(journal) = store.newest(thread, scope).await? else { return Ok(None) };
    walk(store, thread, scope, &RebuiltCheckpoint::from(&journal.checkpoints)?, path).await
}

/// Follows `path` from a checkpoint of `scope`.
async fn walk<C>(
    store: &Arc<dyn Store>,
    thread: &ThreadId,
    scope: &str,
    from: &RebuiltCheckpoint,
    path: &str,
) -> Result<Option<Call<C>>, Error> {
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    let Some(caller) = from.named_caller(first, scope) else { return Ok(None) };
    let mut scope = caller.scope_of_call();
    for part in parts {
        let Some(journal) = store.newest(thread, &scope).await? else { return Ok(None) };
        let rebuilt = RebuiltCheckpoint::from(&journal.checkpoints)?;
        let Some(caller) = rebuilt.named_caller(part, &scope) else { return Ok(None) };
        scope = caller.scope_of_call();
    }
    let exists = store.newest(thread, &scope).await?.is_some();
    Ok(exists.then(|| Call { store: Arc::clone(store), thread: thread.clone(), scope, state: PhantomData }))
}
