//! A manual clock.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::Clock;

/// A clock that stands still until advanced.
#[derive(Debug)]
pub struct HandClock {
    now: Mutex<Timestamp>,
}

impl Default for HandClock {
    /// Returns a clock at noon of the first of May 2026, plus half a millisecond, which no memory stores.
    fn default() -> Self {
        Self { now: Mutex::new("2026-05-01T12:00:00.0005Z".parse().expect("it is a time")) }
    }
}

impl HandClock {
    /// Advances the clock.
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
