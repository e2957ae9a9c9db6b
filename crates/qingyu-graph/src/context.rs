//! What a node can do besides returning an update.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::digest::{digest, fingerprint};
use crate::driver::Stops;
use crate::error::{Error, Mismatch};
use crate::event::{Event, EventKind, Events, Question};
use crate::journal::Writer;
use crate::node::NodeError;
use crate::store::{JoinedWrite, RecordKind};
use crate::superstep::{Remembered, TaskId};
use crate::thread::Settings;

/// The engine, as one execution of a node sees it. Cheap to clone; may be handed to other tasks.
#[derive(Debug, Clone)]
pub struct Context {
    pub(crate) task: Arc<TaskScope>,
    attempt: Arc<Attempt>,
}

/// What all tasks of one run share, in the graph or in one call of a subgraph.
#[derive(Debug)]
pub(crate) struct RunScope {
    pub(crate) thread: Arc<str>,
    pub(crate) run: Arc<str>,
    /// The call of a subgraph; empty for the graph itself.
    pub(crate) scope: Arc<str>,
    /// The task that made the call.
    pub(crate) caller: Option<Context>,
    pub(crate) events: Events,
    pub(crate) stops: Stops,
    pub(crate) settings: Settings,
}

/// What all tasks of one superstep share.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) run: Arc<RunScope>,
    /// The superstep that is under way.
    pub(crate) superstep: i64,
    /// The run that made the checkpoint before it.
    pub(crate) made_by: Arc<str>,
    pub(crate) memories: BTreeMap<String, String>,
    /// Whether the superstep has but one task.
    pub(crate) is_single: bool,
    /// `None` in a run without a store.
    pub(crate) journal: Option<Writer>,
}

/// What all attempts of one task share.
#[derive(Debug)]
pub(crate) struct TaskScope {
    pub(crate) id: TaskId,
    pub(crate) frame: Arc<Frame>,
    pub(crate) payload: Option<Arc<Value>>,
    pub(crate) steps: Mutex<BTreeMap<String, StoredStep>>,
    pub(crate) answers: BTreeMap<String, Value>,
    /// How many calls of subgraphs are under way.
    pub(crate) calls: AtomicUsize,
}

impl RunScope {
    /// The scope of a run of the graph itself, and the reading end of its events.
    pub(crate) fn new(settings: Settings, thread: &str, run: &Arc<str>) -> (Self, mpsc::Receiver<Option<Event>>) {
        let (events, receiver) = Events::channel(settings.modes);
        let (thread, run) = (thread.into(), Arc::clone(run));
        let (scope, stops) = (Arc::default(), Stops::default());
        (Self { thread, run, scope, caller: None, events, stops, settings }, receiver)
    }

    pub(crate) async fn tell(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) {
        self.events.send(superstep, task, kind).await;
    }
}

impl TaskScope {
    /// The task, through the calls that lead to it.
    pub(crate) fn path(&self) -> String {
        self.frame.run.events.path_of(&self.id)
    }

    /// Names something of this task for ever.
    pub(crate) fn name(&self, key: &str) -> String {
        let Frame { run, made_by, superstep, .. } = &*self.frame;
        digest(&[&run.thread, &run.scope, made_by, &superstep.to_string(), &self.id.to_string(), key])
    }

    pub(crate) async fn tell(&self, kind: EventKind) {
        self.frame.run.tell(self.frame.superstep, Some(&self.id), kind).await;
    }

    fn offer(&self, kind: EventKind) {
        self.frame.run.events.offer(self.frame.superstep, &self.id, kind);
    }
}

/// The result of a step, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredStep {
    fingerprint: String,
    result: Value,
}

/// What belongs to one attempt only.
#[derive(Debug)]
struct Attempt {
    number: u32,
    is_over: AtomicBool,
    last_sign_of_life: Mutex<Instant>,
    keys: Mutex<BTreeSet<(&'static str, String)>>,
    asked: Mutex<Vec<Question>>,
    joined: Mutex<Vec<JoinedWrite>>,
    remembered: Mutex<Vec<Remembered>>,
    /// Why a call of a subgraph has stopped without an end.
    stopped: Mutex<Option<Stopped>>,
}

/// Why a run stops without an end, a question or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// At a breakpoint.
    Paused,
    /// Somebody cancelled or drained it.
    Cancelled,
}

impl Context {
    pub(crate) fn new(task: Arc<TaskScope>, attempt: u32) -> Self {
        let attempt = Attempt {
            number: attempt,
            is_over: AtomicBool::new(false),
            last_sign_of_life: Mutex::new(Instant::now()),
            keys: Mutex::default(),
            asked: Mutex::default(),
            joined: Mutex::default(),
            remembered: Mutex::default(),
            stopped: Mutex::default(),
        };
        Self { task, attempt: Arc::new(attempt) }
    }

