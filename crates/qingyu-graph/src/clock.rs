//! Time, as nodes see it.

use std::fmt::Debug;

use jiff::Timestamp;

/// Tells the time to nodes, so that a test can choose it.
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
