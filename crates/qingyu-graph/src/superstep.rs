//! The pure core: the tasks of a checkpoint, and the checkpoint after their writes.
//!
//! Plain values and pure functions; the driver spawns, waits and stores.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::any_state::{AnyState, AnyUpdate, StateType};
use crate::command::NodeSend;
use crate::error::Error;
use crate::state::Delta;
use crate::task_id::TaskId;
use crate::topology::{EdgeTarget, Topology};

/// The state of a thread between two supersteps.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    /// The run that created the checkpoint; with the superstep, a permanent id of the checkpoint.
    pub(crate) run: Arc<str>,
    /// The superstep whose writes have been applied; −1 after the first input.
    pub(crate) superstep: i64,
    pub(crate) state: AnyState,
    /// The next tasks, in the order in which their writes will be folded.
    pub(crate) next: Vec<TaskId>,
    /// The sources that have reached each unfinished join, by the join's key.
    pub(crate) joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    /// The payloads of the tasks with an index.
    pub(crate) payloads: Vec<Arc<Value>>,
    /// The nodes that run when nothing else is left.
    pub(crate) deferred: BTreeSet<Arc<str>>,
    /// Whether a run stops at the checkpoint.
    pub(crate) is_breakpoint: bool,
    /// The last finished call of each subgraph with memory, by the name of the place.
    pub(crate) memories: BTreeMap<String, String>,
}

impl Checkpoint {
    /// Returns a checkpoint after which nothing is due.
    pub(crate) fn of(state: AnyState) -> Self {
        Self {
            run: Arc::default(),
            superstep: -1,
            state,
            next: Vec::new(),
            joins: BTreeMap::new(),
            payloads: Vec::new(),
            deferred: BTreeSet::new(),
            is_breakpoint: false,
            memories: BTreeMap::new(),
        }
    }

    /// Returns the payload of `task`; `None` for a plain task.
    pub(crate) fn payload(&self, task: &TaskId) -> Option<Arc<Value>> {
        self.payloads.get(usize::try_from(task.index?).ok()?).cloned()
    }
}

/// The result of a finished task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskWrites {
    /// Stored as a field beside the others, by its own type.
    #[serde(skip)]
    pub(crate) update: AnyUpdate,
    pub(crate) way: TaskRoute,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sends: Vec<NodeSend>,
    /// The subgraph calls whose state later calls continue from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) memories: Vec<RememberedCall>,
}

impl TaskWrites {
    pub(crate) fn new(update: AnyUpdate, way: TaskRoute, sends: Vec<NodeSend>) -> Self {
        Self { update, way, sends, memories: Vec::new() }
    }

    /// Serializes the writes to a JSON object: the update, then the other fields.
    pub(crate) fn encode(&self) -> serde_json::Result<String> {
        let (update, others) = (self.update.to_body()?, serde_json::to_string(self)?);
        Ok(format!("{},{}", &update[..update.len() - 1], &others[1..]))
    }

    /// Deserializes writes to a state of the given type.
    pub(crate) fn decode(json: &str, state: StateType) -> serde_json::Result<Self> {
        Ok(Self { update: (state.decode_update)(json)?, ..serde_json::from_str(json)? })
    }
}

/// A finished subgraph call whose final state is the initial state of the next call from the same place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RememberedCall {
    pub(crate) place: String,
    pub(crate) scope: String,
}

/// The targets of a finished task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskRoute {
    /// The node's edges and joins, and the targets chosen by its routes.
    Edges(Vec<String>),
    /// The same, with routes that are called after the update is in the state. For the only task of a superstep, which
    /// needs no copy of the state with its own update alone.
    Routes(Vec<String>),
    /// Only these nodes.
    Goto(Vec<String>),
    /// None, and the whole graph ends.
    Leave,
}

/// The finished tasks of the current superstep.
#[derive(Debug, Default)]
pub(crate) struct FinishedTasks(pub(crate) BTreeMap<TaskId, TaskWrites>);

/// Returns the tasks of a checkpoint that are neither finished nor waiting for an answer.
pub(crate) fn plan(
    checkpoint: &Checkpoint,
    finished: &FinishedTasks,
    is_waiting: impl Fn(&TaskId) -> bool,
) -> Vec<TaskId> {
    let open = checkpoint.next.iter().filter(|task| !finished.0.contains_key(task) && !is_waiting(task));
    open.cloned().collect()
}

/// The targets that the routes of a node return for a state: nodes, and executions with payloads.
pub(crate) type RouteTargets = (Vec<String>, Vec<NodeSend>);

