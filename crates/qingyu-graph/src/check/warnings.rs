//! Warnings about valid but unlikely declarations.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::blueprint::join_key;
use crate::endpoints::{END, START};
use crate::graph::GraphDefinition;
use crate::problem::GraphWarning;

/// Returns all warnings for `graph`, which has no mistakes.
pub(crate) fn warnings(graph: &GraphDefinition) -> Vec<GraphWarning> {
    let mut found = BTreeSet::new();
    repetitions(graph, &mut found);
    needless_joins(graph, &mut found);
    let flow = Flow::of(graph);
    let order = flow.order();
    flow.endless_loops(&order, &mut found);
    flow.double_runs(&order, &mut found);
    found.into_iter().collect()
}

fn repetitions(graph: &GraphDefinition, found: &mut BTreeSet<GraphWarning>) {
    let edges = graph.edges.iter().map(|(from, to)| format!("the edge {from} -> {to}"));
    let joins = graph.joins.iter().map(|(sources, to)| format!("the join {}", join_key(sources, to)));
    let mut declared = HashSet::new();
    let twice = edges.chain(joins).filter(|place| !declared.insert(place.clone()));
    found.extend(twice.map(|place| GraphWarning::DeclaredTwice { place }));
    let settings = (graph.retries.iter().map(|(node, _)| (node, "retry policy")))
        .chain(graph.time_limits.iter().map(|(node, _)| (node, "set of time limits")))
        .chain(graph.caches.iter().map(|(node, _)| (node, "cache")))
        .chain(graph.handlers.iter().map(|(node, _)| (node, "error handler")));
    let mut set = HashSet::new();
    let again = settings.filter(|setting| !set.insert(*setting));
    found.extend(again.map(|(node, setting)| GraphWarning::Overridden { node: node.clone(), setting }));
}

fn needless_joins(graph: &GraphDefinition, found: &mut BTreeSet<GraphWarning>) {
    let edges: HashSet<_> = graph.edges.iter().map(|(from, to)| (from, to)).collect();
    for (sources, to) in &graph.joins {
        let ends = |from: &String| (from.clone(), to.clone());
        if let (Some(from), 1) = (sources.first(), sources.len()) {
            let (from, to) = ends(from);
            found.insert(GraphWarning::JoinOfOne { from, to });
        } else if to != END {
            let beside = sources.iter().filter(|from| edges.contains(&(*from, to))).map(ends);
            found.extend(beside.map(|(from, to)| GraphWarning::EdgeBesideJoin { from, to }));
        }
    }
}

/// The flow along plain edges.
struct Flow<'a> {
    /// The start and the nodes in declaration order.
    nodes: Vec<&'a str>,
    next: HashMap<&'a str, BTreeSet<&'a str>>,
    /// The nodes that may leave their edges: by a command, or when they fail.
    may_leave: HashSet<&'a str>,
    /// The nodes that run later than their incoming edges: deferred nodes, and targets of joins.
    waits: HashSet<&'a str>,
}

impl<'a> Flow<'a> {
    fn of(graph: &'a GraphDefinition) -> Self {
        let names = graph.nodes.iter().map(|(name, _)| name.as_str());
        let mut next: HashMap<_, BTreeSet<_>> = HashMap::new();
        for (from, to) in graph.edges.iter().filter(|(_, to)| to != END) {
            next.entry(from.as_str()).or_default().insert(to.as_str());
        }
        let commanded = graph.targets.iter().map(|(node, _)| node.as_str());
        let handled = graph.handlers.iter().map(|(node, _)| node.as_str());
        let joined = graph.joins.iter().map(|(_, to)| to.as_str());
        Self {
            nodes: std::iter::once(START).chain(names).collect(),
            next,
            may_leave: commanded.chain(handled).collect(),
            waits: graph.deferred.iter().map(String::as_str).chain(joined).collect(),
        }
    }

