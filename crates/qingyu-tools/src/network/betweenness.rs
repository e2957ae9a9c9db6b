//! Betweenness by Brandes' algorithm: on how many shortest ways between others a node lies.

use std::collections::VecDeque;

use super::Links;

/// The betweenness of each node of an undirected network, from 0 to 1: the share of the shortest ways between all
/// pairs of others that lead over it. Weights are not ways, so they do not count.
pub fn betweenness(links: &Links) -> Vec<f64> {
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
    // Every pair was counted from both ends, and there are (n-1)(n-2)/2 pairs of others.
    let pairs = (count.saturating_sub(1) * count.saturating_sub(2)) as f64;
    scores.into_iter().map(|score| if pairs > 0.0 { score / pairs } else { 0.0 }).collect()
}

/// The nodes in the order in which they are reached from `source`, those before each on a shortest way, and how many
/// shortest ways lead to each.
fn shortest_ways(links: &Links, source: usize) -> (Vec<usize>, Vec<Vec<usize>>, Vec<f64>) {
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
