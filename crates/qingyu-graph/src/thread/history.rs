//! The history of a thread: reading, resuming and changing the past.
//!
//! Stored records are never rewritten. Resuming from a checkpoint of the past, or changing the state there, starts a
//! new branch of the history with a copy of the checkpoint; the old branch stays readable by its ids.

use std::sync::Arc;

use futures::FutureExt;
use jiff::Timestamp;
use serde::Serialize;

use super::handle::Thread;
use super::snapshot::{CheckpointId, Snapshot};
use super::stored::AnyThread;
use crate::any_state::{AnyState, AnyUpdate, StateType};
use crate::call_path::path_of;
use crate::command::NodeOutput;
use crate::compiled::CompiledParts;
use crate::endpoints::START;
use crate::error::Error;
use crate::journal::{
    CallSite, CheckpointChange, CheckpointMark, Durability, PendingSuperstep, RebuiltCheckpoint, Source,
    ThreadJournalWriter,
};
use crate::loaded::LoadedThread;
use crate::migration::{GraphMigrations, migrate};
use crate::ready::{ReadyThread, new_run};
use crate::run::{GraphRun, SpawnedRun};
use crate::state::{Delta, State};
use crate::store::{CheckpointJournal, JournalRecord, Store, ThreadId};
use crate::superstep::{Checkpoint, FinishedTasks, apply};
use crate::task_id::TaskId;

/// A checkpoint in [`Thread::history`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PastCheckpoint<S> {
    /// The id, for [`Thread::at`].
    pub id: CheckpointId,
    /// The parent checkpoint; `None` for the first.
    pub parent: Option<CheckpointId>,
    /// The branch of the history, numbered from 0 in the order of creation.
    pub branch: u64,
    /// The origin of the checkpoint.
    pub source: Source,
    /// The id of the run, or of the change by hand.
    pub run: String,
    /// The superstep; −1 after the first input.
    pub superstep: i64,
    /// The time of the commit; `None` in threads of earlier releases.
    pub at: Option<Timestamp>,
    /// The state.
    pub state: S,
    /// The nodes that run next.
    pub next: Vec<String>,
}

/// A page of a history; the whole history by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Page {
    /// Only checkpoints older than this one.
    pub before: Option<CheckpointId>,
    /// The maximum number of checkpoints; unlimited by default.
    pub limit: Option<usize>,
}

/// A thread at one checkpoint of its history.
#[derive(Debug, Clone)]
pub struct ThreadMoment<S: State> {
    thread: Thread<S>,
    checkpoint: CheckpointId,
}

impl<S: State> Thread<S> {
    /// Returns the checkpoints of all branches, newest first; empty if the thread was never started.
    pub async fn history(&self, page: Page) -> Result<Vec<PastCheckpoint<S>>, Error> {
        self.stored.history(page).await.map(typed_history)
    }

    /// Returns the thread at a checkpoint of its history. The existence of the checkpoint is not validated until used.
    pub fn at(&self, checkpoint: CheckpointId) -> ThreadMoment<S> {
        ThreadMoment { thread: self.clone(), checkpoint }
    }

    /// Changes the newest state by hand and returns the new checkpoint.
    ///
    /// Without `as_node` the same nodes are still due: finished nodes keep their results, the others see the new state,
    /// and their questions are asked again. With `as_node` the update counts as the node's own: the node's successors
    /// are due, and nothing else.
    pub async fn update_state(&self, update: S::Update, as_node: Option<&str>) -> Result<CheckpointId, Error> {
        self.stored.change(None, AnyUpdate::new(update), as_node).await
    }
}

impl<S: State> ThreadMoment<S> {
    pub(super) fn place(&self) -> (&AnyThread, CheckpointId) {
        (&self.thread.stored, self.checkpoint)
    }

