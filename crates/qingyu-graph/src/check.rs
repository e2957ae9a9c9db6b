//! Mistakes that can be seen before a graph runs, and what is hardly meant as it stands.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::{END, Graph, START, State};

mod warnings;

pub use self::warnings::Warning;
pub(crate) use self::warnings::warnings;

/// A mistake in a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Problem {
    /// Nothing follows the start.
    #[error("nothing follows the start")]
    NoEntry,
    /// Two nodes have one name.
    #[error("there are two nodes {node}")]
    DuplicateNode {
        /// The name.
        node: String,
    },
    /// A name that the engine uses itself: empty, `__start__`, `__end__`, or containing one of `#/|`.
    #[error("a node cannot be called {node:?}")]
    ReservedName {
        /// The name.
        node: String,
    },
    /// Something names a node that does not exist.
    #[error("{place} names the unknown node {node}")]
    UnknownNode {
        /// The unknown name.
        node: String,
        /// Where it stands.
        place: String,
    },
    /// The end leads nowhere.
    #[error("{place} leaves the end")]
    LeavesEnd {
        /// Where it stands.
        place: String,
    },
    /// Nothing leads to the start.
    #[error("{place} leads to the start")]
    EntersStart {
        /// Where it stands.
        place: String,
    },
    /// A route, join or list of targets is empty.
    #[error("{place} is empty")]
    Empty {
        /// Where it stands.
        place: String,
    },
    /// No run can come to this node; a join counts only if all its sources can be reached.
    #[error("{node} cannot be reached")]
    Unreachable {
        /// The node.
        node: String,
    },
    /// No run that comes to this node can end.
    #[error("there is no way from {node} to the end")]
    NoWayToEnd {
        /// The node.
        node: String,
    },
}

/// A connection from several nodes, all of which it needs, to one other.
struct Way<'a> {
    sources: BTreeSet<&'a str>,
    target: &'a str,
    place: String,
}

/// Everything that is wrong with `graph`, without repetition.
pub(crate) fn problems<S: State>(graph: &Graph<S>) -> Vec<Problem> {
    let mut found = BTreeSet::new();
    let names = node_names(graph, &mut found);
    let ways = ways(graph, &names, &mut found);
    for way in &ways {
        check_ends(way, &names, &mut found);
    }
    for (node, place) in mentions(graph) {
        if !names.contains(node.as_str()) {
            found.insert(Problem::UnknownNode { node: node.clone(), place: place.to_owned() });
        }
    }
    // With broken names the rest would only repeat them in other words.
    if found.is_empty() {
        check_reach(&names, &ways, &mut found);
    }
    found.into_iter().collect()
}

/// What is said about single nodes.
fn mentions<S: State>(graph: &Graph<S>) -> Vec<(&String, &'static str)> {
    let mut mentions = Vec::new();
    mentions.extend(graph.retries.iter().map(|(node, _)| (node, "a retry policy")));
    mentions.extend(graph.subgraphs.iter().map(|(node, _)| (node, "the call of a subgraph")));
    mentions.extend(graph.time_limits.iter().map(|(node, _)| (node, "a time limit")));
    mentions.extend(graph.caches.iter().map(|(node, _)| (node, "a cache")));
    mentions.extend(graph.deferred.iter().map(|node| (node, "the list of deferred nodes")));
    mentions.extend(graph.pauses_before.iter().chain(&graph.pauses_after).map(|node| (node, "a breakpoint")));
    // Only a node can fail, and only a node can read what it is sent.
    mentions.extend(graph.handlers.iter().flat_map(|(from, to)| [from, to]).map(|node| (node, "an error handler")));
    mentions
}

fn node_names<'a, S: State>(graph: &'a Graph<S>, found: &mut BTreeSet<Problem>) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for (node, _) in &graph.nodes {
        if node.is_empty() || node == START || node == END || node.contains(['#', '/', '|']) {
            found.insert(Problem::ReservedName { node: node.clone() });
        }
        if !names.insert(node.as_str()) {
            found.insert(Problem::DuplicateNode { node: node.clone() });
        }
    }
    names
}

/// Every connection of the graph, whatever it was declared with.
fn ways<'a, S: State>(graph: &'a Graph<S>, names: &BTreeSet<&str>, found: &mut BTreeSet<Problem>) -> Vec<Way<'a>> {
    let one = |from: &'a String| BTreeSet::from([from.as_str()]);
    let mut ways = Vec::new();
    for (from, to) in &graph.edges {
        ways.push(Way { sources: one(from), target: to, place: format!("the edge {from} -> {to}") });
    }
    for (sources, target) in &graph.joins {
        let place = format!("the join into {target}");
        if sources.is_empty() {
            found.insert(Problem::Empty { place: place.clone() });
        }
        ways.push(Way { sources: sources.iter().map(String::as_str).collect(), target, place });
    }
    let is_known = |node: &String| names.contains(node.as_str());
    // Unknown ones are among the mentions.
    for (from, to) in graph.handlers.iter().filter(|(from, to)| is_known(from) && is_known(to)) {
        ways.push(Way { sources: one(from), target: to, place: format!("the error handler of {from}") });
    }
    let routes = graph.routes.iter().map(|route| (&route.from, &route.targets, "the route"));
    let commands = graph.targets.iter().map(|(from, targets)| (from, targets, "the list of targets"));
    for (from, targets, what) in routes.chain(commands) {
        let place = format!("{what} of {from}");
        if targets.is_empty() {
            found.insert(Problem::Empty { place: place.clone() });
        }
        ways.extend(targets.iter().map(|target| Way { sources: one(from), target, place: place.clone() }));
    }
    ways
}

fn check_ends(way: &Way<'_>, names: &BTreeSet<&str>, found: &mut BTreeSet<Problem>) {
    let place = || way.place.clone();
    for &source in &way.sources {
        if source == END {
            found.insert(Problem::LeavesEnd { place: place() });
        } else if !names.contains(source) && (source != START || way.sources.len() > 1) {
            found.insert(Problem::UnknownNode { node: source.to_owned(), place: place() });
        }
    }
    if way.target == START {
        found.insert(Problem::EntersStart { place: place() });
    } else if way.target != END && !names.contains(way.target) {
        found.insert(Problem::UnknownNode { node: way.target.to_owned(), place: place() });
    }
}

fn check_reach(names: &BTreeSet<&str>, ways: &[Way<'_>], found: &mut BTreeSet<Problem>) {
    if !ways.iter().any(|way| way.sources.contains(START)) {
        found.insert(Problem::NoEntry);
        return;
    }
    let reached = spread(START, ways.iter().map(|way| (way.sources.iter().copied().collect(), way.target)));
    let backwards = ways.iter().flat_map(|way| way.sources.iter().map(|source| (vec![way.target], *source)));
    let ending = spread(END, backwards);
    for &node in names {
        if !reached.contains(node) {
            found.insert(Problem::Unreachable { node: node.to_owned() });
        } else if !ending.contains(node) {
            found.insert(Problem::NoWayToEnd { node: node.to_owned() });
        }
    }
}

/// Everything that can be had from `first`, where each way needs all its sources.
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
