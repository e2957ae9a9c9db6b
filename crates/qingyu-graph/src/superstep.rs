//! The heart: which tasks a checkpoint asks for, and the checkpoint that their writes lead to.
//!
//! Plain values and pure functions; the driver around them spawns, waits and stores.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::command::Sent;
use crate::topology::{Target, Topology};
use crate::{Delta, Error, State};

/// One execution of a node in a superstep.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct TaskId {
    pub(crate) node: Arc<str>,
    /// Which of the superstep's executions with payloads of their own it is; `None` for a plain one.
    pub(crate) index: Option<u32>,
}

/// The state of a thread between two supersteps.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint<S> {
    /// The run that made it; with the superstep it names the checkpoint for ever.
    pub(crate) run: Arc<str>,
    /// The superstep whose writes are in; −1 after the first input.
    pub(crate) superstep: i64,
    pub(crate) state: Arc<S>,
    /// What runs next, in the order in which its writes will be folded.
    pub(crate) next: Vec<TaskId>,
    /// The sources that each unfinished join has seen, by the join's key.
    pub(crate) joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    /// What the tasks with an index were sent.
    pub(crate) payloads: Vec<Arc<Value>>,
    /// What runs when nothing else is left.
    pub(crate) deferred: BTreeSet<Arc<str>>,
    /// Whether a run that comes here stops.
    pub(crate) is_breakpoint: bool,
    /// The last finished call of each subgraph that remembers its calls, by the name of its place.
    pub(crate) memories: BTreeMap<String, String>,
}

impl<S: Default> Default for Checkpoint<S> {
    fn default() -> Self {
        Self {
            run: Arc::default(),
            superstep: -1,
            state: Arc::default(),
            next: Vec::new(),
            joins: BTreeMap::new(),
            payloads: Vec::new(),
            deferred: BTreeSet::new(),
            is_breakpoint: false,
            memories: BTreeMap::new(),
        }
    }
}

impl<S> Checkpoint<S> {
    /// What `task` was sent, if it is not a plain one.
    pub(crate) fn payload(&self, task: &TaskId) -> Option<Arc<Value>> {
        self.payloads.get(usize::try_from(task.index?).ok()?).cloned()
    }
}

/// What a finished task leaves behind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskWrites<U> {
    pub(crate) update: U,
    pub(crate) way: Way,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sends: Vec<Sent>,
    /// The calls of subgraphs that later ones remember.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) memories: Vec<Remembered>,
}

impl<U> TaskWrites<U> {
    pub(crate) fn new(update: U, way: Way, sends: Vec<Sent>) -> Self {
        Self { update, way, sends, memories: Vec::new() }
    }
}

/// A finished call of a subgraph whose end the next call from the same place begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    pub(crate) place: String,
    pub(crate) scope: String,
}

/// Where a finished task leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Way {
    /// Along the node's edges and joins, and to what its routes chose.
    Edges(Vec<String>),
    /// The same, with routes that are asked when the update is in the state. For the only task of a superstep, which
    /// needs no copy of the state with its own update alone.
    Routes(Vec<String>),
    /// Only to these.
    Goto(Vec<String>),
    /// Nowhere, and nothing else goes on either.
    Leave,
}

/// What is known about the superstep that is under way.
#[derive(Debug)]
pub(crate) struct Finished<U>(pub(crate) BTreeMap<TaskId, TaskWrites<U>>);

impl<U> Default for Finished<U> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// The tasks that a checkpoint still asks for: neither finished nor waiting for an answer.
pub(crate) fn plan<S, U>(
    checkpoint: &Checkpoint<S>,
    finished: &Finished<U>,
    is_waiting: impl Fn(&TaskId) -> bool,
) -> Vec<TaskId> {
    let open = checkpoint.next.iter().filter(|task| !finished.0.contains_key(task) && !is_waiting(task));
    open.cloned().collect()
}

/// What the routes of a node choose in a state: nodes, and executions with payloads of their own.
pub(crate) type Routed = (Vec<String>, Vec<Sent>);

