//! A validated graph, ready to run. `compile` makes it from a [`Graph`](crate::graph::Graph).

mod compile;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::any_state::{AnyState, StateType};
use crate::blueprint::Blueprint;
use crate::cache::NodeCache;
use crate::command::{CommandTargets, Goto, NodeOutput, NodeSend, RouteChoice};
use crate::drawing::GraphDrawing;
use crate::endpoints::{END, START};
use crate::error::Error;
use crate::graph::{Node, RouteFunction};
use crate::migration::GraphMigrations;
use crate::problem::GraphWarning;
use crate::retry::RetryPolicy;
use crate::state::State;
use crate::superstep::{DueTasks, RouteTargets, TaskRoute, TaskWrites};
use crate::time_limits::TimeLimits;
use crate::topology::{EdgeTarget, Topology, unknown};

/// A validated graph. Cheap to clone.
pub struct CompiledGraph<S: State> {
    pub(crate) inner: Arc<CompiledParts>,
    pub(crate) memory: Memory,
    state: PhantomData<fn() -> S>,
}

/// The initial state of a subgraph call, and the records stored for the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// Every call starts with an empty state, and the supersteps are stored.
    #[default]
    Call,
    /// A call continues with the final state of the last call from the same place of the thread. Two calls from one
    /// place in one superstep are refused.
    Thread,
    /// Every call starts with an empty state, and nothing is stored: nodes cannot ask, and a crash loses the whole
    /// call.
    None,
}

/// The content of a compiled graph, whatever the state.
pub(crate) struct CompiledParts {
    pub(crate) name: String,
    pub(crate) state: StateType,
    pub(crate) topology: Topology,
    pub(crate) blueprint: Blueprint,
    pub(crate) migrations: GraphMigrations,
    pub(crate) drawing: GraphDrawing,
    warnings: Vec<GraphWarning>,
    nodes: HashMap<Arc<str>, Executable>,
    entry_routes: Vec<NodeRoute>,
}

/// A node with the settings needed to run it.
pub(crate) struct Executable {
    pub(crate) run: Node,
    pub(crate) retry: RetryPolicy,
    pub(crate) time_limits: TimeLimits,
    pub(crate) cache: Option<NodeCache>,
    /// The error handler that runs after the node has failed; `None` by default.
    pub(crate) handler: Option<String>,
    routes: Vec<NodeRoute>,
}

/// A route without the source.
struct NodeRoute {
    targets: BTreeSet<String>,
    choose: RouteFunction,
}

impl<S: State> CompiledGraph<S> {
    /// Sets the memory of calls of this graph as a subgraph; by default every call starts with an empty state.
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// Returns the graph's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Returns the author's version, or by default a fingerprint of the nodes, edges and channels.
    pub fn version(&self) -> &str {
        &self.inner.migrations.present
    }

    /// Returns the drawing of the graph.
    pub fn drawing(&self) -> &GraphDrawing {
        &self.inner.drawing
    }

    /// Returns the graph as Mermaid text; short for [`GraphDrawing::mermaid`].
    pub fn mermaid(&self) -> String {
        self.inner.drawing.mermaid()
    }

    /// Returns the warnings about likely mistakes in the graph.
    pub fn warnings(&self) -> &[GraphWarning] {
        &self.inner.warnings
    }
}

impl CompiledParts {
    pub(crate) fn executable(&self, node: &str) -> Result<&Executable, Error> {
        self.nodes.get(node).ok_or_else(|| Error::Corrupt { reason: format!("there is no node {node}") })
    }

    /// Returns the tasks that are due after an input.
    pub(crate) fn entry(&self, state: &AnyState) -> Result<DueTasks, Error> {
        let (chosen, sends) = choose(START, &self.entry_routes, state)?;
        let mut nodes: BTreeSet<_> = self.topology.entry.iter().filter_map(EdgeTarget::node).collect();
        for name in chosen {
            nodes.extend(self.topology.target(START, &name)?.node());
        }
        Ok(DueTasks { nodes, sends, ..DueTasks::default() })
    }

