//! A run under way: its events, its end, and how to stop it.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{self, Poll};

use futures::Stream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;

use crate::context::RunScope;
use crate::driver::{Driver, Stops};
use crate::event::{Event, Question};
use crate::lease::Held;
use crate::thread::{Ready, Settings};
use crate::{CompiledGraph, Error, State};

/// A run under way. It works by itself; dropping this handle cancels it.
///
/// Its events should be read: a run waits for a reader that is far behind. [`Run::finish`] ends the reading.
#[derive(Debug)]
pub struct Run<S: State> {
    id: String,
    events: mpsc::Receiver<Option<Event>>,
    outcome: JoinHandle<Result<Outcome<S>, Error>>,
    stops: Stops,
    _cancel_on_drop: DropGuard,
}

/// How a run ended without an error.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<S> {
    /// Nothing is left to run.
    Done(S),
    /// Everything that can run has run and people are asked, or the run has come to a breakpoint and no question is
    /// open.
    Waiting {
        /// The state, with what the finished tasks of this superstep wrote.
        state: S,
        /// What they are asked.
        questions: Vec<Question>,
    },
    /// The run was cancelled or drained; resuming goes on from here.
    Cancelled {
        /// The state of the last checkpoint.
        state: S,
    },
}

impl<S> Outcome<S> {
    /// The state, whatever the outcome.
    pub fn into_state(self) -> S {
        match self {
            Self::Done(state) | Self::Waiting { state, .. } | Self::Cancelled { state } => state,
        }
    }

    /// The output view of the state, whatever the outcome: what is private to the nodes stays behind.
    pub fn into_output<O: From<S>>(self) -> O {
        self.into_state().into()
    }
}

impl<S: State> Run<S> {
    /// Sets a driver to work on a thread.
    pub(crate) fn spawn(
        graph: CompiledGraph<S>,
        settings: Settings,
        thread: &str,
        ready: Ready<S>,
        held: Option<Held>,
    ) -> Self {
        let (scope, events) = RunScope::new(settings, thread, &ready.run);
        let (id, stops) = (ready.run.to_string(), scope.stops.clone());
        let outcome = tokio::spawn(Driver::new(graph, Arc::new(scope), ready).drive(held).in_current_span());
        Self { id, events, outcome, _cancel_on_drop: stops.cancel.clone().drop_guard(), stops }
    }

    /// The id of this run.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The next event; `None` when the run has ended.
    pub async fn next(&mut self) -> Option<Event> {
        let event = self.events.recv().await.flatten();
        if event.is_none() {
            self.events.close();
        }
        event
    }

    /// Waits for the end without reading more events.
    pub async fn finish(mut self) -> Result<Outcome<S>, Error> {
        self.events.close();
        (&mut self.outcome).await.map_err(|error| Error::broken(&error))?
    }

    /// A handle that stops the run: running nodes are dropped, the thread stays at its last checkpoint.
    pub fn cancel_handle(&self) -> CancellationToken {
        self.stops.cancel.clone()
    }

    /// A handle that stops the run when the superstep under way has ended and is stored: nothing is interrupted. A run
    /// that ends with that superstep is done, any other is [`Outcome::Cancelled`].
    pub fn drain_handle(&self) -> CancellationToken {
        self.stops.drain.clone()
    }
}

impl<S: State> Stream for Run<S> {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Event>> {
        pin!(self.get_mut().next()).poll(context)
    }
}
