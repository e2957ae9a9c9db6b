//! A checked graph, ready to run.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::blueprint::{Blueprint, join_key};
use crate::cache::Cache;
use crate::command::{Chosen, Sent, Told};
use crate::context::RunScope;
use crate::driver::Driver;
use crate::graph::{Choose, Route};
use crate::migration::Migrations;
use crate::node::Node;
use crate::superstep::{Due, Routed, TaskWrites, Way};
use crate::thread::{Ready, Settings};
use crate::topology::{Join, Shape, Target, Topology, unknown};
use crate::{
    Command, Drawing, END, Error, Goto, Graph, Memory, RetryPolicy, START, State, Store, Thread, ThreadId, TimeLimits,
    Warning,
};

/// A checked graph. Cheap to clone.
pub struct CompiledGraph<S: State> {
    pub(crate) inner: Arc<Inner<S>>,
    pub(crate) memory: Memory,
}

pub(crate) struct Inner<S: State> {
    pub(crate) name: String,
    pub(crate) topology: Topology,
    pub(crate) blueprint: Blueprint,
    pub(crate) migrations: Migrations,
    pub(crate) drawing: Drawing,
    warnings: Vec<Warning>,
    nodes: HashMap<Arc<str>, Executable<S>>,
    entry_routes: Vec<Choice<S>>,
}

/// What is needed to run one node.
pub(crate) struct Executable<S: State> {
    pub(crate) run: Node<S>,
    pub(crate) retry: RetryPolicy,
    pub(crate) time_limits: TimeLimits,
    pub(crate) cache: Option<Cache<S>>,
    /// Who takes over when it has failed.
    pub(crate) handler: Option<String>,
    routes: Vec<Choice<S>>,
}

/// A route without its source.
struct Choice<S> {
    targets: BTreeSet<String>,
    choose: Choose<S>,
}

impl<S: State> CompiledGraph<S> {
    /// The thread `id` in `store`, which may or may not exist yet.
    pub fn thread(&self, store: Arc<dyn Store>, id: impl Into<ThreadId>) -> Thread<S> {
        Thread::new(self.clone(), store, id.into())
    }

    /// What calls of this graph by nodes of others begin with; each anew if nothing is said.
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// Runs the graph in memory, once and to its end. Nothing is kept: a node cannot ask, a crash loses everything.
    pub async fn run(&self, input: impl Into<S::Update>) -> Result<S, Error> {
        let ready = Ready::without_store(self, input.into())?;
        // Nobody reads the events.
        let (scope, _) = RunScope::new(Settings::default(), "", &ready.run);
        // Dropping this future drops the run; a task of its own would cost more than many a graph.
        let outcome = Driver::new(self.clone(), Arc::new(scope), ready).drive(None).await?;
        Ok(outcome.into_state())
    }

    /// The graph's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The version that its author gave it, or else a fingerprint of its nodes, edges and channels.
    pub fn version(&self) -> &str {
        &self.inner.migrations.present
    }

    /// How the graph looks.
    pub fn drawing(&self) -> &Drawing {
        &self.inner.drawing
    }

    /// Short for [`Drawing::mermaid`].
    pub fn mermaid(&self) -> String {
        self.inner.drawing.mermaid()
    }

    /// What in it looks like a slip.
    pub fn warnings(&self) -> &[Warning] {
        &self.inner.warnings
    }

