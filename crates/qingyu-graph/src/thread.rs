//! One thread of a graph: starting, resuming, answering, looking.

mod call;
mod history;
mod upkeep;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::clock::{Clock, system_clock};
use crate::event::{Mode, Modes, Question};
use crate::journal::{Asked, Change, Durability, Loaded, Pending, Source, Weight, Writer};
use crate::lease::Held;
use crate::run::Run;
use crate::store::Journal;
use crate::superstep::{Checkpoint, Due, TaskId, plan, preview};
use crate::{CompiledGraph, Delta, Error, State, Store, ThreadId};

pub use call::Call;
pub use history::{CheckpointId, Moment, Page, Past};

/// A thread of a graph in a store. Holds nothing open; every method looks at the store anew.
#[derive(Debug, Clone)]
pub struct Thread<S: State> {
    graph: CompiledGraph<S>,
    store: Arc<dyn Store>,
    id: ThreadId,
    settings: Settings,
}

/// How the runs of a thread behave.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) recursion_limit: u32,
    pub(crate) max_concurrency: usize,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) modes: Modes,
    #[cfg(any(test, feature = "testing"))]
    pub(crate) in_finishing_order: bool,
    durability: Durability,
    lease: Duration,
    on_unfinished: OnUnfinished,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            recursion_limit: 50,
            max_concurrency: usize::MAX,
            clock: system_clock(),
            modes: Modes::default(),
            #[cfg(any(test, feature = "testing"))]
            in_finishing_order: false,
            durability: Durability::Sync,
            lease: Duration::from_secs(8),
            on_unfinished: OnUnfinished::Reject,
        }
    }
}

/// What [`Thread::start`] does with a thread that still has something to run or to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnfinished {
    /// Refuses the input with [`Error::Unfinished`].
    #[default]
    Reject,
    /// Gives up what was still to run, with the questions and finished writes of that superstep, and starts anew on
    /// the state of the last checkpoint.
    Discard,
}

/// A thread as it stands in the store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot<S> {
    /// The checkpoint that it shows.
    pub checkpoint: CheckpointId,
    /// The state, with the writes of tasks that have finished in a superstep that has not.
    pub state: S,
    /// The state without those writes, if there are any.
    committed: Option<S>,
    /// The nodes that still have to run or are waiting.
    pub next: Vec<String>,
    /// What people are asked.
    pub questions: Vec<Question>,
    /// The superstep of that checkpoint; −1 after the first input.
    pub superstep: i64,
    /// Why the last run stopped, if a node failed.
    pub error: Option<Failure>,
}

/// A node's failure, as it was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The node.
    pub node: String,
    /// What it said.
    pub message: String,
}

impl<S: State> Thread<S> {
    pub(crate) fn new(graph: CompiledGraph<S>, store: Arc<dyn Store>, id: ThreadId) -> Self {
        Self { graph, store, id, settings: Settings::default() }
    }

    /// How many supersteps one run may take; 50 if nothing is said.
    #[must_use]
    pub fn recursion_limit(mut self, supersteps: u32) -> Self {
        self.settings.recursion_limit = supersteps;
        self
    }

    /// How many tasks of one superstep run at once; all of them if nothing is said.
    #[must_use]
    pub fn max_concurrency(mut self, tasks: NonZeroUsize) -> Self {
        self.settings.max_concurrency = tasks.get();
        self
    }

    /// What new input does to an unfinished thread.
    #[must_use]
    pub fn on_unfinished(mut self, policy: OnUnfinished) -> Self {
        self.settings.on_unfinished = policy;
        self
    }

    /// How long another process waits before it may take the thread over from one that is gone; 8 s if nothing is said.
    #[must_use]
    pub fn lease(mut self, duration: Duration) -> Self {
        self.settings.lease = duration;
        self
    }

