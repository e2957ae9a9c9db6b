//! The checkpoints of runs: the history, states, edits, forks and prompts.

use std::collections::BTreeMap;

use qingyu_story::bounded::at_most;
use serde_json::Value;

use crate::operations::operation::operations;
use crate::runs::checkpoint::{CheckpointRow, CheckpointState, EditedRun, ForkedRun, NodePrompts};
use crate::runs::kind::RunKind;

operations! {
    /// Returns the nodes of the graph of a kind of runs, where a run can stop: `breakpoints` in the overrides of a start.
    Read Get "/nodes"
    ListNodes as "list_nodes" {
        /// The kind of runs.
        kind: RunKind,
    } -> Vec<String>
        = |studio, it| Ok(studio.nodes_of(it.kind));

    /// Returns the checkpoints of a run, of all branches, newest first.
    Read Get "/runs/{run}/checkpoints"
    ListCheckpoints as "list_checkpoints" {
        /// The run.
        run: String,
        /// Restricts to checkpoints before the given checkpoint, for the next page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<u64>,
        /// The maximum number of checkpoints; 50 by default.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "at_most::<100, _, _>")]
        #[schemars(range(max = 100))]
        limit: Option<u32>,
    } -> Vec<CheckpointRow>
        = |studio, it| studio.checkpoints(&it.run, it.before, it.limit).await;

    /// Returns the state of a run at a checkpoint.
    Read Get "/runs/{run}/checkpoints/{checkpoint}"
    ReadCheckpoint as "read_checkpoint" {
        /// The run.
        run: String,
        /// The checkpoint.
        checkpoint: u64,
    } -> CheckpointState
        = |studio, it| studio.checkpoint(&it.run, it.checkpoint).await;

    /// Edits the state of a stopped run at a checkpoint, by a new checkpoint. An edit that makes finished nodes run
    /// again creates a fork of the run instead.
    Write Post "/runs/{run}/checkpoints/{checkpoint}/edit"
    EditCheckpoint as "edit_checkpoint" {
        /// The run.
        run: String,
        /// The checkpoint.
        checkpoint: u64,
        /// The new values, by field.
        values: BTreeMap<String, Value>,
        /// The node whose work the edit replaces; by default the due nodes stay due.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        as_node: Option<String>,
    } -> EditedRun
        = |studio, it| studio.edit_checkpoint(&it.run, it.checkpoint, it.values, it.as_node.as_deref()).await;

    /// Creates a run that continues from a checkpoint of a run; resume the new run to start it. The old run stays
    /// unchanged, and its stored answers of models are reused.
    Write Post "/runs/{run}/checkpoints/{checkpoint}/fork"
    ForkRun as "fork_run" {
        /// The run.
        run: String,
        /// The checkpoint.
        checkpoint: u64,
        /// Whether to ask the models again instead of reusing stored answers.
        #[serde(default)]
        afresh: bool,
    } -> ForkedRun
        = |studio, it| studio.fork_run(&it.run, it.checkpoint, it.afresh).await;

    /// Returns the prompts of a node of a run: its correction prompt, and its recorded requests to models.
    Read Get "/runs/{run}/prompts/{node}"
    ReadNodePrompts as "read_node_prompts" {
        /// The run.
        run: String,
        /// The node.
        node: String,
        /// Restricts to the superstep after the given checkpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoint: Option<u64>,
    } -> NodePrompts
        = |studio, it| studio.node_prompts(&it.run, &it.node, it.checkpoint).await;
}
