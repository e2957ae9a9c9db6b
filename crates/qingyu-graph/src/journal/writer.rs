//! How a run adds to the journal, and when.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use serde::Serialize;
use serde_json::Value;

use super::{
    AnswerBody, Asked, Caller, DeltaBody, FailureBody, Mark, QuestionBody, Rebuilt, SnapshotBody, Source, encode,
};
use crate::blueprint::Blueprint;
use crate::store::{JoinedWrite, Lease, Record, RecordKind, Store};
use crate::superstep::{Checkpoint, TaskId};
use crate::{Delta, Error, State};

/// Deltas are cheap to replay up to this many bytes, however small the snapshot is.
const SMALL: usize = 4096;

/// When what a run does is stored. A cancelled, drained, waiting or failed run is always stored as far as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Every superstep before the next one begins.
    #[default]
    Sync,
    /// Every superstep while the next one runs: a crash loses one superstep at most, but no step that was paid for.
    Async,
    /// Only the end of the run: a crash loses all of it, steps included, and the history has none of its supersteps.
    Exit,
}

/// Writes the records of one run, for the graph or one call of a subgraph, that build on one checkpoint.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    store: Arc<dyn Store>,
    lease: Arc<Lease>,
    scope: Arc<str>,
    caller: Option<Arc<Caller>>,
    branch: u64,
    parent: Parent,
    /// The run that the parent is known to be of.
    run: Arc<str>,
    durability: Durability,
    /// How the present checkpoint came about, if it is still to be stored.
    owed: Option<Source>,
    held_back: Arc<Mutex<HeldBack>>,
}

/// Where the checkpoint stands that new records build on.
#[derive(Debug, Clone)]
enum Parent {
    At(u64),
    /// Where it will stand when it has been stored.
    Coming(Shared<BoxFuture<'static, Result<u64, Error>>>),
}

/// What is stored at the end of the run only.
#[derive(Debug, Default)]
struct HeldBack {
    /// What joins the commit of the checkpoint.
    applied: Vec<JoinedWrite>,
    /// What follows the checkpoint.
    records: Vec<Record>,
    joined: Vec<JoinedWrite>,
}

/// What a new checkpoint changes.
pub(crate) struct Change<'a> {
    pub(crate) source: Source,
    pub(crate) delta: Delta,
    pub(crate) graph: &'a Blueprint,
    /// Whether the state must be stored as a whole.
    pub(crate) whole: bool,
}

/// How much there is to replay, which decides when the next snapshot is due.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Weight {
    pub(super) snapshot: usize,
    pub(super) deltas: usize,
}

impl Weight {
    /// Whether the deltas, with one more of `bytes`, outweigh twice the snapshot that they build on. So snapshots come at
    /// geometric distances: together they take at most one and a half times what the deltas take.
    fn is_due(self, bytes: usize) -> bool {
        self.snapshot == 0 || self.deltas + bytes > (2 * self.snapshot).max(SMALL)
    }

    pub(super) fn add(&mut self, kind: RecordKind, bytes: usize) {
        match kind {
            RecordKind::Snapshot => *self = Self { snapshot: bytes, deltas: 0 },
            _ => self.deltas += bytes,
        }
    }
}

impl Writer {
    pub(crate) fn new(store: Arc<dyn Store>, lease: Arc<Lease>, durability: Durability) -> Self {
        Self {
            store,
            lease,
            scope: Arc::default(),
            caller: None,
            branch: 0,
            parent: Parent::At(0),
            run: Arc::default(),
            durability,
            owed: None,
            held_back: Arc::default(),
        }
    }

