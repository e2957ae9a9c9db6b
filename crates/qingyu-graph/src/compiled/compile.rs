//! Compilation of a graph.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::marker::PhantomData;
use std::sync::Arc;

use super::{CompiledGraph, CompiledParts, Executable, Memory, NodeRoute};
use crate::blueprint::{Blueprint, join_key};
use crate::cache::NodeCache;
use crate::check::{problems, warnings};
use crate::drawing::{DrawingEdge, DrawingEdgeKind, GraphDrawing, Node as DrawnNode};
use crate::endpoints::{END, START};
use crate::error::Error;
use crate::graph::{ConditionalEdge, Graph, GraphDefinition, Node};
use crate::migration::GraphMigrations;
use crate::problem::GraphWarning;
use crate::retry::RetryPolicy;
use crate::state::{State, StateChannel};
use crate::time_limits::TimeLimits;
use crate::topology::{EdgeTarget, Join, NodeShape, Topology};

impl<S: State> Graph<S> {
    /// Validates the graph and returns a graph ready to run. Likely mistakes that are allowed are logged, and returned
    /// by [`CompiledGraph::warnings`].
    pub fn compile(self) -> Result<CompiledGraph<S>, Error> {
        let inner = Arc::new(compile(self.definition)?);
        Ok(CompiledGraph { inner, memory: Memory::Call, state: PhantomData })
    }
}

fn compile(graph: GraphDefinition) -> Result<CompiledParts, Error> {
    let problems = problems(&graph);
    if !problems.is_empty() {
        return Err(Error::InvalidGraph { graph: graph.name, problems });
    }
    let warnings = warnings(&graph);
    for warning in &warnings {
        tracing::warn!(graph = graph.name, advice = warning.advice(), "{warning}");
    }
    Ok(build(graph, warnings))
}

/// Returns the compiled form of a graph whose names have been validated.
fn build(graph: GraphDefinition, warnings: Vec<GraphWarning>) -> CompiledParts {
    let blueprint = blueprint(&graph);
    let drawing = drawing(&graph);
    let topology = topology(&graph);
    let (entry, routes): (Vec<_>, Vec<_>) = graph.routes.into_iter().partition(|route| route.from == START);
    let mut routes_of: HashMap<String, Vec<NodeRoute>> = HashMap::new();
    for route in routes {
        routes_of.entry(route.from.clone()).or_default().push(route.into());
    }
    let mut retry_of: HashMap<String, RetryPolicy> = graph.retries.into_iter().collect();
    let mut handler_of: HashMap<String, String> = graph.handlers.into_iter().collect();
    let mut limits_of: HashMap<String, TimeLimits> = graph.time_limits.into_iter().collect();
    let mut cache_of: HashMap<String, NodeCache> = graph.caches.into_iter().collect();
    let executable = |(name, run): (String, Node)| {
        let retry = retry_of.remove(&name).unwrap_or(RetryPolicy::ONCE);
        let routes = routes_of.remove(&name).unwrap_or_default();
        let time_limits = limits_of.remove(&name).unwrap_or_default();
        let cache = cache_of.remove(&name);
        let handler = handler_of.remove(&name);
        (Arc::from(name), Executable { run, retry, time_limits, cache, handler, routes })
    };
    let nodes = graph.nodes.into_iter().map(executable).collect();
    let entry_routes = entry.into_iter().map(NodeRoute::from).collect();
    let migrations = GraphMigrations { present: blueprint.version(), known: graph.migrations };
    let (name, state) = (graph.name, graph.state);
    CompiledParts { name, state, topology, blueprint, migrations, drawing, warnings, nodes, entry_routes }
}

impl From<ConditionalEdge> for NodeRoute {
    fn from(route: ConditionalEdge) -> Self {
        Self { targets: route.targets, choose: route.choose }
    }
}

/// Returns the topology of a graph whose names have been validated.
fn topology(graph: &GraphDefinition) -> Topology {
    let index: HashMap<Arc<str>, usize> =
        graph.nodes.iter().enumerate().map(|(index, (name, _))| (Arc::from(name.as_str()), index)).collect();
    let target = |name: &String| if name == END { EdgeTarget::End } else { EdgeTarget::Node(index[name.as_str()]) };
    let mut edges: HashMap<&str, Vec<EdgeTarget>> = HashMap::new();
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
    let shape = |(name, _): &(String, Node)| NodeShape {
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

/// Returns the summary of a graph that stored threads depend on.
fn blueprint(graph: &GraphDefinition) -> Blueprint {
    let mut edges = BTreeSet::new();
    edges.extend(graph.edges.iter().map(|(from, to)| format!("{from} -> {to}")));
    edges.extend(graph.joins.iter().map(|(sources, to)| join_key(sources, to)));
    for (kind, from, targets) in graph
        .routes
        .iter()
        .map(|route| ("route", &route.from, &route.targets))
        .chain(graph.targets.iter().map(|(from, targets)| ("command", from, targets)))
    {
        edges.extend(targets.iter().map(|target| format!("{from} -> {target} by {kind}")));
    }
    edges.extend(graph.deferred.iter().map(|node| format!("everything -> {node}")));
    edges.extend(graph.handlers.iter().map(|(node, handler)| format!("{node} -> {handler} by error")));
    let nodes = graph.nodes.iter().map(|(name, _)| name.clone()).collect();
    let channels = graph.state.channels.iter().filter(|channel| channel.tracked).map(describe).collect();
    Blueprint { version: graph.version.clone(), nodes, edges, channels }
}

fn describe(channel: &StateChannel) -> String {
    format!("{}: {} ({})", channel.name, channel.value, channel.reducer)
}

/// Returns the drawing of `graph`, without duplicate connections.
fn drawing(graph: &GraphDefinition) -> GraphDrawing {
    let inside = |name: &String| {
        let (_, drawing) = graph.subgraphs.iter().rfind(|(node, _)| node == name)?;
        Some(Box::new(drawing.clone()))
    };
    let node = |(name, _): &(String, _)| DrawnNode {
        name: name.clone(),
        is_deferred: graph.deferred.contains(name),
        subgraph: inside(name),
    };
    let one = |from: &String, to: &String, kind| DrawingEdge { from: vec![from.clone()], to: to.clone(), kind };
    let mut connections: Vec<_> = graph.edges.iter().map(|(from, to)| one(from, to, DrawingEdgeKind::Edge)).collect();
    connections.extend(graph.joins.iter().map(|(sources, to)| DrawingEdge {
        from: sources.iter().cloned().collect(),
        to: to.clone(),
        kind: DrawingEdgeKind::Join,
    }));
    let routes = graph.routes.iter().map(|route| (&route.from, &route.targets, DrawingEdgeKind::Route));
    let commands = graph.targets.iter().map(|(from, targets)| (from, targets, DrawingEdgeKind::Command));
    for (from, targets, kind) in routes.chain(commands) {
        connections.extend(targets.iter().map(|to| one(from, to, kind)));
    }
    // The last error handler of a node overrides earlier handlers.
    let handlers: BTreeMap<_, _> = graph.handlers.iter().map(|(from, to)| (from, to)).collect();
    connections.extend(handlers.into_iter().map(|(from, to)| one(from, to, DrawingEdgeKind::Error)));
    let mut known = HashSet::new();
    connections.retain(|connection| known.insert(connection.clone()));
    GraphDrawing { name: graph.name.clone(), nodes: graph.nodes.iter().map(node).collect(), connections }
}
