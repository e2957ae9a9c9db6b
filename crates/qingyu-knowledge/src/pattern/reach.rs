//! Nodes reachable over an edge of a pattern: in one hop, or in several on the shortest path.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::resolve::EdgeCriteria;
use crate::graph::{EdgeId, NodeId, StoryGraph, of_word};

/// The remaining budget of edges to visit.
#[derive(Debug)]
pub(super) struct SearchEffort {
    pub(super) left: u64,
}

impl SearchEffort {
    /// Subtracts `work`; returns whether any budget is left.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        let work = work as u64;
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }
}

/// The arrival at a node on a shortest path: the number of hops, and the node before.
#[derive(Debug, Clone, Copy)]
pub(super) struct HopArrival {
    pub(super) hops: u8,
    pub(super) before: NodeId,
}

/// The nodes reached from a node.
pub(super) type Arrivals = FxHashMap<NodeId, HopArrival>;

/// A cache of the nodes reached over several hops, by the edge of the pattern, whether from the first end, and the
/// node.
pub(super) type ReachCache = FxHashMap<(usize, bool, NodeId), Rc<Arrivals>>;

/// Returns the nodes one hop from `node` over `link`, without duplicates, in order. `from_first` says which end `node`
/// is.
pub(super) fn neighbours(
    link: &EdgeCriteria<'_>,
    from_first: bool,
    node: NodeId,
    graph: &StoryGraph,
    effort: &mut SearchEffort,
) -> Vec<NodeId> {
    let mut others = Vec::new();
    for way in link.ways(from_first) {
        let sides = [(way.leaves, graph.leaving(node)), (way.arrives, graph.arriving(node))];
        for ties in sides.into_iter().filter(|(is_meant, _)| *is_meant).map(|(_, ties)| of_word(ties, way.kind)) {
            effort.spend(ties.len());
            let counted = ties.iter().filter(|(_, _, edge)| link.counts(*edge, graph));
            others.extend(counted.map(|(_, other, _)| *other));
        }
    }
    others.sort_unstable();
    others.dedup();
    others
}

/// Returns all edges from one node to another that match `link`, in order; `from` is the first end.
pub(super) fn between(link: &EdgeCriteria<'_>, from: NodeId, to: NodeId, graph: &StoryGraph) -> Vec<EdgeId> {
    let mut edges: Vec<EdgeId> = each_between(link, from, to, graph).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Returns whether any edge from one node to the other matches `link`.
pub(super) fn are_tied(link: &EdgeCriteria<'_>, from: NodeId, to: NodeId, graph: &StoryGraph) -> bool {
    each_between(link, from, to, graph).next().is_some()
}

fn each_between<'a>(
    link: &'a EdgeCriteria<'_>,
    from: NodeId,
    to: NodeId,
    graph: &'a StoryGraph,
) -> impl Iterator<Item = EdgeId> + 'a {
    let ways = link.ways(true).flat_map(move |way| {
        let sides = [(way.leaves, from, to), (way.arrives, to, from)];
        sides.into_iter().filter(|(is_meant, ..)| *is_meant).map(move |(_, first, second)| {
            // Iterates over the node with fewer edges.
            let (out, back) = (of_word(graph.leaving(first), way.kind), of_word(graph.arriving(second), way.kind));
            if out.len() <= back.len() { (out, second) } else { (back, first) }
        })
    });
    let edges = ways.flat_map(|(ties, other)| {
        let start = ties.partition_point(|(_, node, _)| *node < other);
        ties[start..].iter().take_while(move |(_, node, _)| *node == other).map(|(_, _, edge)| *edge)
    });
    edges.filter(|edge| link.counts(*edge, graph))
}

/// Returns all nodes within the maximum hops of `link` from `node`, without `node` itself; if a node is `wanted`, only
/// nodes that are not further away.
pub(super) fn distances(
    link: &EdgeCriteria<'_>,
    from_first: bool,
    (node, wanted): (NodeId, Option<NodeId>),
    graph: &StoryGraph,
    effort: &mut SearchEffort,
) -> Arrivals {
    let mut arrivals = Arrivals::default();
    let mut layer = vec![node];
    for hops in 1..=link.hops.most {
        let mut next = Vec::new();
        for before in layer {
            if !effort.spend(1) {
                return arrivals;
            }
            for other in neighbours(link, from_first, before, graph, effort) {
                if other != node && !arrivals.contains_key(&other) {
                    arrivals.insert(other, HopArrival { hops, before });
                    next.push(other);
                }
            }
        }
        layer = next;
        if wanted.is_some_and(|wanted| arrivals.contains_key(&wanted)) {
            break;
        }
    }
    arrivals
}

/// Returns the nodes of the path on which `node` was reached, from `node` back to the start of the search.
pub(super) fn way_back(arrivals: &Arrivals, node: NodeId) -> Vec<NodeId> {
    let mut way = vec![node];
    while let Some(HopArrival { before, .. }) = way.last().and_then(|here| arrivals.get(here)) {
        way.push(*before);
    }
    way
}
