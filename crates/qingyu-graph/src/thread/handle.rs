//! The handle of a thread: settings, start, resume, answer.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::snapshot::Snapshot;
use super::stored::{AnyThread, GivenAnswers};
use crate::any_state::AnyUpdate;
use crate::breakpoint::Breakpoints;
use crate::clock::RunClock;
use crate::compiled::CompiledGraph;
use crate::error::Error;
use crate::event::Mode;
use crate::journal::Durability;
use crate::reuse::ReusableSteps;
use crate::run::GraphRun;
use crate::settings::OnUnfinished;
use crate::state::State;
use crate::store::{Store, ThreadId};

/// A thread of a graph in a store. Keeps no state; every method fetches from the store.
#[derive(Debug, Clone)]
pub struct Thread<S: State> {
    pub(super) stored: AnyThread,
    state: PhantomData<fn() -> S>,
}

impl<S: State> CompiledGraph<S> {
    /// Returns the thread `id` in `store`, which may or may not exist yet.
    pub fn thread(&self, store: Arc<dyn Store>, id: impl Into<ThreadId>) -> Thread<S> {
        Thread::of(AnyThread::new(Arc::clone(&self.inner), store, id.into()))
    }
}

impl<S: State> Thread<S> {
    /// Returns the handle of a thread whose graph has the state `S`.
    pub(super) fn of(stored: AnyThread) -> Self {
        Self { stored, state: PhantomData }
    }

    /// Sets the maximum number of supersteps of one run; default 50.
    #[must_use]
    pub fn recursion_limit(mut self, supersteps: u32) -> Self {
        self.stored.settings.recursion_limit = supersteps;
        self
    }

    /// Sets the maximum number of concurrent tasks; unlimited by default.
    #[must_use]
    pub fn max_concurrency(mut self, tasks: NonZeroUsize) -> Self {
        self.stored.settings.max_concurrency = tasks.get();
        self
    }

    /// Sets the policy for new input to an unfinished thread.
    #[must_use]
    pub fn on_unfinished(mut self, policy: OnUnfinished) -> Self {
        self.stored.settings.on_unfinished = policy;
        self
    }

    /// Sets the duration of the lease, after which another process may take over the thread of a dead process; default
    /// 8 s.
    #[must_use]
    pub fn lease(mut self, duration: Duration) -> Self {
        self.stored.settings.lease = duration;
        self
    }

    /// Sets the durability of runs; by default every superstep is committed before the next.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.stored.settings.durability = durability;
        self
    }

    /// Sets the modes of events that runs send; by default all but [`Mode::Values`].
    #[must_use]
    pub fn modes(mut self, modes: impl IntoIterator<Item = Mode>) -> Self {
        self.stored.settings.modes = modes.into_iter().collect();
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
        self.stored.settings.breakpoints = Arc::new(Breakpoints { before, after });
        self
    }

    /// Sets results of other threads: a step of the same node with the same key and input is not executed.
    #[must_use]
    pub fn reusing(mut self, steps: ReusableSteps) -> Self {
        self.stored.settings.reusable = Arc::new(steps);
        self
    }

    /// Sets the clock that nodes read.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn RunClock>) -> Self {
        self.stored.settings.clock = clock;
        self
    }

    /// Enables a deliberate bug, for tests that must detect it: writes are folded in the order in which tasks finish.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn folding_in_finishing_order(mut self) -> Self {
        self.stored.settings.in_finishing_order = true;
        self
    }

    /// Returns the thread's id.
    pub fn id(&self) -> &ThreadId {
        &self.stored.id
    }

    /// Starts a run with input and returns the handle. A finished thread keeps its state and continues from there.
    ///
    /// The input is an update, or the state's input view.
    pub async fn start(&self, input: impl Into<S::Update>) -> Result<GraphRun<S>, Error> {
        self.stored.start(AnyUpdate::new(input.into())).await.map(GraphRun::of)
    }

    /// Starts a new thread with its first input; otherwise as [`start`](Self::start). For callers who have found no
    /// such thread: another caller may have started the thread since, and the run may even have finished.
    ///
    /// Fails with [`Error::ThreadExists`] then.
    pub async fn start_new(&self, input: impl Into<S::Update>) -> Result<GraphRun<S>, Error> {
        self.stored.start_new(AnyUpdate::new(input.into())).await.map(GraphRun::of)
    }

    /// Resumes from the newest checkpoint: after a crash, a cancelled run or an error. Finished tasks are not repeated.
    /// A thread that waits for answers keeps waiting, a finished thread finishes at once.
    pub async fn resume(&self) -> Result<GraphRun<S>, Error> {
        self.stored.resume(GivenAnswers::None).await.map(GraphRun::of)
    }

    /// Answers the only open question and resumes.
    pub async fn answer(&self, value: impl Serialize) -> Result<GraphRun<S>, Error> {
        let value = answer_value(value)?;
        self.stored.resume(GivenAnswers::Single(value)).await.map(GraphRun::of)
    }

    /// Answers questions by id and resumes; questions left open keep waiting.
    pub async fn answer_map<V: Serialize>(&self, answers: BTreeMap<String, V>) -> Result<GraphRun<S>, Error> {
        let answers = answers.into_iter().map(|(id, value)| Ok((id, answer_value(value)?)));
        let answers = answers.collect::<Result<_, Error>>()?;
        self.stored.resume(GivenAnswers::ById(answers)).await.map(GraphRun::of)
    }

    /// Returns the stored thread; `None` if the thread was never started. Also works while the thread is running.
    pub async fn snapshot(&self) -> Result<Option<Snapshot<S>>, Error> {
        Ok(self.stored.snapshot().await?.map(Snapshot::typed))
    }
}

fn answer_value(value: impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value)
        .map_err(|error| Error::Encode { what: "the answer".to_owned(), reason: error.to_string() })
}