/// Applies the writes of a whole superstep and returns the next checkpoint, independent of the finishing order.
///
/// Appends the changes to `delta`, if given, and calls `routes` where a task has left the targets open.
pub(crate) fn apply(
    checkpoint: Checkpoint,
    topology: &Topology,
    mut finished: FinishedTasks,
    delta: Option<&mut Delta>,
    routes: impl Fn(&str, &AnyState) -> Result<RouteTargets, Error>,
) -> Result<Checkpoint, Error> {
    let Checkpoint { run, superstep, state, next, mut joins, deferred, mut memories, .. } = checkpoint;
    let mut updates = Vec::with_capacity(next.len());
    let mut due = DueTasks { deferred, ..DueTasks::default() };
    let mut ways = Vec::with_capacity(next.len());
    let mut remembered = Vec::new();
    for task in next {
        let Some(writes) = finished.0.remove(&task) else { continue };
        due.after_pause |= topology.shape(&task.node)?.pauses_after;
        ways.push((Arc::clone(&task.node), writes.way));
        due.sends.extend(writes.sends);
        remembered.extend(writes.memories.into_iter().map(|memory| (Arc::clone(&task.node), memory)));
        updates.push((task.node, writes.update));
    }
    let state = state.fold(updates, delta)?;
    remember(&mut memories, remembered)?;
    let leaves = ways.iter().any(|(_, way)| *way == TaskRoute::Leave);
    for (node, way) in ways {
        let way = match way {
            TaskRoute::Routes(mut chosen) => {
                let (more, sent) = routes(&node, &state)?;
                chosen.extend(more);
                due.sends.extend(sent);
                TaskRoute::Edges(chosen)
            }
            way => way,
        };
        follow(topology, &node, way, &mut due.nodes, &mut joins)?;
    }
    if leaves {
        due = DueTasks::default();
        joins.clear();
    }
    let due = DueTasks { run, memories, ..due };
    Ok(due.checkpoint(topology, superstep + 1, state, joins))
}

/// Inserts the finished calls; returns an error if two calls of one place finish in one superstep.
fn remember(memories: &mut BTreeMap<String, String>, remembered: Vec<(Arc<str>, RememberedCall)>) -> Result<(), Error> {
    if remembered.is_empty() {
        return Ok(());
    }
    let mut writers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (node, RememberedCall { place, scope }) in remembered {
        writers.entry(place.clone()).or_default().push(node.to_string());
        memories.insert(place, scope);
    }
    match writers.into_iter().find(|(_, writers)| writers.len() > 1) {
        Some((place, writers)) => Err(Error::InvalidUpdate { key: format!("the memory of {place}"), writers }),
        None => Ok(()),
    }
}

/// The tasks due after a superstep.
#[derive(Debug, Default)]
pub(crate) struct DueTasks {
    pub(crate) nodes: BTreeSet<usize>,
    /// The sends, in the order of the senders and of each sender's calls.
    pub(crate) sends: Vec<NodeSend>,
    /// The nodes deferred until nothing else is left.
    pub(crate) deferred: BTreeSet<Arc<str>>,
    /// Whether a node with a breakpoint after it has run.
    pub(crate) after_pause: bool,
    pub(crate) run: Arc<str>,
    pub(crate) memories: BTreeMap<String, String>,
}

impl DueTasks {
    /// Returns the checkpoint: plain tasks in declaration order, then the sends.
    pub(crate) fn checkpoint(
        self,
        topology: &Topology,
        superstep: i64,
        state: AnyState,
        joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    ) -> Checkpoint {
        let Self { nodes, sends, mut deferred, after_pause, run, memories } = self;
        let (late, now): (Vec<_>, Vec<_>) =
            nodes.into_iter().map(|node| &topology.nodes[node]).partition(|shape| shape.is_deferred);
        deferred.extend(late.into_iter().map(|shape| Arc::clone(&shape.name)));
        let plain = |node: &Arc<str>| TaskId { node: Arc::clone(node), index: None };
        let mut next: Vec<_> = now.into_iter().map(|shape| plain(&shape.name)).collect();
        let mut payloads = Vec::with_capacity(sends.len());
        for (index, sent) in (0..).zip(sends) {
            next.push(TaskId { node: topology.name(sent.node), index: Some(index) });
            payloads.push(sent.payload);
        }
        if next.is_empty() {
            let released = std::mem::take(&mut deferred);
            next =
                topology.nodes.iter().filter(|shape| released.contains(&shape.name)).map(|s| plain(&s.name)).collect();
        }
        let pauses_before = |task: &TaskId| topology.shape(&task.node).is_ok_and(|shape| shape.pauses_before);
        let is_breakpoint = !next.is_empty() && (after_pause || next.iter().any(pauses_before));
        Checkpoint { run, superstep, state, next, joins, payloads, deferred, is_breakpoint, memories }
    }
}

/// Returns the state with the writes of the finished tasks applied.
pub(crate) fn preview(checkpoint: &Checkpoint, finished: &FinishedTasks) -> Result<AnyState, Error> {
    let written = checkpoint.next.iter().filter_map(|task| Some((task, finished.0.get(task)?)));
    let updates = written.map(|(task, writes)| (Arc::clone(&task.node), writes.update.clone())).collect();
    checkpoint.state.clone().fold(updates, None)
}

/// Schedules the successors of a finished node.
fn follow(
    topology: &Topology,
    node: &str,
    way: TaskRoute,
    scheduled: &mut BTreeSet<usize>,
    joins: &mut BTreeMap<String, BTreeSet<Arc<str>>>,
) -> Result<(), Error> {
    let shape = topology.shape(node)?;
    let chosen = match way {
        TaskRoute::Goto(chosen) => chosen,
        TaskRoute::Leave => Vec::new(),
        TaskRoute::Edges(chosen) | TaskRoute::Routes(chosen) => {
            scheduled.extend(shape.edges.iter().filter_map(EdgeTarget::node));
            for &join in &shape.joins {
                let join = &topology.joins[join];
                let seen = joins.entry(join.key.clone()).or_default();
                seen.insert(Arc::clone(&shape.name));
                if seen.len() == join.sources.len() {
                    joins.remove(&join.key);
                    scheduled.insert(join.target);
                }
            }
            chosen
        }
    };
    for name in chosen {
        scheduled.extend(topology.target(node, &name)?.node());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