    /// Resolves the targets of a node's output, except targets chosen by routes.
    pub(crate) fn resolve(&self, node: &str, output: NodeOutput) -> Result<TaskWrites, Error> {
        let NodeOutput { update, way, sends } = output;
        let declared = &self.topology.shape(node)?.targets;
        let sends = sends.into_iter().map(|sent| accept(node, declared, sent?)).collect::<Result<Vec<_>, Error>>()?;
        let told = way.unwrap_or(if sends.is_empty() {
            CommandTargets::Also(Vec::new())
        } else {
            CommandTargets::Only(Vec::new())
        });
        let out = [END.to_owned()];
        let named = match &told {
            CommandTargets::Also(chosen) | CommandTargets::Only(chosen) => chosen,
            CommandTargets::Out => &out[..],
        };
        named.iter().try_for_each(|name| refuse_undeclared(node, declared, name))?;
        Ok(match told {
            CommandTargets::Only(chosen) => TaskWrites::new(update, TaskRoute::Goto(chosen), sends),
            CommandTargets::Out => TaskWrites::new(update, TaskRoute::Leave, Vec::new()),
            CommandTargets::Also(chosen) if self.executable(node)?.routes.is_empty() => {
                TaskWrites::new(update, TaskRoute::Edges(chosen), sends)
            }
            CommandTargets::Also(chosen) => TaskWrites::new(update, TaskRoute::Routes(chosen), sends),
        })
    }

    /// Calls the routes that are still open. A route sees the writes of the task, but no writes of concurrent tasks.
    pub(crate) fn route(&self, node: &str, state: &AnyState, writes: TaskWrites) -> Result<TaskWrites, Error> {
        let TaskWrites { update, way, mut sends, memories } = writes;
        let way = match way {
            TaskRoute::Routes(mut chosen) => {
                let own = state.clone().fold(vec![(node.into(), update.clone())], None)?;
                let (more, sent) = self.choose(node, &own)?;
                chosen.extend(more);
                sends.extend(sent);
                TaskRoute::Edges(chosen)
            }
            way => way,
        };
        Ok(TaskWrites { update, way, sends, memories })
    }

    /// Returns the targets chosen by the routes of a node.
    pub(crate) fn choose(&self, node: &str, state: &AnyState) -> Result<RouteTargets, Error> {
        choose(node, &self.executable(node)?.routes, state)
    }
}

fn choose(node: &str, routes: &[NodeRoute], state: &AnyState) -> Result<RouteTargets, Error> {
    let (mut nodes, mut sends) = (Vec::new(), Vec::new());
    for route in routes {
        for Goto(chosen) in (route.choose)(state) {
            match chosen {
                RouteChoice::Node(name) => {
                    refuse_undeclared(node, &route.targets, &name)?;
                    nodes.push(name);
                }
                RouteChoice::Send(sent) => sends.push(accept(node, &route.targets, sent?)?),
            }
        }
    }
    Ok((nodes, sends))
}

fn accept(node: &str, declared: &BTreeSet<String>, sent: NodeSend) -> Result<NodeSend, Error> {
    refuse_undeclared(node, declared, &sent.node)?;
    // The end is no node; nothing could read the payload.
    if sent.node == END { Err(unknown(node, END)) } else { Ok(sent) }
}

fn refuse_undeclared(node: &str, declared: &BTreeSet<String>, name: &str) -> Result<(), Error> {
    if declared.contains(name) { Ok(()) } else { Err(unknown(node, name)) }
}

impl<S: State> Clone for CompiledGraph<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), memory: self.memory, state: PhantomData }
    }
}

impl<S: State> fmt::Debug for CompiledGraph<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(formatter)
    }
}

impl fmt::Debug for CompiledParts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CompiledGraph").field("name", &self.name).finish_non_exhaustive()
    }
}
