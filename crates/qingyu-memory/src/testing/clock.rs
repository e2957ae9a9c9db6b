//! A clock that is set by hand.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::Clock;

/// Stands still until it is told to go on.
#[derive(Debug)]
pub struct HandClock {
    now: Mutex<Timestamp>,
}

impl Default for HandClock {
    /// Noon of the first of May 2026, and half a millisecond, which no memory keeps.
    fn default() -> Self {
        Self { now: Mutex::new("2026-05-01T12:00:00.0005Z".parse().expect("it is a time")) }
    }
}

impl HandClock {
    /// Sets it forward.
    pub fn advance(&self, duration: Duration) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        *now = now.checked_add(duration).expect("tests do not last so long");
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
