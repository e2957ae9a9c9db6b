//! A running run: the events, the outcome, and handles to stop the run; and a run in memory.

use std::marker::PhantomData;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{self, Poll};

use futures::Stream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;

use crate::any_state::{AnyState, AnyUpdate};
use crate::compiled::{CompiledGraph, CompiledParts};
use crate::context::RunScope;
use crate::driver::GraphDriver;
use crate::error::Error;
use crate::event::RunEvent;
use crate::lease::HeldLease;
use crate::outcome::Outcome;
use crate::ready::ReadyThread;
use crate::settings::RunSettings;
use crate::state::State;
use crate::stop::StopTokens;

/// A handle to a running run. The run works in the background; dropping the handle cancels the run.
///
/// Read the events: a run waits for a reader that is far behind. [`GraphRun::finish`] stops reading.
#[derive(Debug)]
pub struct GraphRun<S: State> {
    spawned: SpawnedRun,
    state: PhantomData<fn() -> S>,
}

/// A running run, whatever the state of its graph.
#[derive(Debug)]
pub(crate) struct SpawnedRun {
    id: String,
    events: mpsc::Receiver<Option<RunEvent>>,
    outcome: JoinHandle<Result<Outcome<AnyState>, Error>>,
    stops: StopTokens,
    _cancel_on_drop: DropGuard,
}

impl SpawnedRun {
    /// Spawns a driver for a thread and returns the handle.
    pub(crate) fn spawn(
        graph: Arc<CompiledParts>,
        settings: RunSettings,
        thread: &str,
        ready: ReadyThread,
        held: Option<HeldLease>,
    ) -> Self {
        let (scope, events) = RunScope::new(settings, thread, &ready.run);
        let (id, stops) = (ready.run.to_string(), scope.stops.clone());
        let outcome = tokio::spawn(GraphDriver::new(graph, Arc::new(scope), ready).drive(held).in_current_span());
        Self { id, events, outcome, _cancel_on_drop: stops.cancel.clone().drop_guard(), stops }
    }

    async fn next(&mut self) -> Option<RunEvent> {
        let event = self.events.recv().await.flatten();
        if event.is_none() {
            self.events.close();
        }
        event
    }

    async fn finish(mut self) -> Result<Outcome<AnyState>, Error> {
        self.events.close();
        (&mut self.outcome).await.map_err(|error| Error::broken(&error))?
    }
}

impl<S: State> GraphRun<S> {
    /// Returns the handle of a run of a graph with the state `S`.
    pub(crate) fn of(spawned: SpawnedRun) -> Self {
        Self { spawned, state: PhantomData }
    }

    /// Returns the id of the run.
    pub fn id(&self) -> &str {
        &self.spawned.id
    }

    /// Returns the next event; `None` when the run has ended.
    pub async fn next(&mut self) -> Option<RunEvent> {
        self.spawned.next().await
    }

    /// Waits for the end without reading more events, and returns the outcome.
    pub async fn finish(self) -> Result<Outcome<S>, Error> {
        self.spawned.finish().await.map(Outcome::typed)
    }

    /// Returns a token that cancels the run: running nodes are dropped, the thread stays at the last checkpoint.
    pub fn cancel_handle(&self) -> CancellationToken {
        self.spawned.stops.cancel.clone()
    }

    /// Returns a token that stops the run when the current superstep is finished and committed: nothing is interrupted.
    /// A run with nothing left to run is done, any other is [`Outcome::Cancelled`].
    pub fn drain_handle(&self) -> CancellationToken {
        self.spawned.stops.drain.clone()
    }
}

impl<S: State> CompiledGraph<S> {
    /// Runs the graph in memory, once and to the end. Nothing is stored: a node cannot ask, a crash loses everything.
    pub async fn run(&self, input: impl Into<S::Update>) -> Result<S, Error> {
        let outcome = run_in_memory(Arc::clone(&self.inner), AnyUpdate::new(input.into())).await?;
        Ok(outcome.into_state().owned())
    }
}

async fn run_in_memory(graph: Arc<CompiledParts>, input: AnyUpdate) -> Result<Outcome<AnyState>, Error> {
    let ready = ReadyThread::without_store(&graph, input)?;
    // Events have no subscriber.
    let (scope, _) = RunScope::new(RunSettings::default(), "", &ready.run);
    // Dropping the future drops the run; a spawned task would cost more than many a graph.
    GraphDriver::new(graph, Arc::new(scope), ready).drive(None).await
}

impl<S: State> Stream for GraphRun<S> {
    type Item = RunEvent;

    fn poll_next(self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<RunEvent>> {
        pin!(self.get_mut().next()).poll(context)
    }
}
