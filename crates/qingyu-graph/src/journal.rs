//! The engine's side of the journal: what its records contain, how a run writes them and how a thread is read back.

mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blueprint::Blueprint;
use crate::compiled::Inner;
use crate::context::StoredStep;
use crate::event::Question;
use crate::migration::{migrate, migrate_pending, misfits};
use crate::store::{Journal, Record, RecordKind};
use crate::superstep::{Checkpoint, Finished, TaskId, TaskWrites};
use crate::{Delta, Error, State, Values};

pub use writer::Durability;
pub(crate) use writer::{Change, Weight, Writer};

/// The form of the bodies below; a program refuses a form that it does not know.
const FORM: u32 = 1;

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
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Mark {
    form: u32,
    /// Empty in a delta of the same run as its parent.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) run: Arc<str>,
    pub(crate) superstep: i64,
    pub(crate) source: Source,
    pub(crate) next: Vec<TaskId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    payloads: Vec<Arc<Value>>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) deferred: BTreeSet<Arc<str>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_breakpoint: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) memories: BTreeMap<String, String>,
}

/// Who called a subgraph: a task of the superstep after a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Caller {
    pub(crate) scope: String,
    /// Names the checkpoint, together with the superstep.
    pub(crate) run: String,
    pub(crate) superstep: i64,
    pub(crate) task: TaskId,
    /// Which of the task's calls it is.
    pub(crate) key: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct SnapshotBody {
    mark: Mark,
    graph: Blueprint,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caller: Option<Caller>,
    state: Values,
}

#[derive(Debug, Serialize, Deserialize)]
struct DeltaBody {
    mark: Mark,
    delta: Delta,
}

/// What counts of a delta that another follows.
#[derive(Debug, Deserialize)]
struct PassedBody {
    mark: PassedMark,
    delta: Delta,
}

#[derive(Debug, Deserialize)]
struct PassedMark {
    form: u32,
    run: Option<Arc<str>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct QuestionBody {
    id: String,
    payload: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// Who asks, if it is not the task itself but a subgraph that it called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<Asker>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Asker {
    node: String,
    path: String,
    key: String,
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

impl Journal {
    /// The branch of its checkpoint.
    pub(crate) fn branch(&self) -> u64 {
        self.checkpoints.last().map_or(0, |record| record.branch)
    }
}

/// A thread as it was left.
pub(crate) struct Loaded<S: State> {
    pub(crate) checkpoint: Checkpoint<S>,
    pub(crate) graph: Blueprint,
    pub(crate) head: u64,
    pub(crate) branch: u64,
    pub(crate) weight: Weight,
    pub(crate) pending: Pending<S::Update>,
    /// What does not fit the graph after a migration; `None` if there was none.
    pub(crate) misfits: Option<Vec<String>>,
}

/// What is known about the superstep that was under way.
#[derive(Debug)]
pub(crate) struct Pending<U> {
    pub(crate) finished: Finished<U>,
    pub(crate) questions: BTreeMap<TaskId, Vec<Asked>>,
    pub(crate) answers: BTreeMap<TaskId, BTreeMap<String, Value>>,
    pub(crate) steps: BTreeMap<TaskId, BTreeMap<String, StoredStep>>,
    pub(crate) failures: BTreeMap<TaskId, String>,
    /// Tasks whose subgraphs have got answers since they last asked.
    news: BTreeSet<TaskId>,
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
            news: BTreeSet::new(),
            has_paused: false,
        }
    }
}

/// An open question of a task or of a subgraph that it called.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// What its answer is kept under: the key, or the id if a subgraph asks.
    pub(crate) slot: String,
    pub(crate) question: Question,
}

impl Asked {
    /// A question that the task at `path` is to pass on.
    pub(crate) fn new(question: Question, path: &str) -> Self {
        let slot = if question.path == path { &question.key } else { &question.id };
        Self { slot: slot.clone(), question }
    }

    fn is_inner(&self) -> bool {
        self.slot == self.question.id
    }
}

impl<U> Pending<U> {
    /// The open questions, in the order of their tasks.
    pub(crate) fn open_questions<S>(&self, checkpoint: &Checkpoint<S>) -> Vec<Question> {
        let tasks = checkpoint.next.iter().filter_map(|task| self.questions.get(task));
        tasks.flatten().map(|asked| asked.question.clone()).collect()
    }

