//! What was called, how long it took and what came of it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

/// One call. Holds no arguments and no answers: they may be long, and private.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    /// The call.
    pub call: Uuid,
    /// The tool; what was asked for if there is none of that name.
    pub tool: String,
    /// Its action.
    pub action: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// Who called.
    pub agent: String,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// How often the tool was asked.
    pub attempts: u32,
    /// Whether the answer was known already.
    pub cached: bool,
    /// The bytes of the arguments, as far as they were counted.
    pub argument_bytes: usize,
    /// The code of the error, if it failed.
    pub failure: Option<String>,
}

/// Takes note of calls. Called once at the end of each, also of those that never reached a tool; must not block.
pub trait CallLog: Debug + Send + Sync {
    /// Takes note of one.
    fn record(&self, record: CallRecord);
}

/// The last calls, in memory, and totals of all.
#[derive(Debug)]
pub struct RingLog {
    capacity: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    records: VecDeque<CallRecord>,
    totals: BTreeMap<String, Totals>,
}

/// What all calls of one tool come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    /// How many there were.
    pub calls: u64,
    /// How many failed.
    pub failures: u64,
    /// How many were answered from what was known.
    pub cached: u64,
    /// How long they took together.
    pub duration: Duration,
    /// How long the longest took.
    pub longest: Duration,
}

/// So many different names are counted; what is asked for under others is one group. Names of tools that do not exist
/// are anything a caller likes.
const MOST_NAMES: usize = 500;

impl RingLog {
    /// Remembers the last `capacity` calls.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, inner: Mutex::default() }
    }

    /// The calls that are remembered, oldest first.
    pub fn recent(&self) -> Vec<CallRecord> {
        self.inner().records.iter().cloned().collect()
    }

    /// The totals of all calls since the beginning, by tool.
    pub fn totals(&self) -> BTreeMap<String, Totals> {
        self.inner().totals.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallLog for RingLog {
    fn record(&self, record: CallRecord) {
        let mut inner = self.inner();
        let known = inner.totals.contains_key(&record.tool) || inner.totals.len() < MOST_NAMES;
        let name = if known { record.tool.clone() } else { String::new() };
        let totals = inner.totals.entry(name).or_default();
        totals.calls += 1;
        totals.failures += u64::from(record.failure.is_some());
        totals.cached += u64::from(record.cached);
        totals.duration += record.duration;
        totals.longest = totals.longest.max(record.duration);
        if self.capacity > 0 {
            while inner.records.len() >= self.capacity {
                inner.records.pop_front();
            }
            inner.records.push_back(record);
        }
    }
}
