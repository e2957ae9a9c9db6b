//! The past of a thread: reading it, going on from it, changing it.
//!
//! Nothing is ever rewritten. Whoever goes on from a checkpoint of the past, or changes the state there, begins a new
//! branch of the history with a copy of that checkpoint; the old branch stays readable by its ids.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use serde::{Deserialize, Serialize};

use super::{Ready, Snapshot, Thread, new_run};
use crate::compiled::Inner;
use crate::journal::{Caller, Change, Durability, Loaded, Mark, Pending, Rebuilt, Source, Writer, path_of};
use crate::migration::migrate;
use crate::run::Run;
use crate::store::{Journal, RecordKind};
use crate::superstep::{Checkpoint, Finished, TaskId, apply};
use crate::{Command, Delta, Error, START, State, Store, ThreadId};

/// Names a checkpoint of a thread: its position in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CheckpointId(pub(super) u64);

impl From<u64> for CheckpointId {
    fn from(position: u64) -> Self {
        Self(position)
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A checkpoint as [`Thread::history`] lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Past<S> {
    /// Its id, for [`Thread::at`].
    pub id: CheckpointId,
    /// The checkpoint that it builds on; `None` for the first.
    pub parent: Option<CheckpointId>,
    /// The branch of the history, counted from 0 in the order in which they began.
    pub branch: u64,
    /// How it came about.
    pub source: Source,
    /// The run, or the change by hand, that made it.
    pub run: String,
    /// Its superstep; −1 after the first input.
    pub superstep: i64,
    /// The state.
    pub state: S,
    /// What runs next.
    pub next: Vec<String>,
}

/// Which part of a history to read; all of it if nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Page {
    /// Only what is older than this.
    pub before: Option<CheckpointId>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// A thread at one checkpoint of its history.
#[derive(Debug, Clone)]
pub struct Moment<S: State> {
    thread: Thread<S>,
    checkpoint: CheckpointId,
}

impl<S: State> Thread<S> {
    /// The checkpoints of all branches, newest first; empty if the thread was never started.
    pub async fn history(&self, page: Page) -> Result<Vec<Past<S>>, Error> {
        history(&*self.store, &self.id, "", page, Some(&self.graph.inner)).await
    }

    /// The thread at a checkpoint of its history. Whether there is one shows when it is used.
    pub fn at(&self, checkpoint: CheckpointId) -> Moment<S> {
        Moment { thread: self.clone(), checkpoint }
    }

    /// Changes the newest state by hand and returns the new checkpoint.
    ///
    /// Without `as_node` the same nodes are still due: those that had finished keep their results, the others see the
    /// new state, and what they had asked is asked again. With it the update counts as that node's: what follows the
    /// node is due, and nothing else.
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
        let read = |journal| Loaded::read(journal, &self.graph.inner);
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
        newest: Option<Loaded<S>>,
        mut writer: Writer,
    ) -> Result<CheckpointId, Error> {
        let mut loaded = newest.ok_or_else(|| Error::NoSuchThread { thread: self.id.to_string() })?;
        if let Some(past) = past {
            loaded = self.past(past).await?.forked(loaded.branch, &mut writer);
        }
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let graph = &self.graph.inner.blueprint;
        let whole = past.is_some() || loaded.graph != *graph;
        let Loaded { checkpoint, pending, mut weight, .. } = loaded;
        let mut delta = Delta::default();
        let (mut checkpoint, kept) = match as_node {
            Some(node) => (self.written_by(node, checkpoint, update, &mut delta)?, Finished::default()),
            None => (written(checkpoint, update, &mut delta)?, pending.finished),
        };
        // Whoever changes the state has seen it.
        checkpoint.is_breakpoint = false;
        checkpoint.run = new_run();
        let change = Change { source: Source::Update, delta, graph, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        let kept = kept.0.iter().map(|(task, writes)| writer.record(RecordKind::Writes, task, "", writes));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        if !kept.is_empty() {
            writer.append(kept, Vec::new()).await?;
        }
        writer.finish(&checkpoint, graph).await.map(CheckpointId)
    }

    /// The checkpoint that an update leads to which counts as the node's.
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
        let finished = Finished([(task, writes)].into());
        apply(checkpoint, &graph.topology, finished, Some(delta), |node, state| graph.choose(node, state))
    }

    async fn past(&self, CheckpointId(position): CheckpointId) -> Result<Loaded<S>, Error> {
        let journal = self.journal_at(position).await?;
        let scope = journal.checkpoints.last().map_or("", |record| &record.scope);
        if scope.is_empty() {
            return Loaded::read(journal, &self.graph.inner);
        }
        let (thread, path) = (self.id.to_string(), path_of(scope).to_owned());
        Err(Error::CheckpointOfCall { thread, checkpoint: position, path })
    }

    async fn journal_at(&self, position: u64) -> Result<Journal, Error> {
        self.store.at(&self.id, position).await?.ok_or_else(|| self.no_checkpoint(position))
    }

    pub(super) fn no_checkpoint(&self, checkpoint: u64) -> Error {
        Error::NoSuchCheckpoint { thread: self.id.to_string(), checkpoint }
    }
}

impl<S: State> Moment<S> {
    pub(super) fn place(&self) -> (&Thread<S>, u64) {
        (&self.thread, self.checkpoint.0)
    }

