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
use crate::call_path::path_of;
use crate::command::Command;
use crate::compiled::CompiledParts;
use crate::endpoints::START;
use crate::error::Error;
use crate::journal::{
    CallSite, CheckpointChange, CheckpointMark, Durability, PendingSuperstep, RebuiltCheckpoint, Source,
    ThreadJournalWriter,
};
use crate::loaded::LoadedThread;
use crate::migration::migrate;
use crate::ready::{ReadyThread, new_run};
use crate::run::GraphRun;
use crate::state::{Delta, State};
use crate::store::{CheckpointJournal, RecordKind, Store, ThreadId};
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
        history(&*self.store, &self.id, "", page, Some(&self.graph.inner)).await
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
        self.change(None, update, as_node).await
    }

    async fn change(
        &self,
        past: Option<CheckpointId>,
        update: S::Update,
        as_node: Option<&str>,
    ) -> Result<CheckpointId, Error> {
        let as_node = as_node.map(Arc::from);
        let read = |journal| LoadedThread::read(journal, &self.graph.inner);
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
        update: S::Update,
        as_node: Option<Arc<str>>,
        newest: Option<LoadedThread<S>>,
        mut writer: ThreadJournalWriter,
    ) -> Result<CheckpointId, Error> {
        let mut loaded = newest.ok_or_else(|| Error::NoSuchThread { thread: self.id.to_string() })?;
        if let Some(past) = past {
            loaded = self.past(past).await?.forked(loaded.branch, &mut writer);
        }
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let graph = &self.graph.inner.blueprint;
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
        let kept = kept.0.iter().map(|(task, writes)| writer.record(RecordKind::Writes, task, "", writes));
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
        checkpoint: Checkpoint<S>,
        update: S::Update,
        delta: &mut Delta,
    ) -> Result<Checkpoint<S>, Error> {
        let graph = &self.graph.inner;
        if !graph.topology.index.contains_key(&node) {
            return Err(Error::NoSuchNode { node: node.to_string() });
        }
        let writes = graph.resolve(&node, Command::update(update))?;
        let task = TaskId { node, index: None };
        let checkpoint = Checkpoint { next: vec![task.clone()], ..checkpoint };
        let finished = FinishedTasks([(task, writes)].into());
        apply(checkpoint, &graph.topology, finished, Some(delta), |node, state| graph.choose(node, state))
    }

    async fn past(&self, CheckpointId(position): CheckpointId) -> Result<LoadedThread<S>, Error> {
        let journal = self.journal_at(position).await?;
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        if scope.is_empty() {
            return LoadedThread::read(journal, &self.graph.inner);
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
}

impl<S: State> ThreadMoment<S> {
    pub(super) fn place(&self) -> (&Thread<S>, u64) {
        (&self.thread, self.checkpoint.0)
    }

    /// Returns the checkpoint as loaded by its thread.
    pub(super) async fn loaded(&self) -> Result<LoadedThread<S>, Error> {
        self.thread.past(self.checkpoint).await
    }

    /// Returns the thread at the checkpoint, with the results stored before the next checkpoint.
    pub async fn snapshot(&self) -> Result<Snapshot<S>, Error> {
        Ok(Snapshot::of(self.loaded().await?))
    }

    /// Resumes from the checkpoint on a new branch. The due nodes run again: steps are executed and questions asked
    /// again.
    ///
    /// The checkpoint may belong to a subgraph call, from `Call::history`: then the thread resumes from the
    /// checkpoint before the call, and the call from this checkpoint.
    pub async fn resume(&self) -> Result<GraphRun<S>, Error> {
        let thread = &self.thread;
        // An unreadable newest checkpoint does not block earlier checkpoints.
        let branch = |newest: CheckpointJournal| Ok(newest.branch());
        let replay = |newest, writer| self.replay(newest, writer).boxed();
        let (held, ready) = thread.hold(thread.settings.durability, branch, replay).await?;
        Ok(thread.spawn(held, ready))
    }

    /// Changes the state at the checkpoint by hand, on a new branch; `as_node` as in [`Thread::update_state`], except
    /// that nothing counts as finished. [`Thread::resume`] then continues from the new checkpoint.
    pub async fn update_state(&self, update: S::Update, as_node: Option<&str>) -> Result<CheckpointId, Error> {
        self.thread.change(Some(self.checkpoint), update, as_node).await
    }

    async fn replay(
        &self,
        newest_branch: Option<u64>,
        mut writer: ThreadJournalWriter,
    ) -> Result<ReadyThread<S>, Error> {
        let thread = &self.thread;
        let newest_branch = newest_branch.ok_or_else(|| Error::NoSuchThread { thread: thread.id.to_string() })?;
        let (loaded, calls) = self.with_calls().await?;
        let loaded = loaded.forked(newest_branch, &mut writer);
        thread.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let LoadedThread { mut checkpoint, pending, mut weight, .. } = loaded;
        let run = new_run();
        checkpoint.is_breakpoint = false;
        checkpoint.run = Arc::clone(&run);
        let graph = &thread.graph.inner.blueprint;
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
    async fn with_calls(&self) -> Result<(LoadedThread<S>, Vec<(CallSite, RebuiltCheckpoint)>), Error> {
        let mut journal = self.thread.journal_at(self.checkpoint.0).await?;
        let mut calls = Vec::new();
        loop {
            let rebuilt = RebuiltCheckpoint::from(&journal.checkpoints)?;
            let Some(caller) = rebuilt.caller.clone() else { break };
            journal = self.thread.journal_at(self.thread.position_of(&caller).await?).await?;
            calls.push((caller, rebuilt));
        }
        calls.reverse();
        Ok((LoadedThread::read(journal, &self.thread.graph.inner)?, calls))
    }
}

impl<S: State> Thread<S> {
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

impl<S: State> LoadedThread<S> {
    /// Makes `writer` start a new branch. Pending results stay on the old branch.
    fn forked(self, newest_branch: u64, writer: &mut ThreadJournalWriter) -> Self {
        writer.build_on(self.head, newest_branch + 1);
        Self { pending: PendingSuperstep::default(), ..self }
    }
}

/// Returns the checkpoints of one scope, newest first.
pub(super) async fn history<S: State>(
    store: &dyn Store,
    thread: &ThreadId,
    scope: &str,
    page: Page,
    graph: Option<&CompiledParts<S>>,
) -> Result<Vec<PastCheckpoint<S>>, Error> {
    let before = page.before.map_or(u64::MAX, |checkpoint| checkpoint.0);
    let mut records = store.checkpoints(thread, scope, before, page.limit.unwrap_or(usize::MAX)).await?;
    let Some((oldest, oldest_record)) = records.pop() else { return Ok(Vec::new()) };
    let gone = || Error::NoSuchCheckpoint { thread: thread.to_string(), checkpoint: oldest };
    let journal = store.at(thread, oldest).await?.ok_or_else(gone)?;
    let mut rebuilt = RebuiltCheckpoint::from(&journal.checkpoints)?;
    let mut history =
        vec![PastCheckpoint::of(oldest, oldest_record.parent, oldest_record.branch, rebuilt.clone(), graph)?];
    for (position, record) in records.into_iter().rev() {
        rebuilt.advance(&record)?;
        history.push(PastCheckpoint::of(position, record.parent, record.branch, rebuilt.clone(), graph)?);
    }
    history.reverse();
    Ok(history)
}

impl<S: State> PastCheckpoint<S> {
    /// Returns a checkpoint as understood by `graph`, or as stored.
    fn of(
        position: u64,
        parent: u64,
        branch: u64,
        mut rebuilt: RebuiltCheckpoint,
        graph: Option<&CompiledParts<S>>,
    ) -> Result<Self, Error> {
        if let Some(graph) = graph {
            migrate(&graph.migrations.way(&rebuilt.graph), &mut rebuilt)?;
        }
        let RebuiltCheckpoint { mark, values, .. } = rebuilt;
        Ok(Self {
            id: CheckpointId(position),
            parent: (parent > 0).then_some(CheckpointId(parent)),
            branch,
            source: mark.source,
            run: mark.run.to_string(),
            superstep: mark.superstep,
            at: mark.at.and_then(|at| Timestamp::from_millisecond(at).ok()),
            state: S::decode(values)?,
            next: mark.next.iter().map(ToString::to_string).collect(),
        })
    }
}

/// Returns the checkpoint with `update` applied to the state and the same nodes due.
fn written<S: State>(
    mut checkpoint: Checkpoint<S>,
    update: S::Update,
    delta: &mut Delta,
) -> Result<Checkpoint<S>, Error> {
    Arc::make_mut(&mut checkpoint.state).fold(vec![(START.into(), update)], Some(delta))?;
    checkpoint.superstep += 1;
    Ok(checkpoint)
}