/// Applies the writes of a whole superstep. The order in which its tasks finished never matters.
///
/// Notes the changes in `delta`, if there is one, and asks `routes` where a task has left that open.
pub(crate) fn apply<S: State>(
    checkpoint: Checkpoint<S>,
    topology: &Topology,
    mut finished: Finished<S::Update>,
    delta: Option<&mut Delta>,
    routes: impl Fn(&str, &S) -> Result<Routed, Error>,
) -> Result<Checkpoint<S>, Error> {
    let Checkpoint { run, superstep, mut state, next, mut joins, deferred, mut memories, .. } = checkpoint;
    let mut updates = Vec::with_capacity(next.len());
    let mut due = Due { deferred, ..Due::default() };
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
    Arc::make_mut(&mut state).fold(updates, delta)?;
    remember(&mut memories, remembered)?;
    let leaves = ways.iter().any(|(_, way)| *way == Way::Leave);
    for (node, way) in ways {
        let way = match way {
            Way::Routes(mut chosen) => {
                let (more, sent) = routes(&node, &state)?;
                chosen.extend(more);
                due.sends.extend(sent);
                Way::Edges(chosen)
            }
            way => way,
        };
        follow(topology, &node, way, &mut due.nodes, &mut joins)?;
    }
    if leaves {
        due = Due::default();
        joins.clear();
    }
    let due = Due { run, memories, ..due };
    Ok(due.checkpoint(topology, superstep + 1, state, joins))
}

/// Notes the finished calls; two of one place in one superstep cannot both be the last.
fn remember(memories: &mut BTreeMap<String, String>, remembered: Vec<(Arc<str>, Remembered)>) -> Result<(), Error> {
    if remembered.is_empty() {
        return Ok(());
    }
    let mut writers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (node, Remembered { place, scope }) in remembered {
        writers.entry(place.clone()).or_default().push(node.to_string());
        memories.insert(place, scope);
    }
    match writers.into_iter().find(|(_, writers)| writers.len() > 1) {
        Some((place, writers)) => Err(Error::InvalidUpdate { key: format!("the memory of {place}"), writers }),
        None => Ok(()),
    }
}

/// What one superstep leads to.
#[derive(Debug, Default)]
pub(crate) struct Due {
    pub(crate) nodes: BTreeSet<usize>,
    /// In the order of their senders, and of each sender's calls.
    pub(crate) sends: Vec<Sent>,
    /// What has been put off until nothing else is left.
    pub(crate) deferred: BTreeSet<Arc<str>>,
    /// Whether something has run after which a run stops.
    pub(crate) after_pause: bool,
    pub(crate) run: Arc<str>,
    pub(crate) memories: BTreeMap<String, String>,
}

impl Due {
    /// The checkpoint that asks for it: plain tasks in declaration order, then the sends.
    pub(crate) fn checkpoint<S>(
        self,
        topology: &Topology,
        superstep: i64,
        state: Arc<S>,
        joins: BTreeMap<String, BTreeSet<Arc<str>>>,
    ) -> Checkpoint<S> {
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

/// The state as the finished part of the superstep would make it.
pub(crate) fn preview<S: State>(checkpoint: &Checkpoint<S>, finished: &Finished<S::Update>) -> Result<S, Error> {
    let mut state = S::clone(&checkpoint.state);
    let written = checkpoint.next.iter().filter_map(|task| Some((task, finished.0.get(task)?)));
    state.fold(written.map(|(task, writes)| (Arc::clone(&task.node), writes.update.clone())).collect(), None)?;
    Ok(state)
}

/// Schedules what a finished node leads to.
fn follow(
    topology: &Topology,
    node: &str,
    way: Way,
    scheduled: &mut BTreeSet<usize>,
    joins: &mut BTreeMap<String, BTreeSet<Arc<str>>>,
) -> Result<(), Error> {
    let shape = topology.shape(node)?;
    let chosen = match way {
        Way::Goto(chosen) => chosen,
        Way::Leave => Vec::new(),
        Way::Edges(chosen) | Way::Routes(chosen) => {
            scheduled.extend(shape.edges.iter().filter_map(Target::node));
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

impl fmt::Display for TaskId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => self.node.fmt(formatter),
            Some(index) => write!(formatter, "{}#{index}", self.node),
        }
    }
}

impl From<TaskId> for String {
    fn from(task: TaskId) -> Self {
        task.to_string()
    }
}

impl TryFrom<String> for TaskId {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.split_once('#') {
            None => Ok(Self { node: text.into(), index: None }),
            Some((node, index)) => Ok(Self { node: node.into(), index: Some(index.parse()?) }),
        }
    }
}

#[cfg(test)]
mod tests;
