//! The content of journal records.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call_site::CallSite;
use crate::any_state::AnyState;
use crate::blueprint::Blueprint;
use crate::error::Error;
use crate::state::{Delta, Values};
use crate::store::JournalRecord;
use crate::superstep::Checkpoint;
use crate::task_id::TaskId;

/// The format version of the bodies below; an unknown version is an error.
const FORM: u32 = 1;

/// The origin of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A caller gave the thread input.
    Input,
    /// A superstep was applied.
    Loop,
    /// A caller changed the state.
    Update,
    /// A caller resumed from a checkpoint of the past.
    Fork,
}

/// The data common to snapshots and deltas.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CheckpointMark {
    pub(super) form: u32,
    /// The run; empty in a delta of the same run as the parent.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) run: Arc<str>,
    pub(crate) superstep: i64,
    pub(crate) source: Source,
    pub(crate) next: Vec<TaskId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) payloads: Vec<Arc<Value>>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) deferred: BTreeSet<Arc<str>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_breakpoint: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) memories: BTreeMap<String, String>,
    /// The time of the commit in milliseconds since 1970; `None` in threads of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<i64>,
}

/// The breakpoint at which a run has stopped. Both lists are empty if only the breakpoint itself is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReachedBreakpoint {
    /// The due nodes with a breakpoint before them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The nodes of the last superstep with a breakpoint after them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SnapshotBody {
    pub(super) mark: CheckpointMark,
    pub(super) graph: Blueprint,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) caller: Option<CallSite>,
    pub(super) state: Values,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DeltaBody {
    pub(super) mark: CheckpointMark,
    pub(super) delta: Delta,
}

/// The part of a delta needed when another delta follows.
#[derive(Debug, Deserialize)]
pub(super) struct SkippedDelta {
    pub(super) mark: SkippedMark,
    pub(super) delta: Delta,
}

#[derive(Debug, Deserialize)]
pub(super) struct SkippedMark {
    pub(super) form: u32,
    pub(super) run: Option<Arc<str>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnswerBody {
    pub(super) id: String,
    pub(super) value: Value,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FailureBody {
    pub(super) message: String,
}

/// The stored result of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredStep {
    pub(crate) fingerprint: String,
    pub(crate) result: Value,
}

impl StoredStep {
    /// Deserializes the step of a record.
    pub(crate) fn read(record: &JournalRecord) -> Result<Self, Error> {
        decode(record)
    }
}

impl CheckpointMark {
    pub(super) fn of(checkpoint: &Checkpoint, source: Source, at: Timestamp) -> Self {
        Self {
            form: FORM,
            run: Arc::clone(&checkpoint.run),
            superstep: checkpoint.superstep,
            source,
            next: checkpoint.next.clone(),
            joins: checkpoint.joins.clone(),
            payloads: checkpoint.payloads.clone(),
            deferred: checkpoint.deferred.clone(),
            is_breakpoint: checkpoint.is_breakpoint,
            memories: checkpoint.memories.clone(),
            at: Some(at.as_millisecond()),
        }
    }

    /// Returns the checkpoint with the given state.
    pub(crate) fn checkpoint(self, state: AnyState) -> Checkpoint {
        let Self { run, superstep, next, joins, payloads, deferred, is_breakpoint, memories, .. } = self;
        Checkpoint { run, superstep, state, next, joins, payloads, deferred, is_breakpoint, memories }
    }

    /// Deserializes the mark of a checkpoint of either kind.
    pub(crate) fn read(record: &JournalRecord) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct AnyBody {
            mark: CheckpointMark,
        }
        decode::<AnyBody>(record)?.mark.known()
    }

    /// Returns an error for an unknown format version.
    pub(super) fn known(self) -> Result<Self, Error> {
        known(self.form).map(|()| self)
    }
}

/// Returns an error for an unknown format version.
pub(super) fn known(form: u32) -> Result<(), Error> {
    if form == FORM { Ok(()) } else { Err(corrupt(&format!("its form is {form}, this program knows {FORM}"))) }
}

pub(super) fn encode(what: &str, value: &impl Serialize) -> Result<String, Error> {
    encoded(what, serde_json::to_string(value))
}

/// Converts a failure to serialize `what` into an [`Error::Encode`].
pub(super) fn encoded(what: &str, json: serde_json::Result<String>) -> Result<String, Error> {
    json.map_err(|error| Error::Encode { what: what.to_owned(), reason: error.to_string() })
}

pub(super) fn decode<T: DeserializeOwned>(record: &JournalRecord) -> Result<T, Error> {
    serde_json::from_str(&record.body).map_err(|error| unreadable(record, &error))
}

pub(super) fn unreadable(record: &JournalRecord, error: &serde_json::Error) -> Error {
    corrupt(&format!("a {}: {error}", record.kind.name()))
}

pub(super) fn corrupt(reason: &str) -> Error {
    Error::Corrupt { reason: reason.to_owned() }
}
