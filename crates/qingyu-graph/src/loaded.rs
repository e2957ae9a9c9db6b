//! A thread loaded from the journal, as a compiled graph understands it.

use crate::any_state::StateType;
use crate::blueprint::Blueprint;
use crate::call_path::path_of;
use crate::compiled::CompiledParts;
use crate::error::Error;
use crate::journal::{PendingSuperstep, RebuiltCheckpoint, ReplayWeight, read_pending};
use crate::migration::{migrate, migrate_pending, misfits};
use crate::store::{CheckpointJournal, JournalRecord};
use crate::superstep::Checkpoint;

/// A thread loaded from the journal.
pub(crate) struct LoadedThread {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) graph: Blueprint,
    pub(crate) head: u64,
    pub(crate) branch: u64,
    pub(crate) weight: ReplayWeight,
    pub(crate) pending: PendingSuperstep,
    /// The parts that do not fit the graph after a migration; `None` without a migration.
    pub(crate) misfits: Option<Vec<String>>,
}

impl LoadedThread {
    /// Deserializes a journal for `graph`, with migrations applied.
    pub(crate) fn read(journal: CheckpointJournal, graph: &CompiledParts) -> Result<Self, Error> {
        let CheckpointJournal { head, checkpoints, mut pending } = journal;
        let mut rebuilt = RebuiltCheckpoint::from(&checkpoints)?;
        let way = graph.migrations.way(&rebuilt.graph);
        let misfits = if way.is_empty() {
            None
        } else {
            migrate(&way, &mut rebuilt)?;
            migrate_pending(&way, &mut pending)?;
            // After a migration, the next checkpoint is stored as a snapshot in the current format.
            rebuilt.weight = ReplayWeight::default();
            Some(misfits(&rebuilt.mark, &graph.topology))
        };
        let mut loaded = Self::assemble(head, &checkpoints, rebuilt, pending, graph.state)?;
        loaded.misfits = misfits;
        Ok(loaded)
    }

    /// Deserializes a journal without migrations.
    pub(crate) fn read_plainly(journal: CheckpointJournal, state: StateType) -> Result<Self, Error> {
        let CheckpointJournal { head, checkpoints, pending } = journal;
        let rebuilt = RebuiltCheckpoint::from(&checkpoints)?;
        Self::assemble(head, &checkpoints, rebuilt, pending, state)
    }

    fn assemble(
        head: u64,
        checkpoints: &[JournalRecord],
        rebuilt: RebuiltCheckpoint,
        pending: Vec<JournalRecord>,
        state: StateType,
    ) -> Result<Self, Error> {
        let (scope, branch) = checkpoints.last().map_or(("", 0), |record| (&record.scope, record.branch));
        let pending = read_pending(path_of(scope), pending, state)?;
        let RebuiltCheckpoint { mark, graph, values, weight, .. } = rebuilt;
        let checkpoint = mark.checkpoint((state.decode)(values)?);
        Ok(Self { checkpoint, graph, head, branch, weight, pending, misfits: None })
    }

    /// Returns an error if the graph differs from the stored graph.
    pub(crate) fn refuse_changed(&self, thread: &str, present: &Blueprint, finished: bool) -> Result<(), Error> {
        let changes = match &self.misfits {
            Some(misfits) => misfits.clone(),
            None => self.graph.changes(present, finished),
        };
        if changes.is_empty() { Ok(()) } else { Err(Error::GraphChanged { thread: thread.to_owned(), changes }) }
    }
}