    pub(crate) fn build(graph: Graph<S>, warnings: Vec<Warning>) -> Self {
        let blueprint = Blueprint::of(&graph);
        let drawing = Drawing::of(&graph);
        let topology = topology(&graph);
        let (entry, routes): (Vec<_>, Vec<_>) = graph.routes.into_iter().partition(|route| route.from == START);
        let mut routes_of: HashMap<String, Vec<Choice<S>>> = HashMap::new();
        for route in routes {
            routes_of.entry(route.from.clone()).or_default().push(route.into());
        }
        let mut retry_of: HashMap<String, RetryPolicy> = graph.retries.into_iter().collect();
        let mut handler_of: HashMap<String, String> = graph.handlers.into_iter().collect();
        let mut limits_of: HashMap<String, TimeLimits> = graph.time_limits.into_iter().collect();
        let mut cache_of: HashMap<String, Cache<S>> = graph.caches.into_iter().collect();
        let executable = |(name, run): (String, Node<S>)| {
            let retry = retry_of.remove(&name).unwrap_or(RetryPolicy::ONCE);
            let routes = routes_of.remove(&name).unwrap_or_default();
            let time_limits = limits_of.remove(&name).unwrap_or_default();
            let cache = cache_of.remove(&name);
            let handler = handler_of.remove(&name);
            (Arc::from(name), Executable { run, retry, time_limits, cache, handler, routes })
        };
        let nodes = graph.nodes.into_iter().map(executable).collect();
        let entry_routes = entry.into_iter().map(Choice::from).collect();
        let migrations = Migrations { present: blueprint.version(), known: graph.migrations };
        let name = graph.name;
        let inner = Inner { name, topology, blueprint, migrations, drawing, warnings, nodes, entry_routes };
        Self { inner: Arc::new(inner), memory: Memory::Call }
    }
}

impl<S: State> Inner<S> {
    pub(crate) fn executable(&self, node: &str) -> Result<&Executable<S>, Error> {
        self.nodes.get(node).ok_or_else(|| Error::Corrupt { reason: format!("there is no node {node}") })
    }

    /// What an input leads to.
    pub(crate) fn entry(&self, state: &S) -> Result<Due, Error> {
        let (chosen, sends) = choose(START, &self.entry_routes, state)?;
        let mut nodes: BTreeSet<_> = self.topology.entry.iter().filter_map(Target::node).collect();
        for name in chosen {
            nodes.extend(self.topology.target(START, &name)?.node());
        }
        Ok(Due { nodes, sends, ..Due::default() })
    }

    /// Decides where a node's command leads, up to what its routes choose.
    pub(crate) fn resolve(&self, node: &str, command: Command<S>) -> Result<TaskWrites<S::Update>, Error> {
        let Command { update, way, sends } = command;
        let declared = &self.topology.shape(node)?.targets;
        let sends = sends.into_iter().map(|sent| accept(node, declared, sent?)).collect::<Result<Vec<_>, Error>>()?;
        let told = way.unwrap_or(if sends.is_empty() { Told::Also(Vec::new()) } else { Told::Only(Vec::new()) });
        let out = [END.to_owned()];
        let named = match &told {
            Told::Also(chosen) | Told::Only(chosen) => chosen,
            Told::Out => &out[..],
        };
        named.iter().try_for_each(|name| refuse_undeclared(node, declared, name))?;
        Ok(match told {
            Told::Only(chosen) => TaskWrites::new(update, Way::Goto(chosen), sends),
            Told::Out => TaskWrites::new(update, Way::Leave, Vec::new()),
            Told::Also(chosen) if self.executable(node)?.routes.is_empty() => {
                TaskWrites::new(update, Way::Edges(chosen), sends)
            }
            Told::Also(chosen) => TaskWrites::new(update, Way::Routes(chosen), sends),
        })
    }

    /// Asks the routes that are still open. They see what this task has written, and nothing of the tasks beside it.
    pub(crate) fn route(
        &self,
        node: &str,
        state: &S,
        writes: TaskWrites<S::Update>,
    ) -> Result<TaskWrites<S::Update>, Error> {
        let TaskWrites { update, way, mut sends, memories } = writes;
        let way = match way {
            Way::Routes(mut chosen) => {
                let mut own = state.clone();
                own.fold(vec![(node.into(), update.clone())], None)?;
                let (more, sent) = self.choose(node, &own)?;
                chosen.extend(more);
                sends.extend(sent);
                Way::Edges(chosen)
            }
            way => way,
        };
        Ok(TaskWrites { update, way, sends, memories })
    }

