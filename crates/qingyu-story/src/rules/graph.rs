//! Cycles among pieces referring to each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns cycles of the graph with the edges `edges[a]`: for each node on a cycle one shortest cycle, starting at the
/// node with the smallest key, until every cyclic node is covered. Independent of the order of nodes.
pub(super) fn cycles(edges: &[Vec<usize>], keys: &[String]) -> Vec<Vec<usize>> {
    let edges = &core(edges);
    let mut order: Vec<usize> = (0..edges.len()).filter(|node| !edges[*node].is_empty()).collect();
    order.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
    let mut covered = BTreeSet::new();
    let mut cycles = Vec::new();
    for start in order {
        if !covered.contains(&start)
            && let Some(cycle) = shortest_cycle(start, edges, keys)
        {
            covered.extend(cycle.iter().copied());
            cycles.push(cycle);
        }
    }
    cycles
}

/// Returns the graph after repeatedly removing nodes without incoming or without outgoing edges; empty without a cycle.
fn core(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (node, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|target| reversed[*target].push(node));
    }
    let mut gone = vec![false; edges.len()];
    for (forward, backward) in [(edges, reversed.as_slice()), (reversed.as_slice(), edges)] {
        let left = |node: &usize, gone: &[bool]| forward[*node].iter().filter(|target| !gone[**target]).count();
        let mut degrees: Vec<usize> = (0..edges.len()).map(|node| left(&node, &gone)).collect();
        let mut open: Vec<usize> = (0..edges.len()).filter(|node| !gone[*node] && degrees[*node] == 0).collect();
        while let Some(node) = open.pop() {
            gone[node] = true;
            for before in &backward[node] {
                degrees[*before] = degrees[*before].saturating_sub(1);
                if degrees[*before] == 0 && !gone[*before] {
                    open.push(*before);
                }
            }
        }
    }
    let kept = |targets: &Vec<usize>| targets.iter().copied().filter(|target| !gone[*target]).collect();
    edges.iter().enumerate().map(|(node, targets)| if gone[node] { Vec::new() } else { kept(targets) }).collect()
}

fn shortest_cycle(start: usize, edges: &[Vec<usize>], keys: &[String]) -> Option<Vec<usize>> {
    let mut came_from = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        let mut next = edges[node].clone();
        next.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
        for target in next {
            if target == start {
                let mut cycle = vec![node];
                while let Some(previous) = came_from.get(&cycle[cycle.len() - 1]) {
                    cycle.push(*previous);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = came_from.entry(target) {
                entry.insert(node);
                open.push_back(target);
            }
        }
    }
    None
}
