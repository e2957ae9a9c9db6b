//! Validation of a graph before the first run, and warnings about likely mistakes.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::endpoints::{END, START};
use crate::graph::GraphDefinition;
use crate::problem::GraphProblem;

mod warnings;

pub(crate) use self::warnings::warnings;

/// A connection from several nodes, all of them required, to one target.
struct NodeDependency<'a> {
    sources: BTreeSet<&'a str>,
    target: &'a str,
    place: String,
}

/// Returns all mistakes in `graph`, without duplicates.
pub(crate) fn problems(graph: &GraphDefinition) -> Vec<GraphProblem> {
    let mut found = BTreeSet::new();
    let names = node_names(graph, &mut found);
    let ways = ways(graph, &names, &mut found);
    for way in &ways {
        check_ends(way, &names, &mut found);
    }
    for (node, place) in mentions(graph) {
        if !names.contains(node.as_str()) {
            found.insert(GraphProblem::UnknownNode { node: node.clone(), place: place.to_owned() });
        }
    }
    // Reachability is checked only if all names are valid: the same mistakes would be reported twice.
    if found.is_empty() {
        check_reach(&names, &ways, &mut found);
    }
    found.into_iter().collect()
}

/// Returns the names in declarations about single nodes, each with a description.
fn mentions(graph: &GraphDefinition) -> Vec<(&String, &'static str)> {
    let mut mentions = Vec::new();
    mentions.extend(graph.retries.iter().map(|(node, _)| (node, "a retry policy")));
    mentions.extend(graph.subgraphs.iter().map(|(node, _)| (node, "the call of a subgraph")));
    mentions.extend(graph.time_limits.iter().map(|(node, _)| (node, "a time limit")));
    mentions.extend(graph.caches.iter().map(|(node, _)| (node, "a cache")));
    mentions.extend(graph.deferred.iter().map(|node| (node, "the list of deferred nodes")));
    mentions.extend(graph.pauses_before.iter().chain(&graph.pauses_after).map(|node| (node, "a breakpoint")));
    // Only a node can fail, and only a node can read a payload.
    mentions.extend(graph.handlers.iter().flat_map(|(from, to)| [from, to]).map(|node| (node, "an error handler")));
    mentions
}

fn node_names<'a>(graph: &'a GraphDefinition, found: &mut BTreeSet<GraphProblem>) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for (node, _) in &graph.nodes {
        if node.is_empty() || node == START || node == END || node.contains(['#', '/', '|']) {
            found.insert(GraphProblem::ReservedName { node: node.clone() });
        }
        if !names.insert(node.as_str()) {
            found.insert(GraphProblem::DuplicateNode { node: node.clone() });
        }
    }
    names
}

/// Returns every connection of the graph, however declared, and inserts mistakes into `found`.
fn ways<'a>(
    graph: &'a GraphDefinition,
    names: &BTreeSet<&str>,
    found: &mut BTreeSet<GraphProblem>,
) -> Vec<NodeDependency<'a>> {
    let one = |from: &'a String| BTreeSet::from([from.as_str()]);
    let mut ways = Vec::new();
    for (from, to) in &graph.edges {
        ways.push(NodeDependency { sources: one(from), target: to, place: format!("the edge {from} -> {to}") });
    }
    for (sources, target) in &graph.joins {
        let place = format!("the join into {target}");
        if sources.is_empty() {
            found.insert(GraphProblem::Empty { place: place.clone() });
        }
        ways.push(NodeDependency { sources: sources.iter().map(String::as_str).collect(), target, place });
    }
    let is_known = |node: &String| names.contains(node.as_str());
    // Unknown handlers are reported by `mentions`.
    for (from, to) in graph.handlers.iter().filter(|(from, to)| is_known(from) && is_known(to)) {
        ways.push(NodeDependency { sources: one(from), target: to, place: format!("the error handler of {from}") });
    }
    let routes = graph.routes.iter().map(|route| (&route.from, &route.targets, "the route"));
    let commands = graph.targets.iter().map(|(from, targets)| (from, targets, "the list of targets"));
    for (from, targets, what) in routes.chain(commands) {
        let place = format!("{what} of {from}");
        if targets.is_empty() {
            found.insert(GraphProblem::Empty { place: place.clone() });
        }
        ways.extend(targets.iter().map(|target| NodeDependency { sources: one(from), target, place: place.clone() }));
    }
    ways
}

fn check_ends(way: &NodeDependency<'_>, names: &BTreeSet<&str>, found: &mut BTreeSet<GraphProblem>) {
    let place = || way.place.clone();
    for &source in &way.sources {
        if source == END {
            found.insert(GraphProblem::LeavesEnd { place: place() });
        } else if !names.contains(source) && (source != START || way.sources.len() > 1) {
            found.insert(GraphProblem::UnknownNode { node: source.to_owned(), place: place() });
        }
    }
    if way.target == START {
        found.insert(GraphProblem::EntersStart { place: place() });
    } else if way.target != END && !names.contains(way.target) {
        found.insert(GraphProblem::UnknownNode { node: way.target.to_owned(), place: place() });
    }
}

fn check_reach(names: &BTreeSet<&str>, ways: &[NodeDependency<'_>], found: &mut BTreeSet<GraphProblem>) {
    if !ways.iter().any(|way| way.sources.contains(START)) {
        found.insert(GraphProblem::NoEntry);
        return;
    }
    let reached = spread(START, ways.iter().map(|way| (way.sources.iter().copied().collect(), way.target)));
    let backwards = ways.iter().flat_map(|way| way.sources.iter().map(|source| (vec![way.target], *source)));
    let ending = spread(END, backwards);
    for &node in names {
        if !reached.contains(node) {
            found.insert(GraphProblem::Unreachable { node: node.to_owned() });
        } else if !ending.contains(node) {
            found.insert(GraphProblem::NoWayToEnd { node: node.to_owned() });
        }
    }
}

/// Returns all nodes reachable from `first`, where each connection requires all sources.
fn spread<'a>(first: &'a str, ways: impl Iterator<Item = (Vec<&'a str>, &'a str)>) -> HashSet<&'a str> {
    let mut open = Vec::new();
    let mut ways_from: HashMap<&str, Vec<usize>> = HashMap::new();
    for (way, (sources, target)) in ways.enumerate() {
        open.push((sources.len(), target));
        sources.into_iter().for_each(|source| ways_from.entry(source).or_default().push(way));
    }
    let mut known = HashSet::from([first]);
    let mut fresh = vec![first];
    while let Some(node) = fresh.pop() {
        for &way in ways_from.get(node).into_iter().flatten() {
            let (missing, target) = &mut open[way];
            *missing -= 1;
            if *missing == 0 && known.insert(target) {
                fresh.push(target);
            }
        }
    }
    known
}