    /// Whether a task has nothing to do until more is answered. A subgraph can go on with part of the answers.
    pub(crate) fn is_waiting(&self, task: &TaskId) -> bool {
        self.questions.get(task).is_some_and(|open| !open.is_empty()) && !self.news.contains(task)
    }

    /// Notes a question; it takes the place of an earlier one in the same slot, and of its answer.
    pub(crate) fn ask(&mut self, task: &TaskId, asked: Asked) {
        if let Some(answers) = self.answers.get_mut(task) {
            answers.remove(&asked.slot);
        }
        self.news.remove(task);
        let open = self.questions.entry(task.clone()).or_default();
        open.retain(|other| other.slot != asked.slot);
        open.push(asked);
    }

    /// Notes the answers that a caller has got for questions which are still open, by their ids.
    pub(crate) fn take_answers(&mut self, answers: &BTreeMap<String, Value>) {
        let open = self.questions.iter().flat_map(|(task, asked)| asked.iter().map(move |asked| (task, asked)));
        let answered: Vec<_> = open
            .filter_map(|(task, Asked { slot, question })| {
                answers.get(&question.id).map(|value| (task.clone(), slot.clone(), value.clone()))
            })
            .collect();
        for (task, slot, value) in answered {
            self.answer(&task, &slot, value);
        }
    }

    /// Notes an answer, which closes its question.
    pub(crate) fn answer(&mut self, task: &TaskId, slot: &str, value: Value) {
        if let Some(open) = self.questions.get_mut(task) {
            if open.iter().any(|asked| asked.slot == slot && asked.is_inner()) {
                self.news.insert(task.clone());
            }
            open.retain(|asked| asked.slot != slot);
        }
        self.answers.entry(task.clone()).or_default().insert(slot.to_owned(), value);
    }
}

impl<S: State> Loaded<S> {
    /// Reads what is stored, as `graph` understands it.
    pub(crate) fn read(journal: Journal, graph: &Inner<S>) -> Result<Self, Error> {
        let Journal { head, checkpoints, mut pending } = journal;
        let mut rebuilt = Rebuilt::from(&checkpoints)?;
        let way = graph.migrations.way(&rebuilt.graph);
        let misfits = if way.is_empty() {
            None
        } else {
            migrate(&way, &mut rebuilt)?;
            migrate_pending(&way, &mut pending)?;
            // What follows is stored in the present form, from the beginning.
            rebuilt.weight = Weight::default();
            Some(misfits(&rebuilt.mark, &graph.topology))
        };
        let mut loaded = Self::assemble(head, &checkpoints, rebuilt, pending)?;
        loaded.misfits = misfits;
        Ok(loaded)
    }

    /// Reads what is stored as it is.
    pub(crate) fn read_plainly(journal: Journal) -> Result<Self, Error> {
        let Journal { head, checkpoints, pending } = journal;
        let rebuilt = Rebuilt::from(&checkpoints)?;
        Self::assemble(head, &checkpoints, rebuilt, pending)
    }

    fn assemble(head: u64, checkpoints: &[Record], rebuilt: Rebuilt, pending: Vec<Record>) -> Result<Self, Error> {
        let (scope, branch) = checkpoints.last().map_or(("", 0), |record| (&record.scope, record.branch));
        let pending = read_pending(path_of(scope), pending)?;
        let Rebuilt { mark, graph, values, weight, .. } = rebuilt;
        let checkpoint = mark.checkpoint(S::decode(values)?);
        Ok(Self { checkpoint, graph, head, branch, weight, pending, misfits: None })
    }

    /// Refuses to go on with a graph that differs from the one that was stored.
    pub(crate) fn refuse_changed(&self, thread: &str, present: &Blueprint, finished: bool) -> Result<(), Error> {
        let changes = match &self.misfits {
            Some(misfits) => misfits.clone(),
            None => self.graph.changes(present, finished),
        };
        if changes.is_empty() { Ok(()) } else { Err(Error::GraphChanged { thread: thread.to_owned(), changes }) }
    }
}

/// The path of the call that a scope belongs to.
pub(crate) fn path_of(scope: &str) -> &str {
    scope.rsplit_once('@').map_or("", |(path, _)| path)
}

/// A thread's state, rebuilt from checkpoint to checkpoint.
#[derive(Debug, Clone)]
pub(crate) struct Rebuilt {
    pub(crate) mark: Mark,
    pub(crate) values: Values,
    pub(crate) graph: Blueprint,
    pub(crate) caller: Option<Caller>,
    weight: Weight,
}

