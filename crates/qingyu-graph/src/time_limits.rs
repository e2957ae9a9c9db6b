//! How long an attempt of a node may take.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::Context;

/// When an attempt of a node is given up; never if nothing is said.
///
/// The node's future is dropped. What a task that it left behind still does with its context is refused or ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeLimits {
    /// So long after it began.
    pub run: Option<Duration>,
    /// So long after its last sign of life: [`Context::heartbeat`], [`Context::emit`], the start or end of a step.
    pub idle: Option<Duration>,
}

/// Why an attempt was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimedOut {
    /// It ran too long.
    #[error("it ran longer than {0:?}")]
    Run(Duration),
    /// It gave no sign of life for too long.
    #[error("it gave no sign of life for {0:?}")]
    Idle(Duration),
}

impl TimeLimits {
    /// Waits until one of the limits is passed; for ever if there is none.
    pub(crate) async fn passed(self, context: &Context) -> TimedOut {
        let begun = Instant::now();
        tokio::select! {
            biased;
            limit = ran_too_long(self.run, begun) => TimedOut::Run(limit),
            limit = was_idle(self.idle, context) => TimedOut::Idle(limit),
        }
    }
}

async fn ran_too_long(limit: Option<Duration>, begun: Instant) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    sleep_until(begun + limit).await;
    limit
}

async fn was_idle(limit: Option<Duration>, context: &Context) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    loop {
        let seen = context.last_sign_of_life();
        sleep_until(seen + limit).await;
        if context.last_sign_of_life() == seen {
            return limit;
        }
    }
}