    fn next(&self, node: &str) -> impl Iterator<Item = &'a str> {
        self.next.get(node).into_iter().flatten().copied()
    }

    /// Returns the nodes that certainly run after `node`.
    fn surely_next(&self, node: &str) -> impl Iterator<Item = &'a str> {
        let surely = !self.may_leave.contains(node);
        self.next(node).filter(move |_| surely)
    }

    /// Returns the nodes in topological order of certain edges, without endless loops and their successors.
    fn order(&self) -> Vec<&'a str> {
        let mut before: HashMap<&str, usize> = HashMap::new();
        for next in self.nodes.iter().flat_map(|node| self.surely_next(node)) {
            *before.entry(next).or_default() += 1;
        }
        let mut order: Vec<_> = self.nodes.iter().copied().filter(|node| !before.contains_key(node)).collect();
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            done += 1;
            for next in self.surely_next(node) {
                let open = before.get_mut(next).expect("what follows something was counted");
                *open -= 1;
                if *open == 0 {
                    order.push(next);
                }
            }
        }
        order
    }

    fn endless_loops(&self, order: &[&str], found: &mut BTreeSet<GraphWarning>) {
        let ordered: HashSet<_> = order.iter().copied().collect();
        let rest: Vec<_> = self.nodes.iter().copied().filter(|node| !ordered.contains(node)).collect();
        let mut before = HashMap::new();
        for &node in &rest {
            for next in self.surely_next(node) {
                before.entry(next).or_insert(node);
            }
        }
        // Every unordered node has an unordered predecessor: going back leads into a cycle.
        let mut known = HashSet::new();
        for node in rest {
            let mut way = Vec::new();
            let mut at = node;
            while known.insert(at) {
                way.push(at);
                at = before[at];
            }
            if let Some(first) = way.iter().position(|node| *node == at) {
                let mut nodes: Vec<_> = way[first..].iter().rev().map(ToString::to_string).collect();
                nodes.rotate_right(1);
                nodes.push(at.to_owned());
                found.insert(GraphWarning::EndlessLoop { nodes });
            }
        }
    }

    /// Finds nodes reached from one origin at different times, and inserts warnings.
    ///
    /// A node reached by certain edges inherits the origins of its predecessors, one superstep later. The start, and
    /// any node that may leave or wait, is a new origin: the superstep is unknown. A node that runs twice counts as
    /// waiting, so that mere successors are not reported.
    fn double_runs(&self, order: &[&'a str], found: &mut BTreeSet<GraphWarning>) {
        let mut before: HashMap<&str, Vec<&str>> = HashMap::new();
        for &node in &self.nodes {
            self.next(node).for_each(|next| before.entry(next).or_default().push(node));
        }
        let mut origins: HashSet<_> = self.may_leave.union(&self.waits).copied().collect();
        let mut known = Arrivals::new();
        for &node in order.iter().filter(|node| !self.waits.contains(*node)) {
            let mut arrivals: BTreeMap<&str, Vec<OriginArrival<'_>>> = BTreeMap::new();
            for &from in before.get(node).into_iter().flatten() {
                if origins.contains(from) {
                    arrivals.entry(from).or_default().push(OriginArrival { from, superstep: 1 });
                    continue;
                }
                for (origin, OriginArrival { superstep, .. }) in known.get(from).into_iter().flatten() {
                    arrivals.entry(origin).or_default().push(OriginArrival { from, superstep: superstep + 1 });
                }
            }
            if arrivals.is_empty() {
                origins.insert(node);
            }
            let mut ways = None;
            let last_of = |(origin, mut arrivals): (&'a str, Vec<OriginArrival<'a>>)| {
                arrivals.sort_by_key(|arrival| arrival.superstep);
                let [first, last] = [arrivals[0], arrivals[arrivals.len() - 1]];
                // A path back to the origin is an intended loop.
                if ways.is_none() && first.superstep < last.superstep && origin != node {
                    ways = Some(part(node, origin, [first, last], &known));
                }
                (origin, last)
            };
            let arrivals = arrivals.into_iter().map(last_of).collect();
            known.insert(node, arrivals);
            if let Some(ways) = ways {
                let [short, _] = &ways;
                let (fork, node) = (short[0].clone(), node.to_owned());
                found.insert(GraphWarning::RunsTwice { node, fork, ways });
            }
        }
    }
}

/// The arrivals by node and origin.
type Arrivals<'a> = HashMap<&'a str, BTreeMap<&'a str, OriginArrival<'a>>>;

/// The arrival at a node from an origin.
#[derive(Clone, Copy)]
struct OriginArrival<'a> {
    from: &'a str,
    /// The superstep, counted from the origin.
    superstep: usize,
}

/// Returns the two paths to `node`, from the node where they part last; the shorter path must come first.
fn part(node: &str, origin: &str, arrivals: [OriginArrival<'_>; 2], known: &Arrivals<'_>) -> [Vec<String>; 2] {
    let mut at = arrivals;
    let mut ways = at.map(|arrival| vec![node, arrival.from]);
    while at[0].from != at[1].from {
        // Stepping back on the later path leads to the node where the paths part.
        let later = usize::from(at[1].superstep >= at[0].superstep);
        at[later] = known[at[later].from][origin];
        ways[later].push(at[later].from);
    }
    ways.map(|way| way.into_iter().rev().map(str::to_owned).collect())
}
