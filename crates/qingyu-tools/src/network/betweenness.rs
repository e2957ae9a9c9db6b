//! Betweenness by Brandes' algorithm: the number of shortest paths through a node.

use std::collections::VecDeque;

use super::links::NetworkLinks;

/// Returns the betweenness of each node of an undirected network, from 0 to 1: the share of the shortest paths between
/// all pairs of other nodes through the node. Weights are not distances and do not count.
pub(crate) fn betweenness(links: &NetworkLinks) -> Vec<f64> {
    let count = links.len();
    let mut scores = vec![0.0; count];
    for source in 0..count {
        let (order, before, ways) = shortest_ways(links, source);
        let mut dependency = vec![0.0; count];
        for node in order.into_iter().rev() {
            for previous in &before[node] {
                dependency[*previous] += ways[*previous] / ways[node] * (1.0 + dependency[node]);
            }
            if node != source {
                scores[node] += dependency[node];
            }
        }
    }
    // Every pair was counted from both ends, and there are (n-1)(n-2)/2 pairs of other nodes.
    let pairs = (count.saturating_sub(1) * count.saturating_sub(2)) as f64;
    scores.into_iter().map(|score| if pairs > 0.0 { score / pairs } else { 0.0 }).collect()
}

/// Returns the nodes in the order of their distance from `source`, the predecessors of each on shortest paths, and the
/// number of shortest paths to each.
fn shortest_ways(links: &NetworkLinks, source: usize) -> (Vec<usize>, Vec<Vec<usize>>, Vec<f64>) {
    let mut order = Vec::new();
    let mut before = vec![Vec::new(); links.len()];
    let mut ways = vec![0.0; links.len()];
    let mut distance = vec![usize::MAX; links.len()];
    (ways[source], distance[source]) = (1.0, 0);
    let mut open = VecDeque::from([source]);
    while let Some(node) = open.pop_front() {
        order.push(node);
        for (next, _) in links[node].iter().filter(|(next, _)| *next != node) {
            if distance[*next] == usize::MAX {
                distance[*next] = distance[node] + 1;
                open.push_back(*next);
            }
            if distance[*next] == distance[node] + 1 {
                ways[*next] += ways[node];
                before[*next].push(node);
            }
        }
    }
    (order, before, ways)
}