    /// Returns the thread at the checkpoint, with the results stored before the next checkpoint.
    pub async fn snapshot(&self) -> Result<Snapshot<S>, Error> {
        let (thread, checkpoint) = self.place();
        Ok(Snapshot::of(thread.past(checkpoint).await?).typed())
    }

    /// Resumes from the checkpoint on a new branch. The due nodes run again: steps are executed and questions asked
    /// again.
    ///
    /// The checkpoint may belong to a subgraph call, from `Call::history`: then the thread resumes from the
    /// checkpoint before the call, and the call from this checkpoint.
    pub async fn resume(&self) -> Result<GraphRun<S>, Error> {
        let (thread, checkpoint) = self.place();
        thread.resume_at(checkpoint).await.map(GraphRun::of)
    }

    /// Changes the state at the checkpoint by hand, on a new branch; `as_node` as in [`Thread::update_state`], except
    /// that nothing counts as finished. [`Thread::resume`] then continues from the new checkpoint.
    pub async fn update_state(&self, update: S::Update, as_node: Option<&str>) -> Result<CheckpointId, Error> {
        let (thread, checkpoint) = self.place();
        thread.change(Some(checkpoint), AnyUpdate::new(update), as_node).await
    }
}

impl AnyThread {
    async fn history(&self, page: Page) -> Result<Vec<PastCheckpoint<AnyState>>, Error> {
        let CompiledParts { state, migrations, .. } = &*self.graph;
        history(&*self.store, &self.id, "", page, *state, migrations).await
    }

    async fn change(
        &self,
        past: Option<CheckpointId>,
        update: AnyUpdate,
        as_node: Option<&str>,
    ) -> Result<CheckpointId, Error> {
        let as_node = as_node.map(Arc::from);
        let read = |journal| LoadedThread::read(journal, &self.graph);
        let (held, checkpoint) = self
            .hold(Durability::Sync, read, |newest, writer| {
                self.change_held(past, update, as_node, newest, writer).boxed()
            })
            .await?;
        held.release().await;
        Ok(checkpoint)
    }

