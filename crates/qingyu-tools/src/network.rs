//! Measures of a network: who stands between others, who is well connected, who belongs together. Knows no story.
//!
//! All of them are deterministic: nodes are numbers, and ties go to the lower one.

mod betweenness;
mod communities;
mod pagerank;
#[cfg(test)]
mod tests;

pub use betweenness::betweenness;
pub use communities::{communities, modularity};
pub use pagerank::pagerank;

/// A weighted network as lists of neighbours: `links[a]` holds `(b, weight)` once for each `b`. Undirected if every
/// link stands on both sides. Weights are positive.
pub type Links = [Vec<(usize, f64)>];

/// The groups of nodes that are connected at all, each sorted, the largest first.
pub fn components(links: &Links) -> Vec<Vec<usize>> {
    let mut seen = vec![false; links.len()];
    let mut components = Vec::new();
    for start in 0..links.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut component = vec![start];
        let mut next = 0;
        while let Some(node) = component.get(next).copied() {
            next += 1;
            for (neighbour, _) in &links[node] {
                if !std::mem::replace(&mut seen[*neighbour], true) {
                    component.push(*neighbour);
                }
            }
        }
        component.sort_unstable();
        components.push(component);
    }
    components.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    components
}
