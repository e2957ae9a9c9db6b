//! Those who are told what happens in all runs of a process: counters, traces.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::{Studio, StudioEvent};

/// Is told what happens in the runs of this process, whoever's they are. It must not block: runs wait for it.
pub trait Observer: Send + Sync {
    /// An event of a run, after it was kept. Streamed text is not told.
    fn event(&self, event: &StudioEvent);

    /// Something that belongs to no run's log.
    fn notice(&self, notice: Notice) {
        let _ = notice;
    }
}

/// What happened beside the runs' logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A run of a dead server goes on here.
    TakenOver,
    /// A run was not begun, since as many work as may.
    Refused,
    /// Events of a run could not be kept.
    EventsLost,
}

impl Notice {
    /// Its name, such as `taken_over`.
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
    fn add(&self, observer: Arc<dyn Observer>) {
        self.all.write().unwrap_or_else(PoisonError::into_inner).push(observer);
    }

    pub(crate) fn event(&self, event: &StudioEvent) {
        for observer in &*self.all.read().unwrap_or_else(PoisonError::into_inner) {
            observer.event(event);
        }
    }

    pub(crate) fn notice(&self, notice: Notice) {
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

impl Studio {
    /// From now on tells `observer` what happens in the runs of this process.
    pub fn observe(&self, observer: Arc<dyn Observer>) {
        self.observers().add(observer);
    }
}
