//! The handle of a thread: settings, start, resume, answer.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

use super::snapshot::Snapshot;
use crate::breakpoint::Breakpoints;
use crate::clock::RunClock;
use crate::compiled::CompiledGraph;
use crate::error::Error;
use crate::event::Mode;
use crate::journal::{
    CheckpointChange, Durability, OpenQuestion, PendingSuperstep, ReplayWeight, Source, ThreadJournalWriter,
};
use crate::lease::HeldLease;
use crate::loaded::LoadedThread;
use crate::ready::{ReadyThread, first_checkpoint, new_run};
use crate::reuse::ReusableSteps;
use crate::run::GraphRun;
use crate::settings::{OnUnfinished, RunSettings};
use crate::state::{Delta, State};
use crate::store::{CheckpointJournal, Store, ThreadId};
use crate::task_id::TaskId;

/// A thread of a graph in a store. Keeps no state; every method fetches from the store.
#[derive(Debug, Clone)]
pub struct Thread<S: State> {
    pub(super) graph: CompiledGraph<S>,
    pub(super) store: Arc<dyn Store>,
    pub(super) id: ThreadId,
    pub(super) settings: RunSettings,
}

impl<S: State> CompiledGraph<S> {
    /// Returns the thread `id` in `store`, which may or may not exist yet.
    pub fn thread(&self, store: Arc<dyn Store>, id: impl Into<ThreadId>) -> Thread<S> {
        Thread::new(self.clone(), store, id.into())
    }
}

impl<S: State> Thread<S> {
    fn new(graph: CompiledGraph<S>, store: Arc<dyn Store>, id: ThreadId) -> Self {
        Self { graph, store, id, settings: RunSettings::default() }
    }

    /// Sets the maximum number of supersteps of one run; default 50.
    #[must_use]
    pub fn recursion_limit(mut self, supersteps: u32) -> Self {
        self.settings.recursion_limit = supersteps;
        self
    }

    /// Sets the maximum number of concurrent tasks; unlimited by default.
    #[must_use]
    pub fn max_concurrency(mut self, tasks: NonZeroUsize) -> Self {
        self.settings.max_concurrency = tasks.get();
        self
    }

    /// Sets the policy for new input to an unfinished thread.
    #[must_use]
    pub fn on_unfinished(mut self, policy: OnUnfinished) -> Self {
        self.settings.on_unfinished = policy;
        self
    }

    /// Sets the duration of the lease, after which another process may take over the thread of a dead process; default
    /// 8 s.
    #[must_use]
    pub fn lease(mut self, duration: Duration) -> Self {
        self.settings.lease = duration;
        self
    }

