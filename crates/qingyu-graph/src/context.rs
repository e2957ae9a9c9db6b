//! The API of the engine for a running node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::digest::{digest, fingerprint};
use crate::error::{Error, Mismatch};
use crate::event::{EventKind, EventSender, Question, RunEvent};
use crate::journal::{StoredStep, ThreadJournalWriter};
use crate::node::NodeError;
use crate::settings::RunSettings;
use crate::stop::{StopReason, StopTokens};
use crate::store::{JoinedWrite, RecordKind};
use crate::superstep::RememberedCall;
use crate::task_id::TaskId;

/// A handle to the engine for one execution of a node. Cheap to clone; may be moved to other tasks.
#[derive(Debug, Clone)]
pub struct Context {
    pub(crate) task: Arc<TaskScope>,
    attempt: Arc<AttemptScope>,
}

/// The data shared by all tasks of one run, in the graph or in one call of a subgraph.
#[derive(Debug)]
pub(crate) struct RunScope {
    pub(crate) thread: Arc<str>,
    pub(crate) run: Arc<str>,
    /// The scope of a subgraph call; empty for the graph.
    pub(crate) scope: Arc<str>,
    /// The context of the calling task; `None` for the graph.
    pub(crate) caller: Option<Context>,
    pub(crate) events: EventSender,
    pub(crate) stops: StopTokens,
    pub(crate) settings: RunSettings,
}

/// The data shared by all tasks of one superstep.
#[derive(Debug)]
pub(crate) struct SuperstepScope {
    pub(crate) run: Arc<RunScope>,
    /// The number of the current superstep.
    pub(crate) superstep: i64,
    /// The id of the run that created the previous checkpoint.
    pub(crate) made_by: Arc<str>,
    pub(crate) memories: BTreeMap<String, String>,
    /// Whether the superstep has a single task.
    pub(crate) is_single: bool,
    /// The journal; `None` in a run without a store.
    pub(crate) journal: Option<ThreadJournalWriter>,
}

/// The data shared by all attempts of one task.
#[derive(Debug)]
pub(crate) struct TaskScope {
    pub(crate) id: TaskId,
    pub(crate) frame: Arc<SuperstepScope>,
    pub(crate) payload: Option<Arc<Value>>,
    pub(crate) steps: Mutex<BTreeMap<String, StoredStep>>,
    pub(crate) answers: BTreeMap<String, Value>,
    /// The number of running subgraph calls.
    pub(crate) calls: AtomicUsize,
}

impl RunScope {
    /// Returns the scope of a run of the graph, and the receiver of the run's events.
    pub(crate) fn new(settings: RunSettings, thread: &str, run: &Arc<str>) -> (Self, mpsc::Receiver<Option<RunEvent>>) {
        let (events, receiver) = EventSender::channel(settings.modes);
        let (thread, run) = (thread.into(), Arc::clone(run));
        let (scope, stops) = (Arc::default(), StopTokens::default());
        (Self { thread, run, scope, caller: None, events, stops, settings }, receiver)
    }

    pub(crate) async fn tell(&self, superstep: i64, task: Option<&TaskId>, kind: EventKind) {
        self.events.send(superstep, task, kind).await;
    }
}

impl TaskScope {
    /// Returns the path of the task through the subgraph calls.
    pub(crate) fn path(&self) -> String {
        self.frame.run.events.path_of(&self.id)
    }

    /// Returns a permanent unique name for `key` in the task.
    pub(crate) fn name(&self, key: &str) -> String {
        let SuperstepScope { run, made_by, superstep, .. } = &*self.frame;
        digest(&[&run.thread, &run.scope, made_by, &superstep.to_string(), &self.id.to_string(), key])
    }

    pub(crate) async fn tell(&self, kind: EventKind) {
        self.frame.run.tell(self.frame.superstep, Some(&self.id), kind).await;
    }

    fn offer(&self, kind: EventKind) {
        self.frame.run.events.offer(self.frame.superstep, &self.id, kind);
    }
}

