//! Reading subgraph calls.

use std::marker::PhantomData;
use std::sync::Arc;

use super::handle::Thread;
use super::history::{Page, PastCheckpoint, ThreadMoment, history, typed_history};
use super::snapshot::{CheckpointId, Snapshot};
use super::stored::AnyThread;
use crate::any_state::{AnyState, StateType};
use crate::call_path::path_of;
use crate::error::Error;
use crate::journal::RebuiltCheckpoint;
use crate::loaded::LoadedThread;
use crate::migration::GraphMigrations;
use crate::state::State;
use crate::store::{Store, ThreadId};

/// One call of a subgraph in the history of a thread; `C` is the subgraph's state.
#[derive(Debug, Clone)]
pub struct Call<C> {
    stored: StoredCall,
    state: PhantomData<fn() -> C>,
}

/// A call in a store, whatever the state of the subgraph.
#[derive(Debug, Clone)]
struct StoredCall {
    store: Arc<dyn Store>,
    thread: ThreadId,
    scope: String,
}

impl<S: State> Thread<S> {
    /// Returns the call at `path` in the newest superstep, finished or not: `write`, `write#1/polish`. `None` if there
    /// is no such call.
    ///
    /// The path is the path of [`crate::RunEvent`] and [`crate::Question`] without the last segment; a
    /// [`crate::Context::call`] with a key is `node|key`.
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        let AnyThread { store, id, .. } = &self.stored;
        Ok(find(store, id, "", path).await?.map(Call::of))
    }
}

impl<S: State> ThreadMoment<S> {
    /// Returns the call at `path` in the superstep after the checkpoint; as in [`Thread::call`].
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        let (thread, checkpoint) = self.place();
        Ok(thread.call_after(checkpoint, path).await?.map(Call::of))
    }
}

impl AnyThread {
    async fn call_after(&self, checkpoint: CheckpointId, path: &str) -> Result<Option<StoredCall>, Error> {
        let Some(journal) = self.store.at(&self.id, checkpoint.0).await? else { return Ok(None) };
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        walk(&self.store, &self.id, scope, &RebuiltCheckpoint::from(&journal.checkpoints)?, path).await
    }
}

impl<C: State> Call<C> {
    fn of(stored: StoredCall) -> Self {
        Self { stored, state: PhantomData }
    }

    /// Returns the stored state of the call.
    pub async fn snapshot(&self) -> Result<Snapshot<C>, Error> {
        self.stored.snapshot(StateType::of::<C>()).await.map(Snapshot::typed)
    }

    /// Returns the call's checkpoints, newest first. [`Thread::at`] continues from any of them.
    pub async fn history(&self, page: Page) -> Result<Vec<PastCheckpoint<C>>, Error> {
        let StoredCall { store, thread, scope } = &self.stored;
        let (state, migrations) = (StateType::of::<C>(), GraphMigrations::default());
        history(&**store, thread, scope, page, state, &migrations).await.map(typed_history)
    }

    /// Returns the call at a checkpoint of the call.
    pub async fn at(&self, checkpoint: CheckpointId) -> Result<Snapshot<C>, Error> {
        self.stored.at(checkpoint, StateType::of::<C>()).await.map(Snapshot::typed)
    }

    /// Returns a nested call of the call's newest superstep; as in [`Thread::call`].
    pub async fn call<D: State>(&self, path: &str) -> Result<Option<Call<D>>, Error> {
        let StoredCall { store, thread, scope } = &self.stored;
        Ok(find(store, thread, scope, path).await?.map(Call::of))
    }

    /// Returns the path of the calling task.
    pub fn path(&self) -> &str {
        self.stored.path()
    }
}

impl StoredCall {
    async fn snapshot(&self, state: StateType) -> Result<Snapshot<AnyState>, Error> {
        let journal = self.store.newest(&self.thread, &self.scope).await?;
        let journal = journal.ok_or_else(|| self.gone())?;
        Ok(Snapshot::of(LoadedThread::read_plainly(journal, state)?))
    }

    async fn at(&self, checkpoint: CheckpointId, state: StateType) -> Result<Snapshot<AnyState>, Error> {
        let journal = self.store.at(&self.thread, checkpoint.0).await?;
        let own = journal.filter(|journal| journal.checkpoints.iter().all(|record| record.scope == self.scope));
        let journal =
            own.ok_or_else(|| Error::NoSuchCheckpoint { thread: self.thread.to_string(), checkpoint: checkpoint.0 })?;
        Ok(Snapshot::of(LoadedThread::read_plainly(journal, state)?))
    }

    fn path(&self) -> &str {
        path_of(&self.scope)
    }

    fn gone(&self) -> Error {
        Error::Corrupt { reason: format!("the call {} is gone", self.path()) }
    }
}

async fn find(store: &Arc<dyn Store>, thread: &ThreadId, scope: &str, path: &str) -> Result<Option<StoredCall>, Error> {
    let Some(journal) = store.newest(thread, scope).await? else { return Ok(None) };
    walk(store, thread, scope, &RebuiltCheckpoint::from(&journal.checkpoints)?, path).await
}

/// Follows `path` from a checkpoint of `scope`.
async fn walk(
    store: &Arc<dyn Store>,
    thread: &ThreadId,
    scope: &str,
    from: &RebuiltCheckpoint,
    path: &str,
) -> Result<Option<StoredCall>, Error> {
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
    Ok(exists.then(|| StoredCall { store: Arc::clone(store), thread: thread.clone(), scope }))
}