    /// Sets the durability of runs; by default every superstep is committed before the next.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.settings.durability = durability;
        self
    }

    /// Sets the modes of events that runs send; by default all but [`Mode::Values`].
    #[must_use]
    pub fn modes(mut self, modes: impl IntoIterator<Item = Mode>) -> Self {
        self.settings.modes = modes.into_iter().collect();
        self
    }

    /// Sets breakpoints for runs of the thread, besides the breakpoints of the graph: runs stop before a node of `before`
    /// becomes due, and after a node of `after` has run, unless nothing follows. A name without a node has no effect.
    #[must_use]
    pub fn breakpoints<N: Into<String>>(
        mut self,
        before: impl IntoIterator<Item = N>,
        after: impl IntoIterator<Item = N>,
    ) -> Self {
        let before = before.into_iter().map(Into::into).collect();
        let after = after.into_iter().map(Into::into).collect();
        self.settings.breakpoints = Arc::new(Breakpoints { before, after });
        self
    }

    /// Sets results of other threads: a step of the same node with the same key and input is not executed.
    #[must_use]
    pub fn reusing(mut self, steps: ReusableSteps) -> Self {
        self.settings.reusable = Arc::new(steps);
        self
    }

    /// Sets the clock that nodes read.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn RunClock>) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Enables a deliberate bug, for tests that must detect it: writes are folded in the order in which tasks finish.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn folding_in_finishing_order(mut self) -> Self {
        self.settings.in_finishing_order = true;
        self
    }

    /// Returns the thread's id.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// Starts a run with input and returns the handle. A finished thread keeps its state and continues from there.
    ///
    /// The input is an update, or the state's input view.
    pub async fn start(&self, input: impl Into<S::Update>) -> Result<GraphRun<S>, Error> {
        let input = input.into();
        self.run(|loaded, writer| Box::pin(self.begin(input, loaded, writer))).await
    }

    /// Starts a new thread with its first input; otherwise as [`start`](Self::start). For callers who have found no
    /// such thread: another caller may have started the thread since, and the run may even have finished.
    ///
    /// Fails with [`Error::ThreadExists`] then.
    pub async fn start_new(&self, input: impl Into<S::Update>) -> Result<GraphRun<S>, Error> {
        let input = input.into();
        self.run(|loaded, writer| match loaded {
            Some(_) => Box::pin(async { Err(Error::ThreadExists { thread: self.id.to_string() }) }),
            None => Box::pin(self.begin(input, None, writer)),
        })
        .await
    }

    /// Resumes from the newest checkpoint: after a crash, a cancelled run or an error. Finished tasks are not repeated.
    /// A thread that waits for answers keeps waiting, a finished thread finishes at once.
    pub async fn resume(&self) -> Result<GraphRun<S>, Error> {
        self.run(|loaded, writer| Box::pin(self.go_on(GivenAnswers::None, loaded, writer))).await
    }

    /// Answers the only open question and resumes.
    pub async fn answer(&self, value: impl Serialize) -> Result<GraphRun<S>, Error> {
        let value = answer_value(value)?;
        self.run(|loaded, writer| Box::pin(self.go_on(GivenAnswers::Single(value), loaded, writer))).await
    }

    /// Answers questions by id and resumes; questions left open keep waiting.
    pub async fn answer_map<V: Serialize>(&self, answers: BTreeMap<String, V>) -> Result<GraphRun<S>, Error> {
        let answers = answers.into_iter().map(|(id, value)| Ok((id, answer_value(value)?)));
        let answers = answers.collect::<Result<_, Error>>()?;
        self.run(|loaded, writer| Box::pin(self.go_on(GivenAnswers::ById(answers), loaded, writer))).await
    }

    /// Returns the stored thread; `None` if the thread was never started. Also works while the thread is running.
    pub async fn snapshot(&self) -> Result<Option<Snapshot<S>>, Error> {
        let Some(journal) = self.store.newest(&self.id, "").await? else { return Ok(None) };
        Ok(Some(Snapshot::of(LoadedThread::read(journal, &self.graph.inner)?)))
    }

    /// Acquires the lease, prepares the thread with `prepare`, and spawns a driver.
    async fn run<'a>(
        &'a self,
        prepare: impl FnOnce(Option<LoadedThread<S>>, ThreadJournalWriter) -> ThreadPreparation<'a, ReadyThread<S>>,
    ) -> Result<GraphRun<S>, Error> {
        let read = |journal| LoadedThread::read(journal, &self.graph.inner);
        let (held, ready) = self.hold(self.settings.durability, read, prepare).await?;
        Ok(self.spawn(held, ready))
    }

    /// Spawns a driver for a prepared thread.
    pub(super) fn spawn(&self, held: HeldLease, ready: ReadyThread<S>) -> GraphRun<S> {
        GraphRun::spawn(self.graph.clone(), self.settings.clone(), self.id.as_str(), ready, Some(held))
    }

    /// Acquires the lease and calls `work` with the result of `read` for the newest checkpoint. On an error the lease
    /// is released at once.
    pub(super) async fn hold<'a, L, T>(
        &'a self,
        durability: Durability,
        read: impl FnOnce(CheckpointJournal) -> Result<L, Error>,
        work: impl FnOnce(Option<L>, ThreadJournalWriter) -> ThreadPreparation<'a, T>,
    ) -> Result<(HeldLease, T), Error> {
        let held = HeldLease::acquire(Arc::clone(&self.store), &self.id, self.settings.lease).await?;
        let prepared = async {
            let newest = self.store.newest(&self.id, "").await?;
            let (store, clock) = (Arc::clone(&self.store), Arc::clone(&self.settings.clock));
            let mut writer = ThreadJournalWriter::new(store, held.lease(), durability, clock);
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

    async fn begin(
        &self,
        input: S::Update,
        loaded: Option<LoadedThread<S>>,
        mut writer: ThreadJournalWriter,
    ) -> Result<ReadyThread<S>, Error> {
        let graph = &self.graph.inner;
        let mut whole = true;
        let mut weight = ReplayWeight::default();
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
        let mut checkpoint = first_checkpoint(&self.graph, &run, before, input, Some(&mut delta))?;
        self.settings.breakpoints.mark(&mut checkpoint, []);
        let change = CheckpointChange { source: Source::Input, delta, graph: &graph.blueprint, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(ReadyThread { run, checkpoint, pending: PendingSuperstep::default(), weight, writer: Some(writer) })
    }

    async fn go_on(
        &self,
        answers: GivenAnswers,
        loaded: Option<LoadedThread<S>>,
        writer: ThreadJournalWriter,
    ) -> Result<ReadyThread<S>, Error> {
        let thread = || self.id.to_string();
        let loaded = loaded.ok_or_else(|| Error::NoSuchThread { thread: thread() })?;
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let LoadedThread { checkpoint, mut pending, weight, .. } = loaded;
        let open: Vec<(TaskId, OpenQuestion)> = pending
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
        Ok(ReadyThread { run: new_run(), checkpoint, pending, weight, writer: Some(writer) })
    }

    /// Returns an error if the graph differs from the stored graph.
    pub(super) fn refuse_changed(&self, loaded: &LoadedThread<S>, finished: bool) -> Result<(), Error> {
        loaded.refuse_changed(self.id.as_str(), &self.graph.inner.blueprint, finished)
    }
}

/// The work on a held thread before its run.
pub(super) type ThreadPreparation<'a, T> = BoxFuture<'a, Result<T, Error>>;

enum GivenAnswers {
    None,
    Single(Value),
    ById(BTreeMap<String, Value>),
}

impl GivenAnswers {
    fn by_id(
        self,
        open: &[(TaskId, OpenQuestion)],
        thread: impl Fn() -> String,
    ) -> Result<BTreeMap<String, Value>, Error> {
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
