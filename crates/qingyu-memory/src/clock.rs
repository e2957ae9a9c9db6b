//! The time, so that a test can choose it.

use std::fmt::Debug;

use jiff::{Timestamp, Unit};

/// Tells the time to a memory.
pub trait Clock: Debug + Send + Sync {
    /// The present moment. Need not be monotonic.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The present moment in whole milliseconds, which every engine can keep.
pub fn now(clock: &dyn Clock) -> Timestamp {
    whole_millis(clock.now())
}

/// `time` without what is below a millisecond.
pub(crate) fn whole_millis(time: Timestamp) -> Timestamp {
    time.round(jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc)).unwrap_or(time)
}