/// The data of one attempt.
#[derive(Debug)]
struct AttemptScope {
    number: u32,
    is_over: AtomicBool,
    last_sign_of_life: Mutex<Instant>,
    keys: Mutex<BTreeSet<(&'static str, String)>>,
    asked: Mutex<Vec<Question>>,
    joined: Mutex<Vec<JoinedWrite>>,
    remembered: Mutex<Vec<RememberedCall>>,
    /// The reason a subgraph call stopped early; `None` if no call did.
    stopped: Mutex<Option<StopReason>>,
}

impl Context {
    pub(crate) fn new(task: Arc<TaskScope>, attempt: u32) -> Self {
        let attempt = AttemptScope {
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

    /// Calls `run` once for the task and stores the result at once.
    ///
    /// After a crash, a pause or a failed attempt the stored result is returned and `run` is not called. If `run` was
    /// interrupted before the result was stored, `run` is called again. `input` is everything the result depends on: a
    /// step stored for another input fails with [`Error::ReplayMismatch`]. A key may be used once per execution of a
    /// node.
    ///
    /// A run without a store keeps results only for retries of the task.
    pub async fn step<T, E, F, W>(&self, key: &str, input: &(impl Serialize + ?Sized), run: F) -> Result<T, NodeError>
    where
        T: Serialize + DeserializeOwned,
        E: Into<NodeError>,
        F: FnOnce() -> W,
        W: Future<Output = Result<T, E>>,
    {
        self.run_step(key, input, true, run).await
    }

    /// Same as [`step`](Self::step), but a result stored for another input is returned too: for paid work whose request a
    /// later build words in another way.
    pub async fn paid_step<T, E, F, W>(
        &self,
        key: &str,
        input: &(impl Serialize + ?Sized),
        run: F,
    ) -> Result<T, NodeError>
    where
        T: Serialize + DeserializeOwned,
        E: Into<NodeError>,
        F: FnOnce() -> W,
        W: Future<Output = Result<T, E>>,
    {
        self.run_step(key, input, false, run).await
    }

    async fn run_step<T, E, F, W>(
        &self,
        key: &str,
        input: &(impl Serialize + ?Sized),
        same_input: bool,
        run: F,
    ) -> Result<T, NodeError>
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
            if same_input {
                self.refuse_other_input(key, &stored, present)?;
            }
            self.task.offer(EventKind::StepReused { key: key.to_owned() });
            return Ok(self.read_back(key, stored.result)?);
        }
        if let Some(result) = self.task.frame.run.settings.reusable.get(self.node(), key, &present).cloned() {
            self.task.offer(EventKind::StepReused { key: key.to_owned() });
            return Ok(self.keep(key, StoredStep { fingerprint: present, result }).await?);
        }
        self.task.tell(EventKind::StepStarted { key: key.to_owned() }).await;
        self.heartbeat();
        let result = run().await.map_err(Into::into)?;
        self.heartbeat();
        let result = serde_json::to_value(&result).map_err(|error| self.cannot_store("result of step", key, &error))?;
        Ok(self.keep(key, StoredStep { fingerprint: present, result }).await?)
    }

    /// Returns an error if the step was stored for another input.
    fn refuse_other_input(&self, key: &str, stored: &StoredStep, present: String) -> Result<(), Error> {
        if stored.fingerprint == present {
            return Ok(());
        }
        Err(Error::ReplayMismatch(Box::new(Mismatch {
            thread: self.thread_id().to_owned(),
            run: self.run_id().to_owned(),
            node: self.node().to_owned(),
            step: key.to_owned(),
            recorded: stored.fingerprint.clone(),
            present,
        })))
    }

    /// Stores a result before any caller sees it, and returns the deserialized value as a later reader would get it.
    async fn keep<T: DeserializeOwned>(&self, key: &str, stored: StoredStep) -> Result<T, Error> {
        self.refuse_if_over()?;
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

    /// Asks a person and returns the answer. If no answer exists yet, the run stops and waits; return the error
    /// unchanged.
    ///
    /// On resume the node starts again from the first line, and the call returns the answer. Put work before the call
    /// into a [`Context::step`]. An answer that does not deserialize to `T` is refused, and the question stays open.
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

    /// Returns the payload of the execution, sent by [`crate::Command::send`] or [`crate::Goto::send`].
    pub fn payload<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let wrong = |reason| Error::WrongPayload { node: self.node().to_owned(), reason };
        let payload = self.task.payload.as_deref().ok_or_else(|| wrong("it was not sent one".to_owned()))?;
        T::deserialize(payload).map_err(|error| wrong(error.to_string()))
    }

