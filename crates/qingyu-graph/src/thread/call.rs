//! Looking at the calls of subgraphs.

use std::marker::PhantomData;
use std::sync::Arc;

use super::history::{Moment, Page, Past, history};
use super::{CheckpointId, Snapshot, Thread};
use crate::journal::{Caller, Loaded, Rebuilt, path_of};
use crate::{Error, State, Store, ThreadId};

/// One call of a subgraph in the history of a thread; `C` is the subgraph's state.
#[derive(Debug, Clone)]
pub struct Call<C> {
    store: Arc<dyn Store>,
    thread: ThreadId,
    scope: String,
    state: PhantomData<fn() -> C>,
}

impl<S: State> Thread<S> {
    /// The call at `path` that the newest superstep has made, finished or not: `write`, `write#1/polish`. `None` if there
    /// is none.
    ///
    /// The path is that of [`crate::Event`] and [`crate::Question`] without its last part; a [`crate::Context::call`]
    /// with a key is `node|key`.
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        find(&self.store, self.id(), "", path).await
    }
}

impl<S: State> Moment<S> {
    /// The call at `path` that was made in the superstep after this checkpoint; as in [`Thread::call`].
    pub async fn call<C: State>(&self, path: &str) -> Result<Option<Call<C>>, Error> {
        let (thread, position) = self.place();
        let Some(journal) = thread.store.at(&thread.id, position).await? else { return Ok(None) };
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        walk(&thread.store, &thread.id, scope, &Rebuilt::from(&journal.checkpoints)?, path).await
    }
}

impl<C: State> Call<C> {
    /// The call as it stands.
    pub async fn snapshot(&self) -> Result<Snapshot<C>, Error> {
        let journal = self.store.newest(&self.thread, &self.scope).await?;
        journal.ok_or_else(|| self.gone()).and_then(|journal| Ok(Snapshot::of(Loaded::read_plainly(journal)?)))
    }

    /// Its checkpoints, newest first. [`Thread::at`] goes on from any of them.
    pub async fn history(&self, page: Page) -> Result<Vec<Past<C>>, Error> {
        history(&*self.store, &self.thread, &self.scope, page, None).await
    }

    /// The call as it stood at one of its checkpoints.
    pub async fn at(&self, checkpoint: CheckpointId) -> Result<Snapshot<C>, Error> {
        let journal = self.store.at(&self.thread, checkpoint.0).await?;
        let own = journal.filter(|journal| journal.checkpoints.iter().all(|record| record.scope == self.scope));
        let journal =
            own.ok_or_else(|| Error::NoSuchCheckpoint { thread: self.thread.to_string(), checkpoint: checkpoint.0 })?;
        Ok(Snapshot::of(Loaded::read_plainly(journal)?))
    }

    /// A call that this one has made in its newest superstep; as in [`Thread::call`].
    pub async fn call<D: State>(&self, path: &str) -> Result<Option<Call<D>>, Error> {
        find(&self.store, &self.thread, &self.scope, path).await
    }

    /// The task that made the call, through the calls that lead to it.
    pub fn path(&self) -> &str {
        path_of(&self.scope)
    }

    fn gone(&self) -> Error {
        Error::Corrupt { reason: format!("the call {} is gone", self.path()) }
    }
}

async fn find<C>(store: &Arc<dyn Store>, thread: &ThreadId, scope: &str, path: &str) -> Result<Option<Call<C>>, Error> {
    let Some(journal) = store.newest(thread, scope).await? else { return Ok(None) };
    walk(store, thread, scope, &Rebuilt::from(&journal.checkpoints)?, path).await
}

/// Follows `path` from a checkpoint of `scope`.
async fn walk<C>(
    store: &Arc<dyn Store>,
    thread: &ThreadId,
    scope: &str,
    from: &Rebuilt,
    path: &str,
) -> Result<Option<Call<C>>, Error> {
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    let Some(caller) = Caller::named(first, scope, from) else { return Ok(None) };
    let mut scope = caller.scope_of_call();
    for part in parts {
        let Some(journal) = store.newest(thread, &scope).await? else { return Ok(None) };
        let Some(caller) = Caller::named(part, &scope, &Rebuilt::from(&journal.checkpoints)?) else { return Ok(None) };
        scope = caller.scope_of_call();
    }
    let exists = store.newest(thread, &scope).await?.is_some();
    Ok(exists.then(|| Call { store: Arc::clone(store), thread: thread.clone(), scope, state: PhantomData }))
}