    /// A writer for the call of a subgraph.
    pub(crate) fn of_call(&self, scope: &str, caller: Caller) -> Self {
        let caller = Some(Arc::new(caller));
        Self {
            scope: scope.into(),
            caller,
            parent: Parent::At(0),
            run: Arc::default(),
            owed: None,
            held_back: Arc::default(),
            ..self.clone()
        }
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn lease(&self) -> &Lease {
        &self.lease
    }

    pub(crate) fn scope(&self) -> &str {
        &self.scope
    }

    /// Whether changes of the state are worth noting.
    pub(crate) fn wants_deltas(&self) -> bool {
        self.durability != Durability::Exit
    }

    pub(crate) fn build_on(&mut self, parent: u64, branch: u64) {
        self.parent = Parent::At(parent);
        self.run = Arc::default();
        self.branch = branch;
    }

    /// A record about `task`.
    pub(crate) fn record(
        &self,
        kind: RecordKind,
        task: &TaskId,
        key: &str,
        body: &impl Serialize,
    ) -> Result<Record, Error> {
        let body = encode(&format!("the {} of {task}", kind.name()), body)?;
        Ok(Record { task: task.to_string(), key: key.to_owned(), ..self.bare(kind, body) })
    }

    pub(crate) fn question(&self, task: &TaskId, asked: &Asked) -> Result<Record, Error> {
        self.record(RecordKind::Question, task, &asked.slot, &QuestionBody::of(asked))
    }

    pub(crate) fn answer(&self, task: &TaskId, asked: &Asked, value: Value) -> Result<Record, Error> {
        let body = AnswerBody { id: asked.question.id.clone(), value };
        self.record(RecordKind::Answer, task, &asked.slot, &body)
    }

    pub(crate) fn failure(&self, task: &TaskId, message: String) -> Result<Record, Error> {
        self.record(RecordKind::Failure, task, "", &FailureBody { message })
    }

    /// Takes back the pending writes of the present superstep.
    pub(crate) fn discard(&self) -> Record {
        self.bare(RecordKind::Discard, "{}".to_owned())
    }

    /// Notes that a run has stopped at the present checkpoint.
    pub(crate) fn pause(&self) -> Record {
        self.bare(RecordKind::Pause, "{}".to_owned())
    }

    /// A record whose parent is set when it is stored.
    fn bare(&self, kind: RecordKind, body: String) -> Record {
        let (task, key) = (String::new(), String::new());
        Record { scope: self.scope.to_string(), branch: self.branch, parent: 0, kind, task, key, body }
    }

    /// Stores records that belong to the superstep after the present checkpoint.
    pub(crate) async fn append(&self, records: Vec<Record>, joined: Vec<JoinedWrite>) -> Result<(), Error> {
        if self.durability == Durability::Exit {
            let mut held_back = self.held_back();
            held_back.records.extend(records);
            held_back.joined.extend(joined);
            return Ok(());
        }
        self.put(records, joined).await.map(drop)
    }

    /// Stores a checkpoint, as a delta if that is cheaper in the long run, and builds on it from now on.
    pub(crate) async fn checkpoint<S: State>(
        &mut self,
        checkpoint: &Checkpoint<S>,
        change: Change<'_>,
        weight: &mut Weight,
        joined: Vec<JoinedWrite>,
    ) -> Result<(), Error> {
        if self.durability == Durability::Exit {
            self.owed = Some(change.source);
            let mut held_back = self.held_back();
            held_back.records.clear();
            let pending = std::mem::take(&mut held_back.joined);
            held_back.applied.extend(pending.into_iter().chain(joined));
            return Ok(());
        }
        let record = self.checkpoint_record(checkpoint, change, weight)?;
        if self.durability == Durability::Async {
            // Not more than one superstep may be behind.
            self.settle().await?;
            let writer = self.clone();
            let stored = tokio::spawn(async move { writer.put(vec![record], joined).await });
            let position = stored.map(|ended| ended.unwrap_or_else(|error| Err(Error::broken(&error))));
            self.parent = Parent::Coming(position.boxed().shared());
        } else {
            self.parent = Parent::At(self.put(vec![record], joined).await?);
        }
        Ok(())
    }

    /// Stores what has not been stored yet; returns where the present checkpoint stands.
    pub(crate) async fn finish<S: State>(
        &mut self,
        checkpoint: &Checkpoint<S>,
        graph: &Blueprint,
    ) -> Result<u64, Error> {
        let HeldBack { applied, records, joined } = std::mem::take(&mut *self.held_back());
        if let Some(source) = self.owed.take() {
            let change = Change { source, delta: Delta::default(), graph, whole: true };
            let record = self.checkpoint_record(checkpoint, change, &mut Weight::default())?;
            self.parent = Parent::At(self.put(vec![record], applied).await?);
        }
        if !records.is_empty() {
            self.put(records, joined).await?;
        }
        self.settle().await
    }

    fn checkpoint_record<S: State>(
        &mut self,
        checkpoint: &Checkpoint<S>,
        change: Change<'_>,
        weight: &mut Weight,
    ) -> Result<Record, Error> {
        let mark = Mark::of(checkpoint, change.source);
        let run = std::mem::replace(&mut self.run, Arc::clone(&mark.run));
        // A delta is of the same run as its parent unless it says otherwise.
        let told = if run == mark.run { Arc::default() } else { Arc::clone(&mark.run) };
        let body = DeltaBody { mark: Mark { run: told, ..mark }, delta: change.delta };
        let encoded = encode("the change of the state", &body)?;
        let (kind, body) = if change.whole || weight.is_due(encoded.len()) {
            let state = checkpoint.state.encode()?;
            let caller = self.caller.as_deref().cloned();
            let mark = Mark { run: Arc::clone(&self.run), ..body.mark };
            let body = SnapshotBody { mark, graph: change.graph.clone(), caller, state };
            (RecordKind::Snapshot, encode("the state", &body)?)
        } else {
            (RecordKind::Delta, encoded)
        };
        weight.add(kind, body.len());
        Ok(self.bare(kind, body))
    }

    /// Begins a scope with a copy of another one's checkpoint.
    pub(crate) async fn copy(&self, original: Rebuilt, run: &Arc<str>) -> Result<(), Error> {
        let Rebuilt { mark, graph, values: state, .. } = original;
        let mark = Mark { run: Arc::clone(run), source: Source::Fork, is_breakpoint: false, ..mark };
        let body = SnapshotBody { mark, graph, caller: self.caller.as_deref().cloned(), state };
        let record = self.bare(RecordKind::Snapshot, encode("the state", &body)?);
        self.put(vec![record], Vec::new()).await.map(drop)
    }

    /// Waits until the present checkpoint is stored; returns where it stands.
    async fn settle(&self) -> Result<u64, Error> {
        match &self.parent {
            Parent::At(position) => Ok(*position),
            Parent::Coming(position) => position.clone().await,
        }
    }

    async fn put(&self, mut records: Vec<Record>, joined: Vec<JoinedWrite>) -> Result<u64, Error> {
        let parent = self.settle().await?;
        for record in &mut records {
            record.parent = parent;
        }
        self.store.append(&self.lease, records, joined).await
    }

    fn held_back(&self) -> MutexGuard<'_, HeldBack> {
        self.held_back.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
