//! Timeouts for an attempt of a node.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The timeouts of an attempt of a node; unlimited by default.
///
/// After a timeout the node's future is dropped. Later calls by spawned tasks on the node's context fail or are
/// ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeLimits {
    /// The timeout from the start of the attempt.
    pub run: Option<Duration>,
    /// The timeout from the last sign of life: `Context::heartbeat`, `Context::emit`, the start or end of a step.
    pub idle: Option<Duration>,
}

/// The timeout that ended an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimedOut {
    /// The attempt ran too long.
    #[error("it ran longer than {0:?}")]
    Run(Duration),
    /// The attempt gave no sign of life for too long.
    #[error("it gave no sign of life for {0:?}")]
    Idle(Duration),
}

impl TimeLimits {
    /// Waits until a timeout is exceeded and returns the timeout; waits forever if none is set.
    pub(crate) async fn passed(self, last_sign_of_life: impl Fn() -> Instant) -> TimedOut {
        let begun = Instant::now();
        tokio::select! {
            biased;
            limit = ran_too_long(self.run, begun) => TimedOut::Run(limit),
            limit = was_idle(self.idle, last_sign_of_life) => TimedOut::Idle(limit),
        }
    }
}

async fn ran_too_long(limit: Option<Duration>, begun: Instant) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    sleep_until(begun + limit).await;
    limit
}

async fn was_idle(limit: Option<Duration>, last_sign_of_life: impl Fn() -> Instant) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    loop {
        let seen = last_sign_of_life();
        sleep_until(seen + limit).await;
        if last_sign_of_life() == seen {
            return limit;
        }
    }
}
