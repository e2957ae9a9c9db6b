//! Network measures: betweenness, PageRank, communities. Independent of stories.
//!
//! All measures are deterministic: nodes are numbers, and ties go to the lower number.

mod betweenness;
mod communities;
mod links;
mod pagerank;
#[cfg(test)]
mod tests;

pub(crate) use betweenness::betweenness;
pub(crate) use communities::{communities, modularity};
pub(crate) use links::NetworkLinks;
pub(crate) use pagerank::pagerank;

/// Returns the connected components, each sorted, the largest first.
pub(crate) fn components(links: &NetworkLinks) -> Vec<Vec<usize>> {
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
