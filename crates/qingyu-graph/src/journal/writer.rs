//! The writer of a run's journal records.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use serde::Serialize;
use serde_json::Value;

use super::body::{
    AnswerBody, CheckpointMark, DeltaBody, FailureBody, ReachedBreakpoint, SnapshotBody, Source, encode, encoded,
};
use super::call_site::CallSite;
use super::pending::{OpenQuestion, QuestionBody};
use super::rebuilt::{RebuiltCheckpoint, ReplayWeight};
use crate::blueprint::Blueprint;
use crate::clock::RunClock;
use crate::error::Error;
use crate::state::Delta;
use crate::store::{JoinedWrite, JournalRecord, RecordKind, Store, ThreadLease};
use crate::superstep::{Checkpoint, TaskWrites};
use crate::task_id::TaskId;

/// The durability of a run. A cancelled, drained, waiting or failed run is always stored up to the last result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Commits every superstep before the next begins.
    #[default]
    Sync,
    /// Commits every superstep while the next one runs: a crash loses at most one superstep, but no paid-for step.
    Async,
    /// Commits only the end of the run: a crash loses everything, steps included, and the history has none of its
    /// supersteps.
    Exit,
}

/// A writer for the records of one run, in the graph or one call of a subgraph, with a common parent checkpoint.
#[derive(Debug, Clone)]
pub(crate) struct ThreadJournalWriter {
    store: Arc<dyn Store>,
    lease: Arc<ThreadLease>,
    scope: Arc<str>,
    caller: Option<Arc<CallSite>>,
    branch: u64,
    parent: ParentPosition,
    /// The run of the parent, as far as known.
    run: Arc<str>,
    durability: Durability,
    clock: Arc<dyn RunClock>,
    /// The origin of the current checkpoint, if not stored yet.
    owed: Option<Source>,
    held_back: Arc<Mutex<HeldBackRecords>>,
}

/// The position of the parent checkpoint of new records.
#[derive(Debug, Clone)]
enum ParentPosition {
    At(u64),
    /// The position, when the checkpoint has been stored.
    Coming(Shared<BoxFuture<'static, Result<u64, Error>>>),
}

/// The records buffered until the end of the run.
#[derive(Debug, Default)]
struct HeldBackRecords {
    /// The writes that join the commit of the checkpoint.
    applied: Vec<JoinedWrite>,
    /// The records after the checkpoint.
    records: Vec<JournalRecord>,
    joined: Vec<JoinedWrite>,
}

/// The changes of a new checkpoint.
pub(crate) struct CheckpointChange<'a> {
    pub(crate) source: Source,
    pub(crate) delta: Delta,
    pub(crate) graph: &'a Blueprint,
    /// Whether to store the whole state.
    pub(crate) whole: bool,
}

