//! The search order of the nodes of a pattern: the most restricted first.

use super::resolve::{EdgeCriteria, PatternPlan, WordDirection};
use crate::graph::{NodeId, StoryGraph, of_word};

/// A step of the search: a node to find, and the edges to check then.
#[derive(Debug)]
pub(super) struct SearchStep {
    /// The node.
    pub(super) node: usize,
    /// The edge from a node already found; `None` if all candidates are tried.
    pub(super) over: Option<usize>,
    /// The other edges to nodes already found.
    pub(super) checks: Vec<usize>,
}

/// Returns a greedy order: the node with the fewest candidates first, then the node expected to multiply rows least.
pub(super) fn steps(plan: &PatternPlan<'_>, graph: &StoryGraph) -> Vec<SearchStep> {
    let mut steps: Vec<SearchStep> = Vec::new();
    let mut found = vec![false; plan.nodes.len()];
    while steps.len() < plan.nodes.len() {
        let (node, over) = next(plan, graph, &found);
        found[node] = true;
        let touches =
            |edge: &EdgeCriteria<'_>| (edge.from == node && found[edge.to]) || (edge.to == node && found[edge.from]);
        let checks = plan.edges.iter().enumerate().filter(|(place, edge)| Some(*place) != over && touches(edge));
        let checks = checks.map(|(place, _)| place).collect();
        steps.push(SearchStep { node, over, checks });
    }
    steps
}

/// Returns the next node to find, and the edge to follow.
fn next(plan: &PatternPlan<'_>, graph: &StoryGraph, found: &[bool]) -> (usize, Option<usize>) {
    let candidates = |node: usize| plan.nodes[node].candidates(graph) as f64;
    let total = graph.nodes().len().max(1) as f64;
    let mut offers: Vec<(f64, usize, Option<usize>)> = Vec::new();
    for (place, edge) in plan.edges.iter().enumerate() {
        for (here, there) in [(edge.from, edge.to), (edge.to, edge.from)] {
            if found[here] && !found[there] {
                let rows = fan_out(plan, edge, here, graph) * (candidates(there) / total).min(1.0);
                offers.push((rows, there, Some(place)));
            }
        }
    }
    if offers.is_empty() {
        let open = (0..plan.nodes.len()).filter(|node| !found[*node]);
        offers.extend(open.map(|node| (candidates(node), node, None)));
    }
    let least = offers.into_iter().reduce(|best, offer| if offer.0 < best.0 { offer } else { best });
    let (_, node, over) = least.expect("a node is not found yet");
    (node, over)
}

/// Returns the expected number of nodes at the other end of the edge from the node `here`: with few candidates, the
/// average over them.
fn fan_out(plan: &PatternPlan<'_>, edge: &EdgeCriteria<'_>, here: usize, graph: &StoryGraph) -> f64 {
    const FEW: usize = 8;
    let nodes = graph.nodes().len().max(1) as f64;
    let few = plan.nodes[here].fitting.as_ref().filter(|fitting| (1..=FEW).contains(&fitting.len()));
    let one = match few {
        Some(fitting) => {
            let ties = |way: WordDirection, node: NodeId| {
                let leaving = if way.leaves { of_word(graph.leaving(node), way.kind).len() } else { 0 };
                let arriving = if way.arrives { of_word(graph.arriving(node), way.kind).len() } else { 0 };
                leaving + arriving
            };
            let all = fitting.iter().flat_map(|node| edge.ways(edge.from == here).map(|way| ties(way, *node)));
            all.sum::<usize>() as f64 / fitting.len() as f64
        }
        None => 2.0 * edge.words.iter().map(|way| graph.count(way.kind)).sum::<usize>() as f64 / nodes,
    };
    (1..=edge.hops.most).map(|hop| one.powi(i32::from(hop))).sum::<f64>().min(nodes)
}
