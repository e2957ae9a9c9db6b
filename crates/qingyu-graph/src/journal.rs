//! The engine's side of the journal: what its records contain, how a run writes them and how a thread is read back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blueprint::Blueprint;
use crate::context::StoredStep;
use crate::event::Question;
use crate::store::{JoinedWrite, Journal, Lease, Record, RecordKind, Store};
use crate::superstep::{Checkpoint, Finished, TaskId, TaskWrites};
use crate::{Delta, Error, State, Values};

/// The form of the bodies below; a program refuses a form that it does not know.
const FORM: u32 = 1;
/// Deltas are cheap to replay up to this many bytes, however small the snapshot is.
const SMALL: usize = 4096;

/// How a checkpoint came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Somebody gave the thread input.
    Input,
    /// A superstep was applied.
    Loop,
    /// Somebody changed the state.
    Update,
    /// Somebody went on from a checkpoint of the past.
    Fork,
}

/// The part that both kinds of checkpoint have.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    form: u32,
    pub(crate) superstep: i64,
    pub(crate) source: Source,
    pub(crate) next: Vec<TaskId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    payloads: Vec<Arc<Value>>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    deferred: BTreeSet<Arc<str>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_breakpoint: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct SnapshotBody {
    mark: Mark,
    graph: Blueprint,
    state: Values,
}

#[derive(Debug, Serialize, Deserialize)]
struct DeltaBody {
    mark: Mark,
    delta: Delta,
}

#[derive(Debug, Serialize, Deserialize)]
struct QuestionBody {
    id: String,
    payload: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct AnswerBody {
    id: String,
    value: Value,
}

#[derive(Debug, Serialize, Deserialize)]
struct FailureBody {
    message: String,
}

/// Writes the records of one run that build on one checkpoint. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    store: Arc<dyn Store>,
    lease: Arc<Lease>,
    branch: u64,
    parent: u64,
}

/// How much there is to replay, which decides when the next snapshot is due.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Weight {
    snapshot: usize,
    deltas: usize,
}

impl Weight {
    /// Whether the deltas, with one more of `bytes`, outweigh twice the snapshot that they build on. So snapshots come at
    /// geometric distances: together they take at most one and a half times what the deltas take.
    fn is_due(self, bytes: usize) -> bool {
        self.snapshot == 0 || self.deltas + bytes > (2 * self.snapshot).max(SMALL)
    }

    fn add(&mut self, kind: RecordKind, bytes: usize) {
        match kind {
            RecordKind::Snapshot => *self = Self { snapshot: bytes, deltas: 0 },
            _ => self.deltas += bytes,
        }
    }
}

impl Writer {
    pub(crate) fn new(store: Arc<dyn Store>, lease: Arc<Lease>) -> Self {
        Self { store, lease, branch: 0, parent: 0 }
    }

    /// The position of the checkpoint that new records build on.
    pub(crate) fn parent(&self) -> u64 {
        self.parent
    }

