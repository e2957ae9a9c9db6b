//! Shared state of all routes.

use std::sync::Arc;
use std::time::Duration;

use qingyu_studio::Studio;
use qingyu_studio::settings::values::Server as Settings;
use tokio_util::sync::CancellationToken;

/// Shared state of all routes. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct ServerState {
    inner: Arc<ServerStateInner>,
}

#[derive(Debug)]
struct ServerStateInner {
    studio: Studio,
    settings: Settings,
    stop: CancellationToken,
}

impl ServerState {
    /// Creates the state of a server over the local user's `studio`, until `stop`.
    pub(crate) fn new(studio: Studio, settings: Settings, stop: CancellationToken) -> Self {
        Self { inner: Arc::new(ServerStateInner { studio, settings, stop }) }
    }

    /// Returns the local user's studio.
    pub(crate) fn studio(&self) -> &Studio {
        &self.inner.studio
    }

    /// Returns the server settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Returns the shutdown token: when cancelled, streams end and no new work starts.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.inner.stop
    }

    /// Returns whether new work is accepted.
    pub(crate) fn is_ready(&self) -> bool {
        !self.inner.stop.is_cancelled()
    }

    /// Returns the heartbeat interval of silent streams.
    pub(crate) fn heartbeat(&self) -> Duration {
        Duration::from_secs(self.inner.settings.heartbeat_seconds.max(1))
    }
}
