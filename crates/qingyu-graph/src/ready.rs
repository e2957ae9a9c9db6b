//! A thread or subgraph call, prepared for a driver.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use crate::compiled::CompiledGraph;
use crate::endpoints::START;
use crate::error::Error;
use crate::journal::{PendingSuperstep, ReplayWeight, ThreadJournalWriter};
use crate::state::{Delta, State};
use crate::superstep::{Checkpoint, DueTasks};

/// A thread or subgraph call, prepared for a driver.
pub(crate) struct ReadyThread<S: State> {
    pub(crate) run: Arc<str>,
    pub(crate) checkpoint: Checkpoint<S>,
    pub(crate) pending: PendingSuperstep<S::Update>,
    pub(crate) weight: ReplayWeight,
    /// The journal writer; `None` in a run without a store.
    pub(crate) writer: Option<ThreadJournalWriter>,
}

impl<S: State> ReadyThread<S> {
    /// Prepares a run that stores nothing.
    pub(crate) fn without_store(graph: &CompiledGraph<S>, input: S::Update) -> Result<Self, Error> {
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
pub(crate) fn first_checkpoint<S: State>(
    graph: &CompiledGraph<S>,
    run: &Arc<str>,
    before: Option<Checkpoint<S>>,
    input: S::Update,
    delta: Option<&mut Delta>,
) -> Result<Checkpoint<S>, Error> {
    let superstep = before.as_ref().map_or(-1, |checkpoint| checkpoint.superstep + 1);
    let Checkpoint { state, memories, .. } = before.unwrap_or_default();
    let mut state = Arc::unwrap_or_clone(state);
    state.fold(vec![(START.into(), input)], delta)?;
    let due = DueTasks { run: Arc::clone(run), memories, ..graph.inner.entry(&state)? };
    Ok(due.checkpoint(&graph.inner.topology, superstep, Arc::new(state), BTreeMap::new()))
}