    /// Carries out `run` once for this task and keeps its result at once.
    ///
    /// After a crash, a pause or a failed attempt the kept result is returned and `run` is not called. If `run` was
    /// interrupted before its result was kept, it is called again. `input` is whatever the result depends on: a step
    /// that was kept for another input is refused with [`Error::ReplayMismatch`]. A key may be used once in an
    /// execution of a node.
    ///
    /// A run without a store keeps results for the attempts of the task only.
    pub async fn step<T, E, F, W>(&self, key: &str, input: &(impl Serialize + ?Sized), run: F) -> Result<T, NodeError>
    where
        T: Serialize + DeserializeOwned,
        E: Into<NodeError>,
        F: FnOnce() -> W,
        W: Future<Output = Result<T, E>>,
    {
        self.use_key("step", key)?;
        let present = fingerprint(input).map_err(|error| self.cannot_store("input of step", key, &error))?;
        let stored = lock(&self.task.steps).get(key).cloned();
        if let Some(stored) = stored {
            return Ok(self.reuse(key, stored, present)?);
        }
        self.task.tell(EventKind::StepStarted { key: key.to_owned() }).await;
        self.heartbeat();
        let result = run().await.map_err(Into::into)?;
        self.heartbeat();
        Ok(self.keep(key, present, &result).await?)
    }

    fn reuse<T: DeserializeOwned>(&self, key: &str, stored: StoredStep, present: String) -> Result<T, Error> {
        if stored.fingerprint != present {
            return Err(Error::ReplayMismatch(Box::new(Mismatch {
                thread: self.thread_id().to_owned(),
                run: self.run_id().to_owned(),
                node: self.node().to_owned(),
                step: key.to_owned(),
                recorded: stored.fingerprint,
                present,
            })));
        }
        self.task.offer(EventKind::StepReused { key: key.to_owned() });
        self.read_back(key, stored.result)
    }

    /// Stores a result before anybody sees it, and returns it as a later reader would get it.
    async fn keep<T>(&self, key: &str, fingerprint: String, result: &T) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned,
    {
        let result = serde_json::to_value(result).map_err(|error| self.cannot_store("result of step", key, &error))?;
        self.refuse_if_over()?;
        let stored = StoredStep { fingerprint, result };
        if let Some(journal) = &self.task.frame.journal {
            let record = journal.record(RecordKind::Step, &self.task.id, key, &stored)?;
            journal.append(vec![record], Vec::new()).await?;
        }
        let result = stored.result.clone();
        lock(&self.task.steps).insert(key.to_owned(), stored);
        self.read_back(key, result)
    }

    fn read_back<T: DeserializeOwned>(&self, key: &str, result: Value) -> Result<T, Error> {
        serde_json::from_value(result).map_err(|error| Error::Corrupt {
            reason: format!("the result of step `{key}` of {} cannot be read back: {error}", self.node()),
        })
    }

    fn cannot_store(&self, what: &str, key: &str, error: &serde_json::Error) -> Error {
        Error::Encode { what: format!("the {what} `{key}` of {}", self.node()), reason: error.to_string() }
    }