    /// What the routes of a node choose.
    pub(crate) fn choose(&self, node: &str, state: &S) -> Result<Routed, Error> {
        choose(node, &self.executable(node)?.routes, state)
    }
}

fn choose<S>(node: &str, routes: &[Choice<S>], state: &S) -> Result<Routed, Error> {
    let (mut nodes, mut sends) = (Vec::new(), Vec::new());
    for route in routes {
        for Goto(chosen) in (route.choose)(state) {
            match chosen {
                Chosen::Node(name) => {
                    refuse_undeclared(node, &route.targets, &name)?;
                    nodes.push(name);
                }
                Chosen::Send(sent) => sends.push(accept(node, &route.targets, sent?)?),
            }
        }
    }
    Ok((nodes, sends))
}

fn accept(node: &str, declared: &BTreeSet<String>, sent: Sent) -> Result<Sent, Error> {
    refuse_undeclared(node, declared, &sent.node)?;
    // The end is no node; nothing could read the payload.
    if sent.node == END { Err(unknown(node, END)) } else { Ok(sent) }
}

fn refuse_undeclared(node: &str, declared: &BTreeSet<String>, name: &str) -> Result<(), Error> {
    if declared.contains(name) { Ok(()) } else { Err(unknown(node, name)) }
}

/// The shape of a graph whose names have been checked.
fn topology<S: State>(graph: &Graph<S>) -> Topology {
    let index: HashMap<Arc<str>, usize> =
        graph.nodes.iter().enumerate().map(|(index, (name, _))| (Arc::from(name.as_str()), index)).collect();
    let target = |name: &String| if name == END { Target::End } else { Target::Node(index[name.as_str()]) };
    let mut edges: HashMap<&str, Vec<Target>> = HashMap::new();
    for (from, to) in &graph.edges {
        edges.entry(from).or_default().push(target(to));
    }
    // A join into the end needs no waiting.
    let real_joins: BTreeSet<_> = graph.joins.iter().filter(|(_, to)| to != END).collect();
    let mut joins: HashMap<&str, Vec<usize>> = HashMap::new();
    for (join, (sources, _)) in real_joins.iter().enumerate() {
        sources.iter().for_each(|source| joins.entry(source).or_default().push(join));
    }
    let mut targets: HashMap<&str, BTreeSet<String>> = HashMap::new();
    for (node, to) in &graph.targets {
        targets.entry(node).or_default().extend(to.iter().cloned());
    }
    let entry = edges.remove(START).unwrap_or_default();
    let shape = |(name, _): &(String, Node<S>)| Shape {
        name: Arc::from(name.as_str()),
        edges: edges.remove(name.as_str()).unwrap_or_default(),
        joins: joins.remove(name.as_str()).unwrap_or_default(),
        is_deferred: graph.deferred.contains(name),
        pauses_before: graph.pauses_before.contains(name),
        pauses_after: graph.pauses_after.contains(name),
        targets: targets.remove(name.as_str()).unwrap_or_default(),
    };
    let join = |(sources, to): &&(BTreeSet<String>, String)| Join {
        key: join_key(sources, to),
        sources: sources.iter().map(|source| Arc::from(source.as_str())).collect(),
        target: index[to.as_str()],
    };
    Topology {
        nodes: graph.nodes.iter().map(shape).collect(),
        joins: real_joins.iter().map(join).collect(),
        entry,
        index,
    }
}

impl<S> From<Route<S>> for Choice<S> {
    fn from(route: Route<S>) -> Self {
        Self { targets: route.targets, choose: route.choose }
    }
}

impl<S: State> Clone for CompiledGraph<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), memory: self.memory }
    }
}

impl<S: State> fmt::Debug for CompiledGraph<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CompiledGraph").field("name", &self.inner.name).finish_non_exhaustive()
    }
}