    /// The thread as it stood there, with what was under way before the next checkpoint.
    pub async fn snapshot(&self) -> Result<Snapshot<S>, Error> {
        Ok(Snapshot::of(self.thread.past(self.checkpoint).await?))
    }

    /// Goes on from there on a new branch. What was due then runs again: steps are carried out and questions asked anew.
    ///
    /// The checkpoint may be one of a call of a subgraph, from [`super::Call::history`]: then the thread goes on from the
    /// checkpoint that the call was made from, and the call from this one.
    pub async fn resume(&self) -> Result<Run<S>, Error> {
        let thread = &self.thread;
        // A newest checkpoint that cannot be read keeps nobody from an earlier one.
        let branch = |newest: Journal| Ok(newest.branch());
        let replay = |newest, writer| self.replay(newest, writer).boxed();
        let (held, ready) = thread.hold(thread.settings.durability, branch, replay).await?;
        Ok(thread.spawn(held, ready))
    }

    /// Changes the state there by hand, on a new branch; `as_node` as in [`Thread::update_state`], except that nothing
    /// counts as finished. [`Thread::resume`] then goes on from it.
    pub async fn update_state(&self, update: S::Update, as_node: Option<&str>) -> Result<CheckpointId, Error> {
        self.thread.change(Some(self.checkpoint), update, as_node).await
    }

    async fn replay(&self, newest_branch: Option<u64>, mut writer: Writer) -> Result<Ready<S>, Error> {
        let thread = &self.thread;
        let newest_branch = newest_branch.ok_or_else(|| Error::NoSuchThread { thread: thread.id.to_string() })?;
        let (loaded, calls) = self.with_calls().await?;
        let loaded = loaded.forked(newest_branch, &mut writer);
        thread.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let Loaded { mut checkpoint, pending, mut weight, .. } = loaded;
        let run = new_run();
        checkpoint.is_breakpoint = false;
        checkpoint.run = Arc::clone(&run);
        let graph = &thread.graph.inner.blueprint;
        let change = Change { source: Source::Fork, delta: Delta::default(), graph, whole: true };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        let mut scope = String::new();
        for (caller, call) in calls {
            let caller = Caller { scope, run: run.to_string(), ..caller };
            scope = caller.scope_of_call();
            writer.of_call(&scope, caller).copy(call, &run).await?;
        }
        Ok(Ready { run, checkpoint, pending, weight, writer: Some(writer) })
    }

