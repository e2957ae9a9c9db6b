//! Handles of active runs.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::{Stream, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::runs::event::StudioEvent;
use crate::runs::outcome::Outcome;

/// A handle of an active run: a stream of its events, and its outcome.
///
/// The run is independent of the handle: dropping or slow reading neither stops nor delays the run.
#[derive(Debug)]
pub struct RunHandle {
    pub(crate) run: String,
    pub(crate) project: String,
    pub(crate) events: mpsc::UnboundedReceiver<StudioEvent>,
    pub(crate) outcome: oneshot::Receiver<Outcome>,
    pub(crate) cancellation: CancellationToken,
}

impl RunHandle {
    /// Returns a handle of a run working elsewhere: the holder of the other channel ends sends the events and outcome,
    /// and stops the run when the token is cancelled.
    pub fn new(
        run: String,
        project: String,
        events: mpsc::UnboundedReceiver<StudioEvent>,
        outcome: oneshot::Receiver<Outcome>,
        cancellation: CancellationToken,
    ) -> Self {
        Self { run, project, events, outcome, cancellation }
    }

    /// Returns the run's ID.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns the ID of the run's project.
    pub fn project(&self) -> &str {
        &self.project
    }

    /// Returns the next event; `None` after the end of the run.
    pub async fn next(&mut self) -> Option<StudioEvent> {
        StreamExt::next(self).await
    }

    /// Stops the run at its last checkpoint. Events continue until the run has stopped.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Waits for the end and returns the outcome. Unread events are dropped; the event log has all events.
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
