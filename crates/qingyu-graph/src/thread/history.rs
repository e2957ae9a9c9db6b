//! The past of a thread: reading it, going on from it, changing it.
//!
//! Nothing is ever rewritten. Whoever goes on from a checkpoint of the past, or changes the state there, begins a new
//! branch of the history with a copy of that checkpoint; the old branch stays readable by its ids.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use serde::{Deserialize, Serialize};

use super::{Ready, Snapshot, Thread};
use crate::journal::{Change, Loaded, Pending, Rebuilt, Source, Weight, Writer};
use crate::run::Run;
use crate::store::RecordKind;
use crate::superstep::{Checkpoint, Finished, TaskId, apply};
use crate::{Command, Delta, Error, START, State};

/// Names a checkpoint of a thread: its position in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CheckpointId(u64);

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
        let before = page.before.map_or(u64::MAX, |checkpoint| checkpoint.0);
        let mut records = self.store.checkpoints(&self.id, before, page.limit.unwrap_or(usize::MAX)).await?;
        let Some((oldest, oldest_record)) = records.pop() else { return Ok(Vec::new()) };
        let journal = self.store.at(&self.id, oldest).await?.ok_or_else(|| self.no_checkpoint(oldest))?;
        let mut rebuilt = Rebuilt::from(&journal.checkpoints)?;
        let mut history = vec![Past::of(oldest, oldest_record.parent, oldest_record.branch, &rebuilt)?];
        for (position, record) in records.into_iter().rev() {
            rebuilt.advance(&record)?;
            history.push(Past::of(position, record.parent, record.branch, &rebuilt)?);
        }
        history.reverse();
        Ok(history)
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
        let (held, checkpoint) =
            self.hold(|newest, writer| self.change_held(past, update, as_node, newest, writer).boxed()).await?;
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
            loaded = self.fork(past, loaded.branch, &mut writer).await?;
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
        let change = Change { source: Source::Update, delta, graph, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        let kept = kept.0.iter().map(|(task, writes)| writer.record(RecordKind::Writes, task, "", writes));
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        if !kept.is_empty() {
            writer.append(kept, Vec::new()).await?;
        }
        Ok(CheckpointId(writer.parent()))
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
        let writes = graph.resolve(&node, &checkpoint.state, Command::update(update))?;
        let task = TaskId { node, index: None };
        let checkpoint = Checkpoint { next: vec![task.clone()], ..checkpoint };
        apply(checkpoint, &graph.topology, Finished([(task, writes)].into()), Some(delta))
    }

    /// Reads a checkpoint of the past and lets `writer` begin a new branch there.
    async fn fork(&self, past: CheckpointId, newest_branch: u64, writer: &mut Writer) -> Result<Loaded<S>, Error> {
        let Loaded { checkpoint, graph, head, .. } = self.past(past).await?;
        let branch = newest_branch + 1;
        writer.build_on(head, branch);
        // What was under way there belongs to the old branch.
        Ok(Loaded { checkpoint, graph, head, branch, weight: Weight::default(), pending: Pending::default() })
    }

    async fn past(&self, CheckpointId(position): CheckpointId) -> Result<Loaded<S>, Error> {
        Loaded::read(self.store.at(&self.id, position).await?.ok_or_else(|| self.no_checkpoint(position))?)
    }

    fn no_checkpoint(&self, checkpoint: u64) -> Error {
        Error::NoSuchCheckpoint { thread: self.id.to_string(), checkpoint }
    }
}

impl<S: State> Moment<S> {
    /// The thread as it stood there, with what was under way before the next checkpoint.
    pub async fn snapshot(&self) -> Result<Snapshot<S>, Error> {
        Ok(Snapshot::of(self.thread.past(self.checkpoint).await?))
    }

    /// Goes on from there on a new branch. What was due then runs again: steps are carried out and questions asked anew.
    pub async fn resume(&self) -> Result<Run<S>, Error> {
        self.thread.run(|newest, writer| self.replay(newest, writer).boxed()).await
    }

    /// Changes the state there by hand, on a new branch; `as_node` as in [`Thread::update_state`], except that nothing
    /// counts as finished. [`Thread::resume`] then goes on from it.
    pub async fn update_state(&self, update: S::Update, as_node: Option<&str>) -> Result<CheckpointId, Error> {
        self.thread.change(Some(self.checkpoint), update, as_node).await
    }

    async fn replay(&self, newest: Option<Loaded<S>>, mut writer: Writer) -> Result<Ready<S>, Error> {
        let thread = &self.thread;
        let newest = newest.ok_or_else(|| Error::NoSuchThread { thread: thread.id.to_string() })?;
        let loaded = thread.fork(self.checkpoint, newest.branch, &mut writer).await?;
        thread.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let Loaded { mut checkpoint, pending, mut weight, .. } = loaded;
        checkpoint.is_breakpoint = false;
        let graph = &thread.graph.inner.blueprint;
        let change = Change { source: Source::Fork, delta: Delta::default(), graph, whole: true };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(Ready { checkpoint, pending, weight, writer: Some(writer) })
    }
}

impl<S: State> Past<S> {
    fn of(position: u64, parent: u64, branch: u64, rebuilt: &Rebuilt) -> Result<Self, Error> {
        Ok(Self {
            id: CheckpointId(position),
            parent: (parent > 0).then_some(CheckpointId(parent)),
            branch,
            source: rebuilt.mark.source,
            superstep: rebuilt.mark.superstep,
            state: S::decode(rebuilt.values.clone())?,
            next: rebuilt.mark.next.iter().map(ToString::to_string).collect(),
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