impl ThreadJournalWriter {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        lease: Arc<ThreadLease>,
        durability: Durability,
        clock: Arc<dyn RunClock>,
    ) -> Self {
        Self {
            store,
            lease,
            scope: Arc::default(),
            caller: None,
            branch: 0,
            parent: ParentPosition::At(0),
            run: Arc::default(),
            durability,
            clock,
            owed: None,
            held_back: Arc::default(),
        }
    }

    /// Returns a writer for a subgraph call.
    pub(crate) fn of_call(&self, scope: &str, caller: CallSite) -> Self {
        let caller = Some(Arc::new(caller));
        Self {
            scope: scope.into(),
            caller,
            parent: ParentPosition::At(0),
            run: Arc::default(),
            owed: None,
            held_back: Arc::default(),
            ..self.clone()
        }
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn lease(&self) -> &ThreadLease {
        &self.lease
    }

    pub(crate) fn scope(&self) -> &str {
        &self.scope
    }

    /// Returns whether deltas of the state are needed.
    pub(crate) fn wants_deltas(&self) -> bool {
        self.durability != Durability::Exit
    }

    /// Returns whether the current checkpoint has not been stored.
    pub(crate) fn owes_checkpoint(&self) -> bool {
        self.owed.is_some()
    }

    pub(crate) fn build_on(&mut self, parent: u64, branch: u64) {
        self.parent = ParentPosition::At(parent);
        self.run = Arc::default();
        self.branch = branch;
    }

    /// Returns a record about `task`.
    pub(crate) fn record(
        &self,
        kind: RecordKind,
        task: &TaskId,
        key: &str,
        body: &impl Serialize,
    ) -> Result<JournalRecord, Error> {
        self.encoded_record(kind, task, key, serde_json::to_string(body))
    }

    /// Returns a record of the writes of a finished task.
    pub(crate) fn writes(&self, task: &TaskId, writes: &TaskWrites) -> Result<JournalRecord, Error> {
        self.encoded_record(RecordKind::Writes, task, "", writes.encode())
    }

    fn encoded_record(
        &self,
        kind: RecordKind,
        task: &TaskId,
        key: &str,
        body: serde_json::Result<String>,
    ) -> Result<JournalRecord, Error> {
        let body = encoded(&format!("the {} of {task}", kind.name()), body)?;
        Ok(JournalRecord { task: task.to_string(), key: key.to_owned(), ..self.bare(kind, body) })
    }

    pub(crate) fn question(&self, task: &TaskId, asked: &OpenQuestion) -> Result<JournalRecord, Error> {
        self.record(RecordKind::Question, task, &asked.slot, &QuestionBody::of(asked))
    }

    pub(crate) fn answer(&self, task: &TaskId, asked: &OpenQuestion, value: Value) -> Result<JournalRecord, Error> {
        let body = AnswerBody { id: asked.question.id.clone(), value };
        self.record(RecordKind::Answer, task, &asked.slot, &body)
    }

    pub(crate) fn failure(&self, task: &TaskId, message: String) -> Result<JournalRecord, Error> {
        self.record(RecordKind::Failure, task, "", &FailureBody { message })
    }

    /// Returns a record that invalidates the pending writes of the current superstep.
    pub(crate) fn discard(&self) -> JournalRecord {
        self.bare(RecordKind::Discard, "{}".to_owned())
    }

    /// Returns a record of a stop at the current checkpoint.
    pub(crate) fn pause(&self, reached: &ReachedBreakpoint) -> Result<JournalRecord, Error> {
        Ok(self.bare(RecordKind::Pause, encode("the breakpoint", reached)?))
    }

    /// Returns a record whose parent is set when stored.
    fn bare(&self, kind: RecordKind, body: String) -> JournalRecord {
        let (task, key) = (String::new(), String::new());
        JournalRecord { scope: self.scope.to_string(), branch: self.branch, parent: 0, kind, task, key, body }
    }

    /// Appends records of the superstep after the current checkpoint.
    pub(crate) async fn append(&self, records: Vec<JournalRecord>, joined: Vec<JoinedWrite>) -> Result<(), Error> {
        if self.durability == Durability::Exit {
            let mut held_back = self.held_back();
            held_back.records.extend(records);
            held_back.joined.extend(joined);
            return Ok(());
        }
        self.put(records, joined).await.map(drop)
    }

    /// Appends a checkpoint, as a delta if cheaper in the long run, and makes the checkpoint the parent of later
    /// records.
    pub(crate) async fn checkpoint(
        &mut self,
        checkpoint: &Checkpoint,
        change: CheckpointChange<'_>,
        weight: &mut ReplayWeight,
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
            // At most one superstep may be uncommitted.
            self.settle().await?;
            let writer = self.clone();
            let stored = tokio::spawn(async move { writer.put(vec![record], joined).await });
            let position = stored.map(|ended| ended.unwrap_or_else(|error| Err(Error::broken(&error))));
            self.parent = ParentPosition::Coming(position.boxed().shared());
        } else {
            self.parent = ParentPosition::At(self.put(vec![record], joined).await?);
        }
        Ok(())
    }

    /// Appends the buffered records; returns the position of the current checkpoint.
    pub(crate) async fn finish(&mut self, checkpoint: &Checkpoint, graph: &Blueprint) -> Result<u64, Error> {
        let HeldBackRecords { applied, records, joined } = std::mem::take(&mut *self.held_back());
        if let Some(source) = self.owed.take() {
            let change = CheckpointChange { source, delta: Delta::default(), graph, whole: true };
            let record = self.checkpoint_record(checkpoint, change, &mut ReplayWeight::default())?;
            self.parent = ParentPosition::At(self.put(vec![record], applied).await?);
        }
        if !records.is_empty() {
            self.put(records, joined).await?;
        }
        self.settle().await
    }

    fn checkpoint_record(
        &mut self,
        checkpoint: &Checkpoint,
        change: CheckpointChange<'_>,
        weight: &mut ReplayWeight,
    ) -> Result<JournalRecord, Error> {
        let mark = CheckpointMark::of(checkpoint, change.source, self.clock.now());
        let run = std::mem::replace(&mut self.run, Arc::clone(&mark.run));
        // A delta has the run of its parent by default.
        let told = if run == mark.run { Arc::default() } else { Arc::clone(&mark.run) };
        let body = DeltaBody { mark: CheckpointMark { run: told, ..mark }, delta: change.delta };
        let encoded = encode("the change of the state", &body)?;
        let (kind, body) = if change.whole || weight.is_due(encoded.len()) {
            let state = checkpoint.state.encode()?;
            let caller = self.caller.as_deref().cloned();
            let mark = CheckpointMark { run: Arc::clone(&self.run), ..body.mark };
            let body = SnapshotBody { mark, graph: change.graph.clone(), caller, state };
            (RecordKind::Snapshot, encode("the state", &body)?)
        } else {
            (RecordKind::Delta, encoded)
        };
        weight.add(kind, body.len());
        Ok(self.bare(kind, body))
    }

    /// Starts a scope with a copy of a checkpoint of another scope.
    pub(crate) async fn copy(&self, original: RebuiltCheckpoint, run: &Arc<str>) -> Result<(), Error> {
        let RebuiltCheckpoint { mark, graph, values: state, .. } = original;
        let at = Some(self.clock.now().as_millisecond());
        let mark = CheckpointMark { run: Arc::clone(run), source: Source::Fork, is_breakpoint: false, at, ..mark };
        let body = SnapshotBody { mark, graph, caller: self.caller.as_deref().cloned(), state };
        let record = self.bare(RecordKind::Snapshot, encode("the state", &body)?);
        self.put(vec![record], Vec::new()).await.map(drop)
    }

    /// Waits until the current checkpoint is stored; returns the position.
    async fn settle(&self) -> Result<u64, Error> {
        match &self.parent {
            ParentPosition::At(position) => Ok(*position),
            ParentPosition::Coming(position) => position.clone().await,
        }
    }

    async fn put(&self, mut records: Vec<JournalRecord>, joined: Vec<JoinedWrite>) -> Result<u64, Error> {
        let parent = self.settle().await?;
        for record in &mut records {
            record.parent = parent;
        }
        self.store.append(&self.lease, records, joined).await
    }

    fn held_back(&self) -> MutexGuard<'_, HeldBackRecords> {
        self.held_back.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