    /// Sends a custom event to subscribers of the run. Best effort.
    pub fn emit(&self, event: Value) {
        self.send(EventKind::Custom(event));
    }

    /// Sends a token of a model's answer to subscribers of the run. Best effort.
    pub fn emit_token(&self, token: impl Into<String>) {
        self.send(EventKind::Token(token.into()));
    }

    fn send(&self, kind: EventKind) {
        if self.refuse_if_over().is_ok() {
            self.heartbeat();
            self.task.offer(kind);
        }
    }

    /// Resets the idle timeout of the node's [`crate::TimeLimits`].
    pub fn heartbeat(&self) {
        let mut context = Some(self);
        while let Some(alive) = context {
            *lock(&alive.attempt.last_sign_of_life) = Instant::now();
            context = alive.task.frame.run.caller.as_ref();
        }
    }

    /// Adds `write` to the commit that stores the task's result, if the task succeeds.
    ///
    /// The store creates the write, for example with `SqliteStore::joined`. The write runs as often as the result is
    /// stored: once, except when the superstep is discarded for an [`Error::InvalidUpdate`] and run again.
    pub fn commit_with(&self, write: JoinedWrite) {
        lock(&self.attempt.joined).push(JoinedWrite { node: self.node().to_owned(), ..write });
    }

    /// Returns whether the run was cancelled; a node that works for long without waiting should poll.
    pub fn is_cancelled(&self) -> bool {
        self.task.frame.run.stops.cancel.is_cancelled()
    }

    /// Waits until the run is cancelled.
    pub async fn cancelled(&self) {
        self.task.frame.run.stops.cancel.cancelled().await;
    }

    /// Returns the number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt.number
    }

    /// Returns the current time of the thread's clock.
    pub fn now(&self) -> Timestamp {
        self.task.frame.run.settings.clock.now()
    }

    /// Returns the node's name.
    pub fn node(&self) -> &str {
        &self.task.id.node
    }

    /// Returns the number of the superstep, counted in the graph or subgraph that contains the node.
    pub fn superstep(&self) -> i64 {
        self.task.frame.superstep
    }

    /// Returns the id of the run; every start or resume has a new id.
    pub fn run_id(&self) -> &str {
        &self.task.frame.run.run
    }

    /// Returns the thread's id.
    pub fn thread_id(&self) -> &str {
        &self.task.frame.run.thread
    }

    /// Removes and returns the unanswered questions; if there are any, the task is interrupted, whatever the node
    /// returned.
    pub(crate) fn take_asked(&self) -> Vec<Question> {
        std::mem::take(&mut *lock(&self.attempt.asked))
    }

    /// Forwards the questions of a subgraph.
    pub(crate) fn pass_on(&self, questions: impl IntoIterator<Item = Question>) {
        lock(&self.attempt.asked).extend(questions);
    }

    /// Returns the reason a subgraph call stopped, if any did; the task is then neither finished nor failed.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        *lock(&self.attempt.stopped)
    }

    pub(crate) fn stop(&self, why: StopReason) {
        *lock(&self.attempt.stopped) = Some(why);
    }

    pub(crate) fn take_remembered(&self) -> Vec<RememberedCall> {
        std::mem::take(&mut *lock(&self.attempt.remembered))
    }

    pub(crate) fn remember(&self, call: RememberedCall) {
        lock(&self.attempt.remembered).push(call);
    }

    pub(crate) fn take_joined(&self) -> Vec<JoinedWrite> {
        std::mem::take(&mut *lock(&self.attempt.joined))
    }

    pub(crate) fn last_sign_of_life(&self) -> Instant {
        *lock(&self.attempt.last_sign_of_life)
    }

    /// Ends the attempt: later calls on a leaked context fail and store nothing.
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