    /// When its runs are stored; every superstep before the next one if nothing is said.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.settings.durability = durability;
        self
    }

    /// Which events its runs send; all but [`Mode::Values`] if nothing is said.
    #[must_use]
    pub fn modes(mut self, modes: impl IntoIterator<Item = Mode>) -> Self {
        self.settings.modes = modes.into_iter().collect();
        self
    }

    /// The clock that nodes see.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Plants a bug for those who test that they would see it: writes are folded in the order in which tasks finish.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn folding_in_finishing_order(mut self) -> Self {
        self.settings.in_finishing_order = true;
        self
    }

    /// The thread's id.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// Gives the thread input and runs it from the start. A finished thread keeps its state and goes on from it.
    ///
    /// The input is an update, or the state's input view.
    pub async fn start(&self, input: impl Into<S::Update>) -> Result<Run<S>, Error> {
        let input = input.into();
        self.run(|loaded, writer| Box::pin(self.begin(input, loaded, writer))).await
    }

    /// Gives a new thread its first input; else as [`start`](Self::start). For whoever has found that there is no such
    /// thread: it may have been started since, and may even have finished.
    ///
    /// Fails with [`Error::ThreadExists`] then.
    pub async fn start_new(&self, input: impl Into<S::Update>) -> Result<Run<S>, Error> {
        let input = input.into();
        self.run(|loaded, writer| match loaded {
            Some(_) => Box::pin(async { Err(Error::ThreadExists { thread: self.id.to_string() }) }),
            None => Box::pin(self.begin(input, None, writer)),
        })
        .await
    }

    /// Goes on from the newest checkpoint: after a crash, a cancelled run or an error. What had finished is not
    /// repeated. A thread that waits for answers keeps waiting, a finished one is finished at once.
    pub async fn resume(&self) -> Result<Run<S>, Error> {
        self.run(|loaded, writer| Box::pin(self.go_on(Answers::None, loaded, writer))).await
    }

    /// Answers the only open question and goes on.
    pub async fn answer(&self, value: impl Serialize) -> Result<Run<S>, Error> {
        let value = answer_value(value)?;
        self.run(|loaded, writer| Box::pin(self.go_on(Answers::Single(value), loaded, writer))).await
    }

    /// Answers questions by id and goes on; those left open keep waiting.
    pub async fn answer_map<V: Serialize>(&self, answers: BTreeMap<String, V>) -> Result<Run<S>, Error> {
        let answers = answers.into_iter().map(|(id, value)| Ok((id, answer_value(value)?)));
        let answers = answers.collect::<Result<_, Error>>()?;
        self.run(|loaded, writer| Box::pin(self.go_on(Answers::ById(answers), loaded, writer))).await
    }

    /// The thread as it stands; `None` if it was never started. Works while somebody runs it.
    pub async fn snapshot(&self) -> Result<Option<Snapshot<S>>, Error> {
        let Some(journal) = self.store.newest(&self.id, "").await? else { return Ok(None) };
        Ok(Some(Snapshot::of(Loaded::read(journal, &self.graph.inner)?)))
    }

    /// Takes the lease, prepares the thread with `prepare`, and sets a driver to work on it.
    async fn run<'a>(
        &'a self,
        prepare: impl FnOnce(Option<Loaded<S>>, Writer) -> Preparing<'a, Ready<S>>,
    ) -> Result<Run<S>, Error> {
        let read = |journal| Loaded::read(journal, &self.graph.inner);
        let (held, ready) = self.hold(self.settings.durability, read, prepare).await?;
        Ok(self.spawn(held, ready))
    }

    fn spawn(&self, held: Held, ready: Ready<S>) -> Run<S> {
        Run::spawn(self.graph.clone(), self.settings.clone(), self.id.as_str(), ready, Some(held))
    }

    /// Takes the lease and does `work` on what `read` makes of the newest checkpoint. If it fails, the lease is given back at once.
    async fn hold<'a, L, T>(
        &'a self,
        durability: Durability,
        read: impl FnOnce(Journal) -> Result<L, Error>,
        work: impl FnOnce(Option<L>, Writer) -> Preparing<'a, T>,
    ) -> Result<(Held, T), Error> {
        let held = Held::acquire(Arc::clone(&self.store), &self.id, self.settings.lease).await?;
        let prepared = async {
            let newest = self.store.newest(&self.id, "").await?;
            let mut writer = Writer::new(Arc::clone(&self.store), held.lease(), durability);
            if let Some(journal) = &newest {
                writer.build_on(journal.head, journal.branch());
            }
            work(newest.map(read).transpose()?, writer).await
        };
        match prepared.await {
            Ok(done) => Ok((held, done)),
            Err(error) => {
                held.release().await;
                Err(error)
            }
        }
    }

    async fn begin(&self, input: S::Update, loaded: Option<Loaded<S>>, mut writer: Writer) -> Result<Ready<S>, Error> {
        let graph = &self.graph.inner;
        let mut whole = true;
        let mut weight = Weight::default();
        let mut before = None;
        if let Some(loaded) = loaded {
            let finished = loaded.checkpoint.next.is_empty();
            if !finished && self.settings.on_unfinished == OnUnfinished::Reject {
                let next = loaded.checkpoint.next.iter().map(ToString::to_string).collect();
                return Err(Error::Unfinished { thread: self.id.to_string(), next });
            }
            self.refuse_changed(&loaded, true)?;
            whole = loaded.graph != graph.blueprint;
            weight = loaded.weight;
            before = Some(loaded.checkpoint);
        }
        let mut delta = Delta::default();
        let run = new_run();
        let checkpoint = first_checkpoint(&self.graph, &run, before, input, Some(&mut delta))?;
        let change = Change { source: Source::Input, delta, graph: &graph.blueprint, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(Ready { run, checkpoint, pending: Pending::default(), weight, writer: Some(writer) })
    }

    async fn go_on(&self, answers: Answers, loaded: Option<Loaded<S>>, writer: Writer) -> Result<Ready<S>, Error> {
        let thread = || self.id.to_string();
        let loaded = loaded.ok_or_else(|| Error::NoSuchThread { thread: thread() })?;
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let Loaded { checkpoint, mut pending, weight, .. } = loaded;
        let open: Vec<(TaskId, Asked)> = pending
            .questions
            .iter()
            .flat_map(|(task, asked)| asked.iter().map(|asked| (task.clone(), asked.clone())))
            .collect();
        let mut records = Vec::new();
        for (id, value) in answers.by_id(&open, thread)? {
            let found = open.iter().find(|(_, asked)| asked.question.id == id);
            let (task, asked) = found.ok_or_else(|| Error::NoSuchQuestion { thread: thread(), id })?;
            records.push(writer.answer(task, asked, value.clone())?);
            pending.answer(task, &asked.slot, value);
        }
        if !records.is_empty() {
            writer.append(records, Vec::new()).await?;
        }
        Ok(Ready { run: new_run(), checkpoint, pending, weight, writer: Some(writer) })
    }

    fn refuse_changed(&self, loaded: &Loaded<S>, finished: bool) -> Result<(), Error> {
        loaded.refuse_changed(self.id.as_str(), &self.graph.inner.blueprint, finished)
    }
}

