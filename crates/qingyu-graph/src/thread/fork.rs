//! Forks: new threads that begin with a checkpoint of another thread and reuse its paid steps.

use futures::FutureExt;
use serde_json::Value;

use super::handle::Thread;
use super::history::ThreadMoment;
use super::snapshot::CheckpointId;
use super::stored::AnyThread;
use crate::any_state::AnyUpdate;
use crate::endpoints::START;
use crate::error::Error;
use crate::journal::{CheckpointChange, Durability, ReplayWeight, Source, StoredStep, ThreadJournalWriter};
use crate::loaded::LoadedThread;
use crate::ready::new_run;
use crate::reuse::ReusableSteps;
use crate::state::{Delta, State};
use crate::store::{CheckpointJournal, RecordKind, ThreadId};
use crate::task_id::TaskId;

/// The number of records fetched at a time.
const PAGE: usize = 256;

impl<S: State> ThreadMoment<S> {
    /// Starts the thread `id` of the same store with this checkpoint, changed by `update`, and returns the new thread.
    /// The same nodes are due; results stored after the checkpoint are not copied. The old thread stays unchanged, and
    /// may be running.
    ///
    /// Subgraphs with memory begin without it. Fails with [`Error::ThreadExists`] if the thread `id` exists already.
    pub async fn fork_to(&self, id: impl Into<ThreadId>, update: S::Update) -> Result<Thread<S>, Error> {
        let (thread, checkpoint) = self.place();
        thread.fork_to(id.into(), checkpoint, AnyUpdate::new(update)).await.map(Thread::of)
    }
}

impl<S: State> Thread<S> {
    /// Returns the results of all steps stored in the thread, as far as `adapt` returns a value, for
    /// [`reusing`](Self::reusing) in a fork; of steps with the same node, key and input, the newest.
    pub async fn stored_steps(&self, adapt: impl Fn(Value) -> Option<Value> + Send) -> Result<ReusableSteps, Error> {
        self.stored.stored_steps(adapt).await
    }
}

impl AnyThread {
    async fn fork_to(&self, id: ThreadId, checkpoint: CheckpointId, update: AnyUpdate) -> Result<Self, Error> {
        let loaded = self.past(checkpoint).await?;
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let fork = Self { id, ..self.clone() };
        let begin = |newest, writer| fork.begin_fork(loaded, update, newest, writer).boxed();
        let (held, ()) = fork.hold(Durability::Sync, |_: CheckpointJournal| Ok(()), begin).await?;
        held.release().await;
        Ok(fork)
    }

    async fn begin_fork(
        &self,
        loaded: LoadedThread,
        update: AnyUpdate,
        newest: Option<()>,
        mut writer: ThreadJournalWriter,
    ) -> Result<(), Error> {
        if newest.is_some() {
            return Err(Error::ThreadExists { thread: self.id.to_string() });
        }
        let mut checkpoint = loaded.checkpoint;
        checkpoint.state = checkpoint.state.fold(vec![(START.into(), update)], None)?;
        (checkpoint.is_breakpoint, checkpoint.run) = (false, new_run());
        checkpoint.memories.clear();
        let graph = &self.graph.blueprint;
        let change = CheckpointChange { source: Source::Fork, delta: Delta::default(), graph, whole: true };
        writer.checkpoint(&checkpoint, change, &mut ReplayWeight::default(), Vec::new()).await
    }

    async fn stored_steps(&self, adapt: impl Fn(Value) -> Option<Value> + Send) -> Result<ReusableSteps, Error> {
        let mut steps = ReusableSteps::default();
        let mut after = 0;
        loop {
            let page = self.store.records(&self.id, after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(steps) };
            after = *last;
            for (_, record) in page.iter().filter(|(_, record)| record.kind == RecordKind::Step) {
                let StoredStep { fingerprint, result } = StoredStep::read(record)?;
                if let (Ok(task), Some(result)) = (TaskId::try_from(record.task.clone()), adapt(result)) {
                    steps.insert(&task.node, &record.key, &fingerprint, result);
                }
            }
        }
    }
}