    pub(crate) fn build_on(&mut self, parent: u64, branch: u64) {
        self.parent = parent;
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

    pub(crate) fn question(&self, task: &TaskId, question: &Question) -> Result<Record, Error> {
        let Question { id, key, payload, refused, .. } = question.clone();
        self.record(RecordKind::Question, task, &key, &QuestionBody { id, payload, refused })
    }

    pub(crate) fn answer(&self, task: &TaskId, question: &Question, value: Value) -> Result<Record, Error> {
        self.record(RecordKind::Answer, task, &question.key, &AnswerBody { id: question.id.clone(), value })
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

    fn bare(&self, kind: RecordKind, body: String) -> Record {
        Record {
            scope: String::new(),
            branch: self.branch,
            parent: self.parent,
            kind,
            task: String::new(),
            key: String::new(),
            body,
        }
    }

    pub(crate) async fn append(&self, records: Vec<Record>, joined: Vec<JoinedWrite>) -> Result<u64, Error> {
        self.store.append(&self.lease, records, joined).await
    }

    /// Stores a checkpoint, as a delta if that is cheaper in the long run, and builds on it from now on.
    pub(crate) async fn checkpoint<S: State>(
        &mut self,
        checkpoint: &Checkpoint<S>,
        change: Change<'_>,
        weight: &mut Weight,
        joined: Vec<JoinedWrite>,
    ) -> Result<(), Error> {
        let mark = Mark {
            form: FORM,
            superstep: checkpoint.superstep,
            source: change.source,
            next: checkpoint.next.clone(),
            joins: checkpoint.joins.clone(),
            payloads: checkpoint.payloads.clone(),
            deferred: checkpoint.deferred.clone(),
            is_breakpoint: checkpoint.is_breakpoint,
        };
        let body = DeltaBody { mark, delta: change.delta };
        let encoded = encode("the change of the state", &body)?;
        let (kind, body) = if change.whole || weight.is_due(encoded.len()) {
            let state = checkpoint.state.encode()?;
            let body = SnapshotBody { mark: body.mark, graph: change.graph.clone(), state };
            (RecordKind::Snapshot, encode("the state", &body)?)
        } else {
            (RecordKind::Delta, encoded)
        };
        weight.add(kind, body.len());
        let position = self.append(vec![self.bare(kind, body)], joined).await?;
        self.parent = position;
        Ok(())
    }
}

/// What a new checkpoint changes.
pub(crate) struct Change<'a> {
    pub(crate) source: Source,
    pub(crate) delta: Delta,
    pub(crate) graph: &'a Blueprint,
    /// Whether the state must be stored as a whole.
    pub(crate) whole: bool,
}

/// A thread as it was left.
pub(crate) struct Loaded<S: State> {
    pub(crate) checkpoint: Checkpoint<S>,
    pub(crate) graph: Blueprint,
    pub(crate) head: u64,
    pub(crate) branch: u64,
    pub(crate) weight: Weight,
    pub(crate) pending: Pending<S::Update>,
}

/// What is known about the superstep that was under way.
#[derive(Debug)]
pub(crate) struct Pending<U> {
    pub(crate) finished: Finished<U>,
    pub(crate) questions: BTreeMap<TaskId, Vec<Question>>,
    pub(crate) answers: BTreeMap<TaskId, BTreeMap<String, Value>>,
    pub(crate) steps: BTreeMap<TaskId, BTreeMap<String, StoredStep>>,
    pub(crate) failures: BTreeMap<TaskId, String>,
    /// Whether a run has already stopped here for a breakpoint.
    pub(crate) has_paused: bool,
}

impl<U> Default for Pending<U> {
    fn default() -> Self {
        Self {
            finished: Finished::default(),
            questions: BTreeMap::new(),
            answers: BTreeMap::new(),
            steps: BTreeMap::new(),
            failures: BTreeMap::new(),
            has_paused: false,
        }
    }
}

impl<U> Pending<U> {
    /// The open questions, in the order of their tasks.
    pub(crate) fn open_questions<S>(&self, checkpoint: &Checkpoint<S>) -> Vec<Question> {
        let tasks = checkpoint.next.iter().filter_map(|task| self.questions.get(task));
        tasks.flatten().cloned().collect()
    }

    pub(crate) fn is_waiting(&self, task: &TaskId) -> bool {
        self.questions.get(task).is_some_and(|questions| !questions.is_empty())
    }

    /// Notes a question; it takes the place of an earlier one with the same key, and of its answer.
    pub(crate) fn ask(&mut self, task: &TaskId, question: Question) {
        if let Some(answers) = self.answers.get_mut(task) {
            answers.remove(&question.key);
        }
        let open = self.questions.entry(task.clone()).or_default();
        open.retain(|other| other.key != question.key);
        open.push(question);
    }