type Preparing<'a, T> = futures::future::BoxFuture<'a, Result<T, Error>>;

impl<S: State> Snapshot<S> {
    fn of(loaded: Loaded<S>) -> Self {
        let Loaded { checkpoint, pending, head, .. } = loaded;
        // Writes that contradict each other are not shown; the next run reports them.
        let has_writes = !pending.finished.0.is_empty();
        let state = has_writes.then(|| preview(&checkpoint, &pending.finished).ok()).flatten();
        let next = plan(&checkpoint, &pending.finished, |_| false).iter().map(ToString::to_string).collect();
        let failed = checkpoint.next.iter().find_map(|task| pending.failures.get_key_value(task));
        let questions = pending.open_questions(&checkpoint);
        let superstep = checkpoint.superstep;
        let committed = Arc::unwrap_or_clone(checkpoint.state);
        let (state, committed) = match state {
            Some(state) => (state, Some(committed)),
            None => (committed, None),
        };
        Self {
            checkpoint: CheckpointId::from(head),
            state,
            committed,
            next,
            questions,
            superstep,
            error: failed.map(|(task, message)| Failure { node: task.to_string(), message: message.clone() }),
        }
    }

    /// The state of the last checkpoint.
    pub fn committed(&self) -> &S {
        self.committed.as_ref().unwrap_or(&self.state)
    }
}

/// A thread, or the call of a subgraph, that a driver can go on with.
pub(crate) struct Ready<S: State> {
    pub(crate) run: Arc<str>,
    pub(crate) checkpoint: Checkpoint<S>,
    pub(crate) pending: Pending<S::Update>,
    pub(crate) weight: Weight,
    /// `None` in a run without a store.
    pub(crate) writer: Option<Writer>,
}

impl<S: State> Ready<S> {
    /// A run that keeps nothing.
    pub(crate) fn without_store(graph: &CompiledGraph<S>, input: S::Update) -> Result<Self, Error> {
        let run = new_run();
        let checkpoint = first_checkpoint(graph, &run, None, input, None)?;
        Ok(Self { run, checkpoint, pending: Pending::default(), weight: Weight::default(), writer: None })
    }
}

/// The id of a run that begins now.
pub(crate) fn new_run() -> Arc<str> {
    Uuid::now_v7().to_string().into()
}

/// The checkpoint that an input leads to.
pub(crate) fn first_checkpoint<S: State>(
    graph: &CompiledGraph<S>,
    run: &Arc<str>,
    before: Option<Checkpoint<S>>,
    input: S::Update,
    delta: Option<&mut Delta>,
) -> Result<Checkpoint<S>, Error> {
    let superstep = before.as_ref().map_or(-1, |checkpoint| checkpoint.superstep + 1);
    let Checkpoint { state, memories, .. } = before.unwrap_or_default();
    let mut state = Arc::unwrap_or_clone(state);
    state.fold(vec![(crate::START.into(), input)], delta)?;
    let due = Due { run: Arc::clone(run), memories, ..graph.inner.entry(&state)? };
    Ok(due.checkpoint(&graph.inner.topology, superstep, Arc::new(state), BTreeMap::new()))
}

enum Answers {
    None,
    Single(Value),
    ById(BTreeMap<String, Value>),
}

impl Answers {
    fn by_id(self, open: &[(TaskId, Asked)], thread: impl Fn() -> String) -> Result<BTreeMap<String, Value>, Error> {
        match (self, open) {
            (Self::None, _) => Ok(BTreeMap::new()),
            (Self::ById(answers), _) => Ok(answers),
            (Self::Single(value), [(_, asked)]) => Ok(BTreeMap::from([(asked.question.id.clone(), value)])),
            (Self::Single(_), []) => Err(Error::NoSuchQuestion { thread: thread(), id: "-".to_owned() }),
            (Self::Single(_), several) => Err(Error::SeveralQuestions {
                thread: thread(),
                ids: several.iter().map(|(_, asked)| asked.question.id.clone()).collect(),
            }),
        }
    }
}

fn answer_value(value: impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value)
        .map_err(|error| Error::Encode { what: "the answer".to_owned(), reason: error.to_string() })
}
