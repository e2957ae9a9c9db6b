//! The clock that nodes read.

use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

use jiff::Timestamp;

/// A source of the current time for nodes, replaceable in tests.
pub trait RunClock: Debug + Send + Sync {
    /// Returns the current time. Need not be monotonic.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl RunClock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Returns the shared system clock of the process.
pub(crate) fn system_clock() -> Arc<dyn RunClock> {
    static CLOCK: LazyLock<Arc<dyn RunClock>> = LazyLock::new(|| Arc::new(SystemClock));
    Arc::clone(&CLOCK)
}