    /// Asks a person. Without an answer yet, the run stops and waits; return the error as it is.
    ///
    /// When the run goes on the node starts again from its first line, and this returns the answer. Work before it
    /// belongs in a [`Context::step`]. An answer that is not a `T` is refused, and the question stays open.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        key: &str,
        question: &(impl Serialize + ?Sized),
    ) -> Result<T, NodeError> {
        self.use_key("question", key)?;
        if self.task.frame.journal.is_none() {
            return Err(Error::CannotWait { node: self.node().to_owned(), key: key.to_owned() }.into());
        }
        let refused = match self.task.answers.get(key).map(T::deserialize) {
            Some(Ok(answer)) => return Ok(answer),
            Some(Err(error)) => Some(error.to_string()),
            None => None,
        };
        let payload = serde_json::to_value(question).map_err(|error| self.cannot_store("question", key, &error))?;
        let (id, node, path) = (self.task.name(key), self.node().to_owned(), self.task.path());
        self.pass_on([Question { id, node, path, key: key.to_owned(), payload, refused }]);
        Err(NodeError::Interrupted)
    }

    /// What this execution was sent, by [`crate::Command::send`] or [`crate::Goto::send`].
    pub fn payload<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let wrong = |reason| Error::WrongPayload { node: self.node().to_owned(), reason };
        let payload = self.task.payload.as_deref().ok_or_else(|| wrong("it was not sent one".to_owned()))?;
        T::deserialize(payload).map_err(|error| wrong(error.to_string()))
    }

    /// Sends an event of the node's own to whoever follows the run. Best effort.
    pub fn emit(&self, event: Value) {
        self.send(EventKind::Custom(event));
    }

    /// Passes on a piece of a model's answer to whoever follows the run. Best effort.
    pub fn emit_token(&self, token: impl Into<String>) {
        self.send(EventKind::Token(token.into()));
    }

    fn send(&self, kind: EventKind) {
        if self.refuse_if_over().is_ok() {
            self.heartbeat();
            self.task.offer(kind);
        }
    }

    /// Shows that the node is still at work, for an idle limit of its [`crate::TimeLimits`].
    pub fn heartbeat(&self) {
        let mut context = Some(self);
        while let Some(alive) = context {
            *lock(&alive.attempt.last_sign_of_life) = Instant::now();
            context = alive.task.frame.run.caller.as_ref();
        }
    }

    /// Carries out `write` in the commit that stores this task's result, if the task ends well.
    ///
    /// The store makes the write, for example `SqliteStore::joined`. It happens as often as the result is stored: once,
    /// except when the superstep is thrown away for an [`Error::InvalidUpdate`] and run again.
    pub fn commit_with(&self, write: JoinedWrite) {
        lock(&self.attempt.joined).push(JoinedWrite { node: self.node().to_owned(), ..write });
    }

    /// Whether the run was cancelled; a node that works for long without waiting looks now and then.
    pub fn is_cancelled(&self) -> bool {
        self.task.frame.run.stops.cancel.is_cancelled()
    }

    /// Waits until the run is cancelled.
    pub async fn cancelled(&self) {
        self.task.frame.run.stops.cancel.cancelled().await;
    }

    /// Which attempt this is, counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt.number
    }

    /// The present moment, from the thread's clock.
    pub fn now(&self) -> Timestamp {
        self.task.frame.run.settings.clock.now()
    }

    /// The node's name.
    pub fn node(&self) -> &str {
        &self.task.id.node
    }

    /// The superstep, counted in the graph or subgraph that the node belongs to.
    pub fn superstep(&self) -> i64 {
        self.task.frame.superstep
    }

    /// The id of this run; another start or resume has another.
    pub fn run_id(&self) -> &str {
        &self.task.frame.run.run
    }

    /// The thread's id.
    pub fn thread_id(&self) -> &str {
        &self.task.frame.run.thread
    }

    /// What was asked without an answer; not empty means that the task is interrupted, whatever the node returned.
    pub(crate) fn take_asked(&self) -> Vec<Question> {
        std::mem::take(&mut *lock(&self.attempt.asked))
    }

    /// Asks what a subgraph asks.
    pub(crate) fn pass_on(&self, questions: impl IntoIterator<Item = Question>) {
        lock(&self.attempt.asked).extend(questions);
    }

    /// Why a call of a subgraph has stopped, if one has; the task is then neither finished nor failed.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        *lock(&self.attempt.stopped)
    }

    pub(crate) fn stop(&self, why: Stopped) {
        *lock(&self.attempt.stopped) = Some(why);
    }

    pub(crate) fn take_remembered(&self) -> Vec<Remembered> {
        std::mem::take(&mut *lock(&self.attempt.remembered))
    }

    pub(crate) fn remember(&self, call: Remembered) {
        lock(&self.attempt.remembered).push(call);
    }

    pub(crate) fn take_joined(&self) -> Vec<JoinedWrite> {
        std::mem::take(&mut *lock(&self.attempt.joined))
    }

    pub(crate) fn last_sign_of_life(&self) -> Instant {
        *lock(&self.attempt.last_sign_of_life)
    }

    /// Ends the attempt: whoever kept its context cannot store anything any more.
    pub(crate) fn end(&self) {
        self.attempt.is_over.store(true, Ordering::SeqCst);
    }

    fn refuse_if_over(&self) -> Result<(), Error> {
        if self.attempt.is_over.load(Ordering::SeqCst) {
            return Err(Error::TooLate { node: self.node().to_owned() });
        }
        Ok(())
    }

    pub(crate) fn use_key(&self, space: &'static str, key: &str) -> Result<(), Error> {
        self.refuse_if_over()?;
        if lock(&self.attempt.keys).insert((space, key.to_owned())) {
            return Ok(());
        }
        Err(Error::DuplicateKey { node: self.node().to_owned(), key: key.to_owned() })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
