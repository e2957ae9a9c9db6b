//! A thread's state, rebuilt by replaying checkpoints.

use std::sync::Arc;

use super::body::{CheckpointMark, DeltaBody, SkippedDelta, SkippedMark, SnapshotBody, corrupt, decode, known};
use super::call_site::CallSite;
use crate::blueprint::Blueprint;
use crate::error::Error;
use crate::state::Values;
use crate::store::{JournalRecord, RecordKind};

/// Deltas are cheap to replay up to this number of bytes, however small the snapshot is.
const SMALL: usize = 4096;

/// A thread's state, rebuilt by replaying checkpoints.
#[derive(Debug, Clone)]
pub(crate) struct RebuiltCheckpoint {
    pub(crate) mark: CheckpointMark,
    pub(crate) values: Values,
    pub(crate) graph: Blueprint,
    pub(crate) caller: Option<CallSite>,
    pub(crate) weight: ReplayWeight,
}

impl RebuiltCheckpoint {
    /// Rebuilds the last of `checkpoints`, of which the first is a snapshot.
    pub(crate) fn from(checkpoints: &[JournalRecord]) -> Result<Self, Error> {
        let (first, deltas) = checkpoints.split_first().ok_or_else(|| corrupt("it has no snapshot"))?;
        let mut rebuilt = Self::snapshot(first)?;
        let Some((last, between)) = deltas.split_last() else { return Ok(rebuilt) };
        between.iter().try_for_each(|record| rebuilt.pass(record))?;
        rebuilt.advance(last)?;
        Ok(rebuilt)
    }

    /// Applies the changes of a delta followed by another delta, without deserializing the whole mark.
    fn pass(&mut self, record: &JournalRecord) -> Result<(), Error> {
        if record.kind == RecordKind::Snapshot {
            return self.advance(record);
        }
        let SkippedDelta { mark: SkippedMark { form, run }, delta } = decode(record)?;
        known(form)?;
        delta.replay(&mut self.values)?;
        self.weight.add(record.kind, record.body.len());
        if let Some(run) = run {
            self.mark.run = run;
        }
        Ok(())
    }

    /// Applies the next checkpoint, on the same branch or on a new branch.
    pub(crate) fn advance(&mut self, record: &JournalRecord) -> Result<(), Error> {
        if record.kind == RecordKind::Snapshot {
            *self = Self::snapshot(record)?;
            return Ok(());
        }
        let DeltaBody { mark, delta } = decode(record)?;
        delta.replay(&mut self.values)?;
        self.weight.add(record.kind, record.body.len());
        let mark = mark.known()?;
        let run = if mark.run.is_empty() { Arc::clone(&self.mark.run) } else { Arc::clone(&mark.run) };
        self.mark = CheckpointMark { run, ..mark };
        Ok(())
    }

    fn snapshot(record: &JournalRecord) -> Result<Self, Error> {
        let SnapshotBody { mark, graph, caller, state: values } = decode(record)?;
        let weight = ReplayWeight { snapshot: record.body.len(), deltas: 0 };
        Ok(Self { mark: mark.known()?, graph, caller, values, weight })
    }

    /// Parses a segment of a path into a caller at the checkpoint; `None` if the segment names no task.
    pub(crate) fn named_caller(&self, segment: &str, scope: &str) -> Option<CallSite> {
        let (task, key) = segment.split_once('|').unwrap_or((segment, ""));
        Some(CallSite {
            scope: scope.to_owned(),
            run: self.mark.run.to_string(),
            superstep: self.mark.superstep,
            task: task.to_owned().try_into().ok()?,
            key: key.to_owned(),
        })
    }
}

/// The bytes to replay, which decide when the next snapshot is due.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReplayWeight {
    snapshot: usize,
    deltas: usize,
}

impl ReplayWeight {
    /// Returns whether the deltas, with another of `bytes`, outweigh twice the snapshot. So the distances of snapshots
    /// grow geometrically: together snapshots take at most one and a half times the bytes of the deltas.
    pub(super) fn is_due(self, bytes: usize) -> bool {
        self.snapshot == 0 || self.deltas + bytes > (2 * self.snapshot).max(SMALL)
    }

    pub(super) fn add(&mut self, kind: RecordKind, bytes: usize) {
        match kind {
            RecordKind::Snapshot => *self = Self { snapshot: bytes, deltas: 0 },
            _ => self.deltas += bytes,
        }
    }
}
