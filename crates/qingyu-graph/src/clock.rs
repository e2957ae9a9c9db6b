//! Time, as nodes see it.

use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

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

/// The one system clock of this process.
pub(crate) fn system_clock() -> Arc<dyn Clock> {
    static CLOCK: LazyLock<Arc<dyn Clock>> = LazyLock::new(|| Arc::new(SystemClock));
    Arc::clone(&CLOCK)
}
