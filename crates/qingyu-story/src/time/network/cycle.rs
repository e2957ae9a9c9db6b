//! Finds shortest negative cycles.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::bound::TimePoint;
use super::contradiction::{Contradiction, CycleStep};
use super::edges::Network;
use super::limit::Limit;

/// Returns the contradiction between the edge and the active edges: a negative cycle through the edge with the fewest
/// steps, then the least sum, then the first sources.
///
/// A negative cycle must exist. Searches from both ends, always advancing the cheaper side, so a point with many bounds
/// (the origin of a calendar) is reached but not expanded.
pub(super) fn contradiction<S: Ord + Clone>(network: &Network<S>, slot: u32) -> Contradiction<S> {
    let closing = network.edge(slot);
    let mut ahead = SearchSide::new(network, &network.leaving, closing.to);
    let mut behind = SearchSide::new(network, &network.entering, closing.from);
    let path = loop {
        if let Some(path) = meeting(network, &ahead, &behind, closing.most) {
            break path;
        }
        let (side, other) = if ahead.cost() <= behind.cost() { (&mut ahead, &behind) } else { (&mut behind, &ahead) };
        // The search of a side can end before meeting the other side.
        if side.newest.is_empty() && other.newest.is_empty() {
            unreachable!("an edge is set aside only if it closes a cycle");
        }
        side.advance();
    };
    let steps = std::iter::once(slot).chain(path).map(|slot| {
        let edge = network.edge(slot);
        CycleStep { from: TimePoint(edge.from), to: TimePoint(edge.to), most: edge.most, said: edge.said.clone() }
    });
    Contradiction { steps: steps.collect() }
}

/// The best known path to a point.
struct PathLabel {
    point: u32,
    sum: Limit,
    /// The previous label and the edge from it; `None` at the start.
    via: Option<(usize, u32)>,
}

/// The best paths from an end of the edge, step by step.
struct SearchSide<'n, S> {
    network: &'n Network<S>,
    edges: &'n [Vec<u32>],
    labels: Vec<PathLabel>,
    /// The label with the least sum for each point.
    best: HashMap<u32, usize>,
    /// The labels of the last step.
    newest: Vec<usize>,
}

impl<'n, S: Ord + Clone> SearchSide<'n, S> {
    fn new(network: &'n Network<S>, edges: &'n [Vec<u32>], start: u32) -> Self {
        let labels = vec![PathLabel { point: start, sum: Limit::default(), via: None }];
        Self { network, edges, labels, best: HashMap::from([(start, 0)]), newest: vec![0] }
    }

    /// Returns the number of edges in the next step; infinite without a next step.
    fn cost(&self) -> usize {
        let degree = |label: &usize| self.edges[self.labels[*label].point as usize].len() + 1;
        if self.newest.is_empty() { usize::MAX } else { self.newest.iter().map(degree).sum() }
    }

    /// Advances every path improved in the last step by another edge.
    fn advance(&mut self) {
        let mut found: HashMap<u32, PathLabel> = HashMap::new();
        for index in std::mem::take(&mut self.newest) {
            let label = &self.labels[index];
            for slot in &self.edges[label.point as usize] {
                let edge = self.network.edge(*slot);
                if !edge.stands {
                    continue;
                }
                let point = if edge.from == label.point { edge.to } else { edge.from };
                let next = PathLabel { point, sum: label.sum + edge.most, via: Some((index, *slot)) };
                let improves = self.best.get(&point).is_none_or(|best| next.sum < self.labels[*best].sum);
                if improves && found.get(&point).is_none_or(|other| self.compare(&next, other).is_lt()) {
                    found.insert(point, next);
                }
            }
        }
        for (point, label) in found {
            self.best.insert(point, self.labels.len());
            self.newest.push(self.labels.len());
            self.labels.push(label);
        }
    }

    fn compare(&self, a: &PathLabel, b: &PathLabel) -> Ordering {
        let said = |label: &PathLabel| {
            let path = self.path_of(label);
            path.into_iter().map(|slot| &self.network.edge(slot).said).collect::<Vec<_>>()
        };
        a.sum.cmp(&b.sum).then_with(|| said(a).cmp(&said(b)))
    }

    /// Returns the edges from the start to the label.
    fn path_of(&self, label: &PathLabel) -> Vec<u32> {
        let mut path = Vec::new();
        let mut label = label;
        while let Some((before, slot)) = label.via {
            path.push(slot);
            label = &self.labels[before];
        }
        path.reverse();
        path
    }
}

/// Returns the edges of the best path where both sides meet, if short enough to close a negative cycle.
fn meeting<S: Ord + Clone>(
    network: &Network<S>,
    ahead: &SearchSide<'_, S>,
    behind: &SearchSide<'_, S>,
    closing: Limit,
) -> Option<Vec<u32>> {
    let newest = ahead.newest.iter().map(|label| ahead.labels[*label].point);
    let newest = newest.chain(behind.newest.iter().map(|label| behind.labels[*label].point));
    let mut best: Option<(Limit, Vec<u32>)> = None;
    for point in newest {
        let (Some(first), Some(second)) = (ahead.best.get(&point), behind.best.get(&point)) else { continue };
        let (first, second) = (&ahead.labels[*first], &behind.labels[*second]);
        let sum = first.sum + second.sum + closing;
        if !sum.is_negative() {
            continue;
        }
        let mut path = ahead.path_of(first);
        path.extend(behind.path_of(second).into_iter().rev());
        let said = |path: &[u32]| path.iter().map(|slot| &network.edge(*slot).said).collect::<Vec<_>>();
        let order = |(least, other): &(Limit, Vec<u32>)| sum.cmp(least).then_with(|| said(&path).cmp(&said(other)));
        if best.as_ref().is_none_or(|best| order(best).is_lt()) {
            best = Some((sum, path));
        }
    }
    best.map(|(_, path)| path)
}
