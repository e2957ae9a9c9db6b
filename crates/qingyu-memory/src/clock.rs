//! The clock of a memory, replaceable in tests.

use std::fmt::Debug;

use jiff::{Timestamp, Unit};

/// A source of the current time for a memory.
pub trait Clock: Debug + Send + Sync {
    /// Returns the current time. Need not be monotonic.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Returns the current time in whole milliseconds, the precision of all engines.
pub fn now(clock: &dyn Clock) -> Timestamp {
    whole_millis(clock.now())
}

/// Returns `time` truncated to milliseconds.
pub(crate) fn whole_millis(time: Timestamp) -> Timestamp {
    time.round(jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc)).unwrap_or(time)
}
