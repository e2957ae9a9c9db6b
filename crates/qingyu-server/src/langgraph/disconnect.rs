//! Cancellation of a run when its client disconnects.

use qingyu_studio::Studio;
use tokio::runtime::Handle;

/// Cancels a run when dropped, unless disarmed. Does nothing for clients whose runs go on without them.
#[derive(Debug)]
pub(super) struct CancelOnDisconnect(Option<(Studio, String)>);

impl CancelOnDisconnect {
    /// Guards a run if `is_wanted`.
    pub(super) fn new(studio: &Studio, run: &str, is_wanted: bool) -> Self {
        Self(is_wanted.then(|| (studio.clone(), run.to_owned())))
    }

    /// Lets the run go on: its client has seen the end.
    pub(super) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDisconnect {
    fn drop(&mut self) {
        let Some((studio, run)) = self.0.take() else { return };
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            match studio.cancel(&run).await {
                Ok(_) => tracing::info!(run, "run cancelled: its client disconnected"),
                Err(error) => tracing::warn!(run, %error, "run of a disconnected client not cancelled"),
            }
        });
    }
}
