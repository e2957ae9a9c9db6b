//! The settings of a thread's runs.

use std::sync::Arc;
use std::time::Duration;

use crate::breakpoint::Breakpoints;
use crate::clock::{RunClock, system_clock};
use crate::event::EventModes;
use crate::journal::Durability;
use crate::reuse::ReusableSteps;

/// The settings of a thread's runs.
#[derive(Debug, Clone)]
pub(crate) struct RunSettings {
    pub(crate) recursion_limit: u32,
    pub(crate) max_concurrency: usize,
    pub(crate) clock: Arc<dyn RunClock>,
    pub(crate) modes: EventModes,
    #[cfg(any(test, feature = "testing"))]
    pub(crate) in_finishing_order: bool,
    pub(crate) durability: Durability,
    pub(crate) lease: Duration,
    pub(crate) on_unfinished: OnUnfinished,
    pub(crate) breakpoints: Arc<Breakpoints>,
    pub(crate) reusable: Arc<ReusableSteps>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            recursion_limit: 50,
            max_concurrency: usize::MAX,
            clock: system_clock(),
            modes: EventModes::default(),
            #[cfg(any(test, feature = "testing"))]
            in_finishing_order: false,
            durability: Durability::Sync,
            lease: Duration::from_secs(8),
            on_unfinished: OnUnfinished::Reject,
            breakpoints: Arc::default(),
            reusable: Arc::default(),
        }
    }
}

/// The policy of `Thread::start` for an unfinished thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnfinished {
    /// Refuses the input with [`crate::Error::Unfinished`].
    #[default]
    Reject,
    /// Discards the due tasks, with the questions and finished writes of the superstep, and starts from the state of
    /// the last checkpoint.
    Discard,
}
