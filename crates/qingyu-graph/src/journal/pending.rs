//! The stored results of the current superstep.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::body::{AnswerBody, FailureBody, ReachedBreakpoint, StoredStep, corrupt, decode, unreadable};
use crate::any_state::StateType;
use crate::call_path::join;
use crate::error::Error;
use crate::event::Question;
use crate::store::{JournalRecord, RecordKind};
use crate::superstep::{Checkpoint, FinishedTasks, TaskWrites};
use crate::task_id::TaskId;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct QuestionBody {
    id: String,
    payload: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// The asking task of a subgraph; `None` if the task asks directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<SubgraphAsker>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SubgraphAsker {
    node: String,
    path: String,
    key: String,
}

/// The stored results of the current superstep.
#[derive(Debug, Default)]
pub(crate) struct PendingSuperstep {
    pub(crate) finished: FinishedTasks,
    pub(crate) questions: BTreeMap<TaskId, Vec<OpenQuestion>>,
    pub(crate) answers: BTreeMap<TaskId, BTreeMap<String, Value>>,
    pub(crate) steps: BTreeMap<TaskId, BTreeMap<String, StoredStep>>,
    pub(crate) failures: BTreeMap<TaskId, String>,
    /// The tasks whose subgraphs have received answers since they last asked.
    news: BTreeSet<TaskId>,
    /// The breakpoint at which a run has already stopped here.
    pub(crate) breakpoint: Option<ReachedBreakpoint>,
}

/// An open question of a task or of a subgraph called by the task.
#[derive(Debug, Clone)]
pub(crate) struct OpenQuestion {
    /// The slot of the answer: the key, or the id if a subgraph asks.
    pub(crate) slot: String,
    pub(crate) question: Question,
}

impl OpenQuestion {
    /// Returns a question for the task at `path` to forward.
    pub(crate) fn new(question: Question, path: &str) -> Self {
        let slot = if question.path == path { &question.key } else { &question.id };
        Self { slot: slot.clone(), question }
    }

    fn is_inner(&self) -> bool {
        self.slot == self.question.id
    }
}

impl PendingSuperstep {
    /// Returns the open questions, in the order of the tasks.
    pub(crate) fn open_questions(&self, checkpoint: &Checkpoint) -> Vec<Question> {
        let tasks = checkpoint.next.iter().filter_map(|task| self.questions.get(task));
        tasks.flatten().map(|asked| asked.question.clone()).collect()
    }

    /// Returns the breakpoint at which the last run has stopped, unless a later run has passed it.
    pub(crate) fn reached_breakpoint(&self) -> Option<&ReachedBreakpoint> {
        let is_untouched = self.finished.0.is_empty()
            && self.steps.is_empty()
            && self.failures.is_empty()
            && self.questions.values().all(Vec::is_empty);
        self.breakpoint.as_ref().filter(|_| is_untouched)
    }

    /// Returns whether a task has nothing to do until more is answered. A subgraph can continue with part of the
    /// answers.
    pub(crate) fn is_waiting(&self, task: &TaskId) -> bool {
        self.questions.get(task).is_some_and(|open| !open.is_empty()) && !self.news.contains(task)
    }

    /// Inserts a question; overrides an earlier question in the same slot, and the answer.
    pub(crate) fn ask(&mut self, task: &TaskId, asked: OpenQuestion) {
        if let Some(answers) = self.answers.get_mut(task) {
            answers.remove(&asked.slot);
        }
        self.news.remove(task);
        let open = self.questions.entry(task.clone()).or_default();
        open.retain(|other| other.slot != asked.slot);
        open.push(asked);
    }

    /// Inserts a caller's answers to the questions which are still open, by id.
    pub(crate) fn take_answers(&mut self, answers: &BTreeMap<String, Value>) {
        let open = self.questions.iter().flat_map(|(task, asked)| asked.iter().map(move |asked| (task, asked)));
        let answered: Vec<_> = open
            .filter_map(|(task, OpenQuestion { slot, question })| {
                answers.get(&question.id).map(|value| (task.clone(), slot.clone(), value.clone()))
            })
            .collect();
        for (task, slot, value) in answered {
            self.answer(&task, &slot, value);
        }
    }

    /// Inserts an answer, which closes the question.
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

impl QuestionBody {
    pub(super) fn of(asked: &OpenQuestion) -> Self {
        let Question { id, node, path, key, payload, refused } = asked.question.clone();
        let inner = asked.is_inner().then_some(SubgraphAsker { node, path, key });
        Self { id, payload, refused, inner }
    }

    /// Returns the question of `task` in `slot`; `path` is the path of the call that contains the task.
    fn asked(self, path: &str, task: &TaskId, slot: String) -> OpenQuestion {
        let Self { id, payload, refused, inner } = self;
        let own = || SubgraphAsker { node: task.node.to_string(), path: join(path, task), key: slot.clone() };
        let SubgraphAsker { node, path, key } = inner.unwrap_or_else(own);
        OpenQuestion { slot, question: Question { id, node, path, key, payload, refused } }
    }
}

/// Reads the records of the superstep after a checkpoint of the call at `path`, with writes to the given type of state.
pub(crate) fn read_pending(
    path: &str,
    records: Vec<JournalRecord>,
    state: StateType,
) -> Result<PendingSuperstep, Error> {
    let mut pending = PendingSuperstep::default();
    for record in records {
        if record.kind == RecordKind::Discard {
            pending.finished = FinishedTasks::default();
            continue;
        }
        if record.kind == RecordKind::Pause {
            pending.breakpoint = Some(decode(&record)?);
            continue;
        }
        let task = TaskId::try_from(record.task.clone()).map_err(|error| corrupt(&error.to_string()))?;
        match record.kind {
            RecordKind::Writes => {
                pending.failures.remove(&task);
                let writes = TaskWrites::decode(&record.body, state).map_err(|error| unreadable(&record, &error))?;
                pending.finished.0.insert(task, writes);
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