    /// Notes an answer, which closes its question.
    pub(crate) fn answer(&mut self, task: &TaskId, key: &str, value: Value) {
        if let Some(open) = self.questions.get_mut(task) {
            open.retain(|question| question.key != key);
        }
        self.answers.entry(task.clone()).or_default().insert(key.to_owned(), value);
    }
}

impl<S: State> Loaded<S> {
    pub(crate) fn read(journal: Journal) -> Result<Self, Error> {
        let Journal { head, checkpoints, pending } = journal;
        let branch = checkpoints.last().map_or(0, |record| record.branch);
        let Rebuilt { mark, graph, values, weight } = Rebuilt::from(&checkpoints)?;
        let state = Arc::new(S::decode(values)?);
        let Mark { superstep, next, joins, payloads, deferred, is_breakpoint, .. } = mark;
        let checkpoint = Checkpoint { superstep, state, next, joins, payloads, deferred, is_breakpoint };
        Ok(Self { checkpoint, graph, head, branch, weight, pending: read_pending(pending)? })
    }
}

/// A thread's state, rebuilt from checkpoint to checkpoint.
pub(crate) struct Rebuilt {
    pub(crate) mark: Mark,
    pub(crate) values: Values,
    graph: Blueprint,
    weight: Weight,
}

impl Rebuilt {
    /// Rebuilds the last of `checkpoints`, of which the first is a snapshot.
    pub(crate) fn from(checkpoints: &[Record]) -> Result<Self, Error> {
        let (first, deltas) = checkpoints.split_first().ok_or_else(|| corrupt("it has no snapshot"))?;
        let mut rebuilt = Self::snapshot(first)?;
        deltas.iter().try_for_each(|record| rebuilt.advance(record))?;
        Ok(rebuilt)
    }

    /// Goes on to the next checkpoint, on this branch or on a new one.
    pub(crate) fn advance(&mut self, record: &Record) -> Result<(), Error> {
        if record.kind == RecordKind::Snapshot {
            *self = Self::snapshot(record)?;
            return Ok(());
        }
        let DeltaBody { mark, delta } = decode(record)?;
        delta.replay(&mut self.values)?;
        self.weight.add(record.kind, record.body.len());
        self.mark = mark.known()?;
        Ok(())
    }

    fn snapshot(record: &Record) -> Result<Self, Error> {
        let SnapshotBody { mark, graph, state: values } = decode(record)?;
        Ok(Self { mark: mark.known()?, graph, values, weight: Weight { snapshot: record.body.len(), deltas: 0 } })
    }
}

impl Mark {
    /// Refuses a form that this program does not know.
    fn known(self) -> Result<Self, Error> {
        if self.form == FORM {
            return Ok(self);
        }
        Err(corrupt(&format!("its form is {}, this program knows {FORM}", self.form)))
    }
}

fn read_pending<U: DeserializeOwned>(records: Vec<Record>) -> Result<Pending<U>, Error> {
    let mut pending = Pending::default();
    for record in records {
        if record.kind == RecordKind::Discard {
            pending.finished = Finished::default();
            continue;
        }
        if record.kind == RecordKind::Pause {
            pending.has_paused = true;
            continue;
        }
        let task = TaskId::try_from(record.task.clone()).map_err(|error| corrupt(&error.to_string()))?;
        match record.kind {
            RecordKind::Writes => {
                pending.failures.remove(&task);
                pending.finished.0.insert(task, decode::<TaskWrites<U>>(&record)?);
            }
            RecordKind::Step => {
                let steps = pending.steps.entry(task).or_default();
                steps.insert(record.key.clone(), decode(&record)?);
            }
            RecordKind::Question => {
                pending.failures.remove(&task);
                let QuestionBody { id, payload, refused } = decode(&record)?;
                let question = Question { id, node: task.node.to_string(), key: record.key, payload, refused };
                pending.ask(&task, question);
            }
            RecordKind::Answer => {
                let AnswerBody { value, .. } = decode(&record)?;
                pending.answer(&task, &record.key, value);
            }
            RecordKind::Failure => {
                let FailureBody { message } = decode(&record)?;
                pending.failures.insert(task, message);
            }
            RecordKind::Snapshot | RecordKind::Delta | RecordKind::Discard | RecordKind::Pause => {}
        }
    }
    Ok(pending)
}

fn encode(what: &str, value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Encode { what: what.to_owned(), reason: error.to_string() })
}

fn decode<T: DeserializeOwned>(record: &Record) -> Result<T, Error> {
    serde_json::from_str(&record.body).map_err(|error| corrupt(&format!("a {}: {error}", record.kind.name())))
}

fn corrupt(reason: &str) -> Error {
    Error::Corrupt { reason: reason.to_owned() }
}
