//! PageRank: nodes connected with well connected nodes.

use super::links::NetworkLinks;

/// Probability of following a link instead of restarting.
const DAMPING: f64 = 0.85;
/// Maximum steps, after which changes are far below the shown precision.
const MOST_STEPS: usize = 500;

/// Returns the share of an endless random walk for each node; the shares sum to 1. Links are followed in proportion to
/// their weights; a node without links leads anywhere.
pub(crate) fn pagerank(links: &NetworkLinks) -> Vec<f64> {
    let count = links.len();
    if count == 0 {
        return Vec::new();
    }
    let even = 1.0 / count as f64;
    let leaving: Vec<f64> = links.iter().map(|links| links.iter().map(|(_, weight)| weight).sum()).collect();
    let mut ranks = vec![even; count];
    for _ in 0..MOST_STEPS {
        let stuck: f64 = (0..count).filter(|node| leaving[*node] <= 0.0).map(|node| ranks[node]).sum();
        let mut next = vec![(1.0 - DAMPING) * even + DAMPING * stuck * even; count];
        for (node, links) in links.iter().enumerate() {
            for (to, weight) in links {
                next[*to] += DAMPING * ranks[node] * weight / leaving[node];
            }
        }
        let change: f64 = ranks.iter().zip(&next).map(|(before, after)| (before - after).abs()).sum();
        ranks = next;
        if change < 1e-12 {
            break;
        }
    }
    ranks
}
