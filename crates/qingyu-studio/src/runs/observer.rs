//! Observers of all runs of a process: metrics, traces.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::runs::event::StudioEvent;

/// An observer of all runs of this process, of any user. Must not block: runs wait for the callbacks.
pub trait Observer: Send + Sync {
    /// Called with each event of a run after it is stored. Not called for streamed text.
    fn event(&self, event: &StudioEvent);

    /// Called with each notice outside the logs of runs.
    fn notice(&self, notice: ProcessNotice) {
        let _ = notice;
    }
}

/// A notice outside the logs of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessNotice {
    /// A run of a dead server was taken over.
    TakenOver,
    /// A run was refused: the server already runs the maximum number of runs.
    Refused,
    /// Events of a run could not be stored.
    EventsLost,
}

impl ProcessNotice {
    /// Returns the name, such as `taken_over`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TakenOver => "taken_over",
            Self::Refused => "refused",
            Self::EventsLost => "events_lost",
        }
    }
}

/// All observers of a process.
#[derive(Clone, Default)]
pub(crate) struct Observers {
    all: Arc<RwLock<Vec<Arc<dyn Observer>>>>,
}

impl Observers {
    pub(crate) fn add(&self, observer: Arc<dyn Observer>) {
        self.all.write().unwrap_or_else(PoisonError::into_inner).push(observer);
    }

    pub(crate) fn event(&self, event: &StudioEvent) {
        for observer in &*self.all.read().unwrap_or_else(PoisonError::into_inner) {
            observer.event(event);
        }
    }

    pub(crate) fn notice(&self, notice: ProcessNotice) {
        for observer in &*self.all.read().unwrap_or_else(PoisonError::into_inner) {
            observer.notice(notice);
        }
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Observers").finish_non_exhaustive()
    }
}
