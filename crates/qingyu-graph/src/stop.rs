//! Stopping a run before its end.

use tokio_util::sync::CancellationToken;

/// The tokens for stopping a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopTokens {
    /// Stops the run at once.
    pub(crate) cancel: CancellationToken,
    /// Stops the run after the current superstep.
    pub(crate) drain: CancellationToken,
}

impl StopTokens {
    /// Returns whether a stop was requested.
    pub(crate) fn is_stopping(&self) -> bool {
        self.cancel.is_cancelled() || self.drain.is_cancelled()
    }
}

/// A reason for a run to stop without an end, a question or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The run is at a breakpoint.
    Paused,
    /// The run was cancelled or drained.
    Cancelled,
}
