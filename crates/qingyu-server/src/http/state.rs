//! What all routes share.

use std::sync::Arc;
use std::time::Duration;

use qingyu_studio::Studio;
use qingyu_studio::settings::values::Server as Settings;
use tokio_util::sync::CancellationToken;

/// What all routes share. Cheap to clone.
#[derive(Debug, Clone)]
pub struct State {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    studio: Studio,
    settings: Settings,
    stop: CancellationToken,
}

impl State {
    /// A server over `studio`, which is whoever's that works at this machine, until `stop`.
    pub fn new(studio: Studio, settings: Settings, stop: CancellationToken) -> Self {
        Self { inner: Arc::new(Inner { studio, settings, stop }) }
    }

    /// The studio of whoever works at this machine.
    pub fn studio(&self) -> &Studio {
        &self.inner.studio
    }

    /// How the server is set up.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Cancelled when the server goes: streams end, nothing new begins.
    pub fn stop(&self) -> &CancellationToken {
        &self.inner.stop
    }

    /// Whether new work is taken.
    pub fn is_ready(&self) -> bool {
        !self.inner.stop.is_cancelled()
    }

    /// After how long a silent stream says that it is there.
    pub fn heartbeat(&self) -> Duration {
        Duration::from_secs(self.inner.settings.heartbeat_seconds.max(1))
    }
}
