//! In which order the nodes of a pattern are looked for: what restricts most comes first.

use super::resolve::{Link, Plan, Way};
use crate::graph::{NodeId, StoryGraph, of_word};

/// How one node is found, and which edges can be checked once it is.
#[derive(Debug)]
pub(super) struct Step {
    /// The node.
    pub(super) node: usize,
    /// The edge over which it is reached from a node that is found; none if all that may fit are tried.
    pub(super) over: Option<usize>,
    /// The other edges between it and nodes that are found.
    pub(super) checks: Vec<usize>,
}

/// Chooses greedily: the node with the fewest candidates first, then the one that is expected to multiply rows least.
pub(super) fn steps(plan: &Plan<'_>, graph: &StoryGraph) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut found = vec![false; plan.nodes.len()];
    while steps.len() < plan.nodes.len() {
        let (node, over) = next(plan, graph, &found);
        found[node] = true;
        let touches = |edge: &Link<'_>| (edge.from == node && found[edge.to]) || (edge.to == node && found[edge.from]);
        let checks = plan.edges.iter().enumerate().filter(|(place, edge)| Some(*place) != over && touches(edge));
        let checks = checks.map(|(place, _)| place).collect();
        steps.push(Step { node, over, checks });
    }
    steps
}

/// The node to be found next, and over which edge.
fn next(plan: &Plan<'_>, graph: &StoryGraph, found: &[bool]) -> (usize, Option<usize>) {
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

/// How many nodes are expected at the other end of the edge from the node `here`: where few fit, as many as theirs have.
fn fan_out(plan: &Plan<'_>, edge: &Link<'_>, here: usize, graph: &StoryGraph) -> f64 {
    const FEW: usize = 8;
    let nodes = graph.nodes().len().max(1) as f64;
    let few = plan.nodes[here].fitting.as_ref().filter(|fitting| (1..=FEW).contains(&fitting.len()));
    let one = match few {
        Some(fitting) => {
            let ties = |way: Way, node: NodeId| {
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
