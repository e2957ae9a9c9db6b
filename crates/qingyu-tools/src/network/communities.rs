//! Communities by the Louvain method: nodes move to the group with the strongest ties, then groups become nodes,
//! repeatedly.

use std::collections::BTreeMap;

use super::links::NetworkLinks;

/// Minimum gain of a move; otherwise rounding errors would move nodes forever.
const LEAST_GAIN: f64 = 1e-12;
/// Maximum rounds over all nodes per level.
const MOST_ROUNDS: usize = 100;

/// A network of groups. `rows[a][a]` holds the ties within the group, counted from both ends.
struct GroupNetwork {
    rows: Vec<BTreeMap<usize, f64>>,
    strengths: Vec<f64>,
    total: f64,
}

/// Returns the community of each node of an undirected network, numbered from 0 by first node.
pub(crate) fn communities(links: &NetworkLinks) -> Vec<usize> {
    let rows = links.iter().map(|links| links.iter().copied().collect());
    let mut level = GroupNetwork::new(rows.collect());
    let mut member: Vec<usize> = (0..links.len()).collect();
    loop {
        let groups = level.settle();
        let count = groups.iter().max().map_or(0, |last| last + 1);
        if count == groups.len() {
            return member;
        }
        for group in &mut member {
            *group = groups[*group];
        }
        level = level.condensed(&groups, count);
    }
}

/// Returns the modularity of the communities, from -0.5 to 1; 0 for a network without links.
pub(crate) fn modularity(links: &NetworkLinks, member: &[usize]) -> f64 {
    let level = GroupNetwork::new(links.iter().map(|links| links.iter().copied().collect()).collect());
    if level.total <= 0.0 {
        return 0.0;
    }
    let count = member.iter().max().map_or(0, |last| last + 1);
    let (mut within, mut strengths) = (vec![0.0; count], vec![0.0; count]);
    for (node, row) in level.rows.iter().enumerate() {
        strengths[member[node]] += level.strengths[node];
        within[member[node]] += row.iter().filter(|(to, _)| member[**to] == member[node]).map(|(_, w)| w).sum::<f64>();
    }
    let of = |(within, strength): (f64, f64)| within / level.total - (strength / level.total).powi(2);
    within.into_iter().zip(strengths).map(of).sum()
}

impl GroupNetwork {
    fn new(rows: Vec<BTreeMap<usize, f64>>) -> Self {
        let strengths: Vec<f64> = rows.iter().map(|row| row.values().sum()).collect();
        let total = strengths.iter().sum();
        Self { rows, strengths, total }
    }

    /// Moves nodes, in order and repeatedly, to the neighbouring group with the highest gain.
    fn settle(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.rows.len()).collect();
        let mut strength = self.strengths.clone();
        for _ in 0..MOST_ROUNDS {
            let mut moved = false;
            for node in 0..self.rows.len() {
                let own = group[node];
                strength[own] -= self.strengths[node];
                let mut ties = BTreeMap::from([(own, 0.0)]);
                for (to, weight) in self.rows[node].iter().filter(|(to, _)| **to != node) {
                    *ties.entry(group[*to]).or_default() += weight;
                }
                let gain = |group: usize, tie: f64| tie - strength[group] * self.strengths[node] / self.total;
                let mut best = (own, gain(own, ties[&own]));
                for (other, tie) in ties {
                    let gain = gain(other, tie);
                    if gain > best.1 + LEAST_GAIN {
                        best = (other, gain);
                    }
                }
                strength[best.0] += self.strengths[node];
                moved |= best.0 != own;
                group[node] = best.0;
            }
            if !moved {
                break;
            }
        }
        renumbered(&group)
    }

    /// Returns the network of the groups.
    fn condensed(&self, group: &[usize], count: usize) -> Self {
        let mut rows = vec![BTreeMap::new(); count];
        for (node, row) in self.rows.iter().enumerate() {
            for (to, weight) in row {
                *rows[group[node]].entry(group[*to]).or_default() += weight;
            }
        }
        Self::new(rows)
    }
}

/// Returns the groups numbered from 0 in the order of their first nodes.
fn renumbered(group: &[usize]) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    group
        .iter()
        .map(|group| {
            let next = numbers.len();
            *numbers.entry(*group).or_insert(next)
        })
        .collect()
}