    async fn change_held(
        &self,
        past: Option<CheckpointId>,
        update: AnyUpdate,
        as_node: Option<Arc<str>>,
        newest: Option<LoadedThread>,
        mut writer: ThreadJournalWriter,
    ) -> Result<CheckpointId, Error> {
        let mut loaded = newest.ok_or_else(|| Error::NoSuchThread { thread: self.id.to_string() })?;
        if let Some(past) = past {
            loaded = self.past(past).await?.forked(loaded.branch, &mut writer);
        }
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let graph = &self.graph.blueprint;
        let whole = past.is_some() || loaded.graph != *graph;
        let LoadedThread { checkpoint, pending, mut weight, .. } = loaded;
        let mut delta = Delta::default();
        let (mut checkpoint, kept) = match as_node {
            Some(node) => (self.written_by(node, checkpoint, update, &mut delta)?, FinishedTasks::default()),
            None => (written(checkpoint, update, &mut delta)?, pending.finished),
        };
        // The caller has seen the state, so the next run need not stop.
        checkpoint.is_breakpoint = false;
        checkpoint.run = new_run();
        let change = CheckpointChange { source: Source::Update, delta, graph, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        let kept = kept.0.iter().map(|(task, writes)| writer.writes(task, writes));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        if !kept.is_empty() {
            writer.append(kept, Vec::new()).await?;
        }
        writer.finish(&checkpoint, graph).await.map(CheckpointId)
    }

    /// Returns the checkpoint after an update in the name of a node.
    fn written_by(
        &self,
        node: Arc<str>,
        checkpoint: Checkpoint,
        update: AnyUpdate,
        delta: &mut Delta,
    ) -> Result<Checkpoint, Error> {
        let graph = &self.graph;
        if !graph.topology.index.contains_key(&node) {
            return Err(Error::NoSuchNode { node: node.to_string() });
        }
        let writes = graph.resolve(&node, NodeOutput { update, ..NodeOutput::default() })?;
        let task = TaskId { node, index: None };
        let checkpoint = Checkpoint { next: vec![task.clone()], ..checkpoint };
        let finished = FinishedTasks([(task, writes)].into());
        apply(checkpoint, &graph.topology, finished, Some(delta), |node, state| graph.choose(node, state))
    }

    /// Returns the thread as loaded at a checkpoint of its history.
    pub(super) async fn past(&self, CheckpointId(position): CheckpointId) -> Result<LoadedThread, Error> {
        let journal = self.journal_at(position).await?;
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        if scope.is_empty() {
            return LoadedThread::read(journal, &self.graph);
        }
        let (thread, path) = (self.id.to_string(), path_of(scope).to_owned());
        Err(Error::CheckpointOfCall { thread, checkpoint: position, path })
    }

    async fn journal_at(&self, position: u64) -> Result<CheckpointJournal, Error> {
        self.store.at(&self.id, position).await?.ok_or_else(|| self.no_checkpoint(position))
    }

    pub(super) fn no_checkpoint(&self, checkpoint: u64) -> Error {
        Error::NoSuchCheckpoint { thread: self.id.to_string(), checkpoint }
    }

    async fn resume_at(&self, checkpoint: CheckpointId) -> Result<SpawnedRun, Error> {
        // An unreadable newest checkpoint does not block earlier checkpoints.
        let branch = |newest: CheckpointJournal| Ok(newest.branch());
        let replay = |newest, writer| self.replay(checkpoint, newest, writer).boxed();
        let (held, ready) = self.hold(self.settings.durability, branch, replay).await?;
        Ok(self.spawn(held, ready))
    }

    async fn replay(
        &self,
        checkpoint: CheckpointId,
        newest_branch: Option<u64>,
        mut writer: ThreadJournalWriter,
    ) -> Result<ReadyThread, Error> {
        let newest_branch = newest_branch.ok_or_else(|| Error::NoSuchThread { thread: self.id.to_string() })?;
        let (loaded, calls) = self.with_calls(checkpoint).await?;
        let loaded = loaded.forked(newest_branch, &mut writer);
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let LoadedThread { mut checkpoint, pending, mut weight, .. } = loaded;
        let run = new_run();
        checkpoint.is_breakpoint = false;
        checkpoint.run = Arc::clone(&run);
        let graph = &self.graph.blueprint;
        let change = CheckpointChange { source: Source::Fork, delta: Delta::default(), graph, whole: true };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        let mut scope = String::new();
        for (caller, call) in calls {
            let caller = CallSite { scope, run: run.to_string(), ..caller };
            scope = caller.scope_of_call();
            writer.of_call(&scope, caller).copy(call, &run).await?;
        }
        Ok(ReadyThread { run, checkpoint, pending, weight, writer: Some(writer) })
    }

    /// Returns the graph's own checkpoint and, from the outside in, the calls that lead to the checkpoint.
    async fn with_calls(
        &self,
        CheckpointId(position): CheckpointId,
    ) -> Result<(LoadedThread, Vec<(CallSite, RebuiltCheckpoint)>), Error> {
        let mut journal = self.journal_at(position).await?;
        let mut calls = Vec::new();
        loop {
            let rebuilt = RebuiltCheckpoint::from(&journal.checkpoints)?;
            let Some(caller) = rebuilt.caller.clone() else { break };
            journal = self.journal_at(self.position_of(&caller).await?).await?;
            calls.push((caller, rebuilt));
        }
        calls.reverse();
        Ok((LoadedThread::read(journal, &self.graph)?, calls))
    }

    /// Returns the position of the checkpoint from which a call was made.
    async fn position_of(&self, caller: &CallSite) -> Result<u64, Error> {
        const PAGE: usize = 16;
        let mut before = u64::MAX;
        loop {
            let page = self.store.checkpoints(&self.id, &caller.scope, before, PAGE).await?;
            for (position, record) in &page {
                if CheckpointMark::read(record)?.superstep == caller.superstep {
                    let mark = RebuiltCheckpoint::from(&self.journal_at(*position).await?.checkpoints)?.mark;
                    if *mark.run == *caller.run {
                        return Ok(*position);
                    }
                }
            }
            before = page.last().map(|(position, _)| *position).ok_or_else(|| Error::Corrupt {
                reason: format!("the checkpoint that {} was called from is gone", caller.task),
            })?;
        }
    }
}

impl LoadedThread {
    /// Makes `writer` start a new branch. Pending results stay on the old branch.
    fn forked(self, newest_branch: u64, writer: &mut ThreadJournalWriter) -> Self {
        writer.build_on(self.head, newest_branch + 1);
        Self { pending: PendingSuperstep::default(), ..self }
    }
}

/// Returns the checkpoints of one scope, newest first.
pub(super) async fn history(
    store: &dyn Store,
    thread: &ThreadId,
    scope: &str,
    page: Page,
    state: StateType,
    migrations: &GraphMigrations,
) -> Result<Vec<PastCheckpoint<AnyState>>, Error> {
    let before = page.before.map_or(u64::MAX, |checkpoint| checkpoint.0);
    let mut records = store.checkpoints(thread, scope, before, page.limit.unwrap_or(usize::MAX)).await?;
    let Some((oldest, oldest_record)) = records.pop() else { return Ok(Vec::new()) };
    let gone = || Error::NoSuchCheckpoint { thread: thread.to_string(), checkpoint: oldest };
    let journal = store.at(thread, oldest).await?.ok_or_else(gone)?;
    let mut rebuilt = RebuiltCheckpoint::from(&journal.checkpoints)?;
    let past = |position, record: &JournalRecord, rebuilt: &RebuiltCheckpoint| {
        let mut rebuilt = rebuilt.clone();
        migrate(&migrations.way(&rebuilt.graph), &mut rebuilt)?;
        PastCheckpoint::of(position, record, rebuilt, state)
    };
    let mut history = vec![past(oldest, &oldest_record, &rebuilt)?];
    for (position, record) in records.into_iter().rev() {
        rebuilt.advance(&record)?;
        history.push(past(position, &record, &rebuilt)?);
    }
    history.reverse();
    Ok(history)
}

/// Returns a history with states of the graph's type.
pub(super) fn typed_history<S: State>(history: Vec<PastCheckpoint<AnyState>>) -> Vec<PastCheckpoint<S>> {
    history.into_iter().map(PastCheckpoint::typed).collect()
}

impl PastCheckpoint<AnyState> {
    fn of(position: u64, record: &JournalRecord, rebuilt: RebuiltCheckpoint, state: StateType) -> Result<Self, Error> {
        let RebuiltCheckpoint { mark, values, .. } = rebuilt;
        Ok(Self {
            id: CheckpointId(position),
            parent: (record.parent > 0).then_some(CheckpointId(record.parent)),
            branch: record.branch,
            source: mark.source,
            run: mark.run.to_string(),
            superstep: mark.superstep,
            at: mark.at.and_then(|at| Timestamp::from_millisecond(at).ok()),
            state: (state.decode)(values)?,
            next: mark.next.iter().map(ToString::to_string).collect(),
        })
    }

    fn typed<S: State>(self) -> PastCheckpoint<S> {
        let Self { id, parent, branch, source, run, superstep, at, state, next } = self;
        PastCheckpoint { id, parent, branch, source, run, superstep, at, state: state.owned(), next }
    }
}

/// Returns the checkpoint with `update` applied to the state and the same nodes due.
fn written(mut checkpoint: Checkpoint, update: AnyUpdate, delta: &mut Delta) -> Result<Checkpoint, Error> {
    checkpoint.state = checkpoint.state.fold(vec![(START.into(), update)], Some(delta))?;
    checkpoint.superstep += 1;
    Ok(checkpoint)
}
