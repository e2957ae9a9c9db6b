//! A run at work.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::{Stream, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{Outcome, StudioEvent};

/// A run at work: a stream of its events, and its end.
///
/// The run works on its own: a handle that is dropped or read slowly neither stops nor slows it.
#[derive(Debug)]
pub struct RunHandle {
    pub(crate) run: String,
    pub(crate) project: String,
    pub(crate) events: mpsc::UnboundedReceiver<StudioEvent>,
    pub(crate) outcome: oneshot::Receiver<Outcome>,
    pub(crate) cancellation: CancellationToken,
}

impl RunHandle {
    /// A handle of a run that works elsewhere: whoever holds the other ends of the channels tells what becomes of it, and
    /// stops it when the token says so.
    pub fn new(
        run: String,
        project: String,
        events: mpsc::UnboundedReceiver<StudioEvent>,
        outcome: oneshot::Receiver<Outcome>,
        cancellation: CancellationToken,
    ) -> Self {
        Self { run, project, events, outcome, cancellation }
    }

    /// The run's id.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The id of its project.
    pub fn project(&self) -> &str {
        &self.project
    }

    /// The next event; `None` when the run has ended.
    pub async fn next(&mut self) -> Option<StudioEvent> {
        StreamExt::next(self).await
    }

    /// Stops the run at its last checkpoint. The events go on until it has stopped.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// A handle that stops the run from elsewhere, such as a signal handler.
    pub fn canceller(&self) -> CancellationToken {
        self.cancellation.clone()
    }

    /// Waits for the end. Events that were not read are dropped; they are in the event log.
    pub async fn finish(self) -> Outcome {
        let Self { run, project, events, outcome, .. } = self;
        drop(events);
        outcome.await.unwrap_or_else(|_| Outcome::lost(run, project))
    }
}

impl Stream for RunHandle {
    type Item = StudioEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<StudioEvent>> {
        self.events.poll_recv(context)
    }
}
