//! Reading the checkpoints of runs.

use std::collections::HashMap;

use qingyu_graph::{CheckpointId, Page, PastCheckpoint, State, Thread, Values};
use qingyu_store::Run;

use crate::error::Error;
use crate::runs::checkpoint::{CheckpointRow, CheckpointSource, CheckpointState, StateField};
use crate::runs::kind::RunKind;
use crate::runs::question::RunQuestion;
use crate::runs::run_type::RunType;
use crate::runs::types::of_kind;
use crate::studio::Studio;

/// The number of checkpoints on a page by default.
const PAGE: u32 = 50;
/// The channels that identify a run, closed to edits.
const IDS: [&str; 3] = ["user_id", "project_id", "run_id"];
/// The channels with the cost of a run, closed to edits.
const COSTS: [&str; 2] = ["tokens_used", "cost_micros"];

/// Returns whether a channel can be edited: it is stored, and has no IDs, costs, limits or permissions.
pub(crate) fn is_editable<K: RunType>(name: &str) -> bool {
    let is_closed = IDS.contains(&name) || COSTS.contains(&name) || name == K::CALLS || K::CLOSED.contains(&name);
    !is_closed && K::State::CHANNELS.iter().any(|channel| channel.name == name && channel.tracked)
}

impl Studio {
    /// Returns a page of the checkpoints of a run, of all branches, newest first: at most `limit` (50 by default), all
    /// before the checkpoint `before`, if given.
    pub async fn checkpoints(
        &self,
        run: &str,
        before: Option<u64>,
        limit: Option<u32>,
    ) -> Result<Vec<CheckpointRow>, Error> {
        let run = self.find_run(run).await?;
        let limit = limit.unwrap_or(PAGE) as usize;
        of_kind!(RunKind::of(&run), K => self.checkpoints_as::<K>(&run, before, limit).await)
    }

    /// Returns the state of a run at a checkpoint, or [`Error::UnknownCheckpoint`].
    pub async fn checkpoint(&self, run: &str, checkpoint: u64) -> Result<CheckpointState, Error> {
        let run = self.find_run(run).await?;
        of_kind!(RunKind::of(&run), K => self.checkpoint_as::<K>(&run, checkpoint).await)
    }

    async fn checkpoints_as<K: RunType>(
        &self,
        run: &Run,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<CheckpointRow>, Error> {
        let thread = self.thread_of::<K>(&run.id);
        let rows = async {
            let page = Page { before: before.map(CheckpointId::from), limit: Some(limit) };
            rows(&thread, thread.history(page).await?).await
        };
        rows.await.map_err(|error| self.place(&run.id).graph(&error))
    }

    async fn checkpoint_as<K: RunType>(&self, run: &Run, checkpoint: u64) -> Result<CheckpointState, Error> {
        let place = self.place(&run.id);
        let snapshot = self.thread_of::<K>(&run.id).at(checkpoint.into()).snapshot().await;
        let snapshot = snapshot.map_err(|error| place.graph(&error))?;
        let row = self.checkpoints_as::<K>(run, Some(checkpoint.saturating_add(1)), 1).await?.pop();
        let unknown = || Error::UnknownCheckpoint { run: run.id.clone(), checkpoint };
        let channels = K::State::CHANNELS.iter().filter(|channel| channel.tracked);
        let field = |channel: &qingyu_graph::StateChannel| StateField {
            name: channel.name.to_owned(),
            form: channel.value.to_owned(),
            is_editable: is_editable::<K>(channel.name),
        };
        Ok(CheckpointState {
            run: run.id.clone(),
            checkpoint: row.filter(|row| row.checkpoint == checkpoint).ok_or_else(unknown)?,
            values: snapshot.committed().encode().map_err(|error| place.graph(&error))?.into_iter().collect(),
            fields: channels.map(field).collect(),
            nodes: self.nodes_of(K::KIND),
            question: K::question(&snapshot).or_else(|| RunQuestion::at_breakpoint(&snapshot)),
            failure: snapshot.error.map(|failure| format!("{}: {}", failure.node, failure.message)),
        })
    }
}

/// Returns the rows of a page of a history.
async fn rows<S: State>(
    thread: &Thread<S>,
    history: Vec<PastCheckpoint<S>>,
) -> Result<Vec<CheckpointRow>, qingyu_graph::Error> {
    let mut known: HashMap<u64, (Values, Vec<String>)> = HashMap::new();
    for past in &history {
        known.insert(past.id.into(), (past.state.encode()?, past.next.clone()));
    }
    let nothing = S::default().encode()?;
    let mut rows = Vec::with_capacity(history.len());
    for past in history {
        let parent = past.parent.map(u64::from);
        if let Some(parent) = parent.filter(|parent| !known.contains_key(parent)) {
            // The last row of the page, or the first checkpoint of a branch.
            let page = Page { before: Some((parent + 1).into()), limit: Some(1) };
            let found = thread.history(page).await?.pop().filter(|found| u64::from(found.id) == parent);
            // A pruned parent is missing.
            let found = found.map(|found| Ok::<_, qingyu_graph::Error>((found.state.encode()?, found.next)));
            known.insert(parent, found.transpose()?.unwrap_or_else(|| (nothing.clone(), Vec::new())));
        }
        let before = parent.and_then(|parent| known.get(&parent));
        let values = &known[&u64::from(past.id)].0;
        let old = before.map_or(&nothing, |(values, _)| values);
        let written = values.iter().filter(|(name, value)| old.get(*name) != Some(*value));
        let source = CheckpointSource::from(past.source);
        let ran = before.filter(|_| source == CheckpointSource::Loop).map_or_else(Vec::new, |(_, next)| next.clone());
        rows.push(CheckpointRow {
            checkpoint: past.id.into(),
            parent,
            branch: past.branch,
            superstep: past.superstep,
            at: past.at,
            source,
            ran,
            written: written.map(|(name, _)| name.clone()).collect(),
            next: past.next,
        });
    }
    Ok(rows)
}
