//! A thread or subgraph call, prepared for a driver.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::any_state::AnyUpdate;
use crate::compiled::CompiledParts;
use crate::endpoints::START;
use crate::error::Error;
use crate::journal::{PendingSuperstep, ReplayWeight, ThreadJournalWriter};
use crate::state::Delta;
use crate::superstep::{Checkpoint, DueTasks};

/// A thread or subgraph call, prepared for a driver.
pub(crate) struct ReadyThread {
    pub(crate) run: Arc<str>,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) pending: PendingSuperstep,
    pub(crate) weight: ReplayWeight,
    /// The journal writer; `None` in a run without a store.
    pub(crate) writer: Option<ThreadJournalWriter>,
}

impl ReadyThread {
    /// Prepares a run that stores nothing.
    pub(crate) fn without_store(graph: &CompiledParts, input: AnyUpdate) -> Result<Self, Error> {
        let run = new_run();
        let checkpoint = first_checkpoint(graph, &run, None, input, None)?;
        Ok(Self {
            run,
            checkpoint,
            pending: PendingSuperstep::default(),
            weight: ReplayWeight::default(),
            writer: None,
        })
    }
}

/// Returns the id of a new run.
pub(crate) fn new_run() -> Arc<str> {
    Uuid::now_v7().to_string().into()
}

/// Returns the checkpoint after an input.
pub(crate) fn first_checkpoint(
    graph: &CompiledParts,
    run: &Arc<str>,
    before: Option<Checkpoint>,
    input: AnyUpdate,
    delta: Option<&mut Delta>,
) -> Result<Checkpoint, Error> {
    let superstep = before.as_ref().map_or(-1, |checkpoint| checkpoint.superstep + 1);
    let Checkpoint { state, memories, .. } = before.unwrap_or_else(|| Checkpoint::of((graph.state.empty)()));
    let state = state.fold(vec![(START.into(), input)], delta)?;
    let due = DueTasks { run: Arc::clone(run), memories, ..graph.entry(&state)? };
    Ok(due.checkpoint(&graph.topology, superstep, state, BTreeMap::new()))
}