impl Rebuilt {
    /// Rebuilds the last of `checkpoints`, of which the first is a snapshot.
    pub(crate) fn from(checkpoints: &[Record]) -> Result<Self, Error> {
        let (first, deltas) = checkpoints.split_first().ok_or_else(|| corrupt("it has no snapshot"))?;
        let mut rebuilt = Self::snapshot(first)?;
        let Some((last, between)) = deltas.split_last() else { return Ok(rebuilt) };
        between.iter().try_for_each(|record| rebuilt.pass(record))?;
        rebuilt.advance(last)?;
        Ok(rebuilt)
    }

    /// Takes what a delta changes, but not the whole of its mark: a later one follows.
    fn pass(&mut self, record: &Record) -> Result<(), Error> {
        if record.kind == RecordKind::Snapshot {
            return self.advance(record);
        }
        let PassedBody { mark: PassedMark { form, run }, delta } = decode(record)?;
        known(form)?;
        delta.replay(&mut self.values)?;
        self.weight.add(record.kind, record.body.len());
        if let Some(run) = run {
            self.mark.run = run;
        }
        Ok(())
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
        let mark = mark.known()?;
        let run = if mark.run.is_empty() { Arc::clone(&self.mark.run) } else { Arc::clone(&mark.run) };
        self.mark = Mark { run, ..mark };
        Ok(())
    }

    fn snapshot(record: &Record) -> Result<Self, Error> {
        let SnapshotBody { mark, graph, caller, state: values } = decode(record)?;
        let weight = Weight { snapshot: record.body.len(), deltas: 0 };
        Ok(Self { mark: mark.known()?, graph, caller, values, weight })
    }
}

impl QuestionBody {
    fn of(asked: &Asked) -> Self {
        let Question { id, node, path, key, payload, refused } = asked.question.clone();
        let inner = asked.is_inner().then_some(Asker { node, path, key });
        Self { id, payload, refused, inner }
    }

    /// The question of `task` in `slot`; `path` is that of the call that the task belongs to.
    fn asked(self, path: &str, task: &TaskId, slot: String) -> Asked {
        let Self { id, payload, refused, inner } = self;
        let own = || Asker { node: task.node.to_string(), path: join(path, task), key: slot.clone() };
        let Asker { node, path, key } = inner.unwrap_or_else(own);
        Asked { slot, question: Question { id, node, path, key, payload, refused } }
    }
}

/// The path of `task` in the call at `path`.
pub(crate) fn join(path: &str, task: impl fmt::Display) -> String {
    if path.is_empty() { task.to_string() } else { format!("{path}/{task}") }
}

impl Mark {
    fn of<S>(checkpoint: &Checkpoint<S>, source: Source) -> Self {
        Self {
            form: FORM,
            run: Arc::clone(&checkpoint.run),
            superstep: checkpoint.superstep,
            source,
            next: checkpoint.next.clone(),
            joins: checkpoint.joins.clone(),
            payloads: checkpoint.payloads.clone(),
            deferred: checkpoint.deferred.clone(),
            is_breakpoint: checkpoint.is_breakpoint,
            memories: checkpoint.memories.clone(),
        }
    }

    fn checkpoint<S>(self, state: S) -> Checkpoint<S> {
        let Self { run, superstep, next, joins, payloads, deferred, is_breakpoint, memories, .. } = self;
        let state = Arc::new(state);
        Checkpoint { run, superstep, state, next, joins, payloads, deferred, is_breakpoint, memories }
    }

    /// The mark of a checkpoint, whatever its kind, as it is stored.
    pub(crate) fn read(record: &Record) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct AnyBody {
            mark: Mark,
        }
        decode::<AnyBody>(record)?.mark.known()
    }

    /// Refuses a form that this program does not know.
    fn known(self) -> Result<Self, Error> {
        known(self.form).map(|()| self)
    }
}

fn known(form: u32) -> Result<(), Error> {
    if form == FORM { Ok(()) } else { Err(corrupt(&format!("its form is {form}, this program knows {FORM}"))) }
}

fn read_pending<U: DeserializeOwned>(path: &str, records: Vec<Record>) -> Result<Pending<U>, Error> {
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
                let body: QuestionBody = decode(&record)?;
                let asked = body.asked(path, &task, record.key);
                pending.ask(&task, asked);
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