    /// The graph's own checkpoint and, from the outside in, the calls that lead to this one.
    async fn with_calls(&self) -> Result<(Loaded<S>, Vec<(Caller, Rebuilt)>), Error> {
        let mut journal = self.thread.journal_at(self.checkpoint.0).await?;
        let mut calls = Vec::new();
        loop {
            let rebuilt = Rebuilt::from(&journal.checkpoints)?;
            let Some(caller) = rebuilt.caller.clone() else { break };
            journal = self.thread.journal_at(self.thread.position_of(&caller).await?).await?;
            calls.push((caller, rebuilt));
        }
        calls.reverse();
        Ok((Loaded::read(journal, &self.thread.graph.inner)?, calls))
    }
}

impl<S: State> Thread<S> {
    /// Where the checkpoint stands that a call was made from.
    async fn position_of(&self, caller: &Caller) -> Result<u64, Error> {
        const PAGE: usize = 16;
        let mut before = u64::MAX;
        loop {
            let page = self.store.checkpoints(&self.id, &caller.scope, before, PAGE).await?;
            for (position, record) in &page {
                if Mark::read(record)?.superstep == caller.superstep {
                    let mark = Rebuilt::from(&self.journal_at(*position).await?.checkpoints)?.mark;
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

impl<S: State> Loaded<S> {
    /// Lets `writer` begin a new branch here. What was under way belongs to the old one.
    fn forked(self, newest_branch: u64, writer: &mut Writer) -> Self {
        writer.build_on(self.head, newest_branch + 1);
        Self { pending: Pending::default(), ..self }
    }
}

/// The checkpoints of one scope, newest first.
pub(super) async fn history<S: State>(
    store: &dyn Store,
    thread: &ThreadId,
    scope: &str,
    page: Page,
    graph: Option<&Inner<S>>,
) -> Result<Vec<Past<S>>, Error> {
    let before = page.before.map_or(u64::MAX, |checkpoint| checkpoint.0);
    let mut records = store.checkpoints(thread, scope, before, page.limit.unwrap_or(usize::MAX)).await?;
    let Some((oldest, oldest_record)) = records.pop() else { return Ok(Vec::new()) };
    let gone = || Error::NoSuchCheckpoint { thread: thread.to_string(), checkpoint: oldest };
    let journal = store.at(thread, oldest).await?.ok_or_else(gone)?;
    let mut rebuilt = Rebuilt::from(&journal.checkpoints)?;
    let mut history = vec![Past::of(oldest, oldest_record.parent, oldest_record.branch, rebuilt.clone(), graph)?];
    for (position, record) in records.into_iter().rev() {
        rebuilt.advance(&record)?;
        history.push(Past::of(position, record.parent, record.branch, rebuilt.clone(), graph)?);
    }
    history.reverse();
    Ok(history)
}

impl<S: State> Past<S> {
    /// A checkpoint as `graph` understands it, or as it is stored.
    fn of(
        position: u64,
        parent: u64,
        branch: u64,
        mut rebuilt: Rebuilt,
        graph: Option<&Inner<S>>,
    ) -> Result<Self, Error> {
        if let Some(graph) = graph {
            migrate(&graph.migrations.way(&rebuilt.graph), &mut rebuilt)?;
        }
        let Rebuilt { mark, values, .. } = rebuilt;
        Ok(Self {
            id: CheckpointId(position),
            parent: (parent > 0).then_some(CheckpointId(parent)),
            branch,
            source: mark.source,
            run: mark.run.to_string(),
            superstep: mark.superstep,
            state: S::decode(values)?,
            next: mark.next.iter().map(ToString::to_string).collect(),
        })
    }
}

/// The checkpoint with `update` in its state and the same nodes due.
fn written<S: State>(
    mut checkpoint: Checkpoint<S>,
    update: S::Update,
    delta: &mut Delta,
) -> Result<Checkpoint<S>, Error> {
    Arc::make_mut(&mut checkpoint.state).fold(vec![(START.into(), update)], Some(delta))?;
    checkpoint.superstep += 1;
    Ok(checkpoint)
}
