//! What can be reached over an edge of a pattern: in one hop, or in several on the shortest way.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::resolve::Link;
use crate::graph::{EdgeId, NodeId, StoryGraph, of_word};

/// How many edges were looked at.
#[derive(Debug)]
pub(super) struct Effort {
    pub(super) left: u64,
}

impl Effort {
    /// Whether that much may still be done.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        let work = work as u64;
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }
}

/// How a node was reached on a shortest way: after how many hops, and from which node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub(super) hops: u8,
    pub(super) before: NodeId,
}

/// The nodes that were reached from one.
pub(super) type Arrivals = FxHashMap<NodeId, Arrival>;

/// What was reached over several hops, by the edge of the pattern, whether from its first end, and the node.
pub(super) type Reached = FxHashMap<(usize, bool, NodeId), Rc<Arrivals>>;

/// The nodes one hop from `node` over `link`, each once, in their order. `from_first` says which end `node` is.
pub(super) fn neighbours(
    link: &Link<'_>,
    from_first: bool,
    node: NodeId,
    graph: &StoryGraph,
    effort: &mut Effort,
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

/// All edges from one node to another that fit `link`, in their order; `from` is its first end.
pub(super) fn between(link: &Link<'_>, from: NodeId, to: NodeId, graph: &StoryGraph) -> Vec<EdgeId> {
    let mut edges: Vec<EdgeId> = each_between(link, from, to, graph).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether an edge from one node to the other fits `link`.
pub(super) fn are_tied(link: &Link<'_>, from: NodeId, to: NodeId, graph: &StoryGraph) -> bool {
    each_between(link, from, to, graph).next().is_some()
}

fn each_between<'a>(
    link: &'a Link<'_>,
    from: NodeId,
    to: NodeId,
    graph: &'a StoryGraph,
) -> impl Iterator<Item = EdgeId> + 'a {
    let ways = link.ways(true).flat_map(move |way| {
        let sides = [(way.leaves, from, to), (way.arrives, to, from)];
        sides.into_iter().filter(|(is_meant, ..)| *is_meant).map(move |(_, first, second)| {
            // The node with fewer edges is asked.
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

/// All nodes within the most hops of `link` from `node`, without `node` itself; if only one is `wanted`, those that are
/// not further than it.
pub(super) fn distances(
    link: &Link<'_>,
    from_first: bool,
    (node, wanted): (NodeId, Option<NodeId>),
    graph: &StoryGraph,
    effort: &mut Effort,
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
                    arrivals.insert(other, Arrival { hops, before });
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

/// The nodes of the way on which `node` was reached, from it back to where the search began.
pub(super) fn way_back(arrivals: &Arrivals, node: NodeId) -> Vec<NodeId> {
    let mut way = vec![node];
    while let Some(Arrival { before, .. }) = way.last().and_then(|here| arrivals.get(here)) {
        way.push(*before);
    }
    way
}
