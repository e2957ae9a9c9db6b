//! Negative cycles, as short as can be.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Limit, Network, Point};

/// Bounds that cannot all hold: each step leads to the point where the next begins, the last back to the first, and their
/// sum is negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction<S> {
    /// The steps, the one that is set aside first.
    pub steps: Vec<Step<S>>,
}

/// A step of a contradiction: `to - from` is at most `most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<S> {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// The most that lies between.
    pub most: Limit,
    /// Where it is said.
    pub said: S,
}

impl<S> Contradiction<S> {
    /// The sum of all steps: by how much the first point would be before itself.
    pub fn excess(&self) -> Limit {
        self.steps.iter().map(|step| step.most).sum()
    }
}

/// The contradiction of the edge with those that stand: of all negative cycles through it one with the fewest steps, of
/// these one with the least sum, of these the first by what is said.
///
/// There must be one. Looks from both ends, always on the side where less is to be seen, so that a point that bounds
/// everything (the origin of a calendar) is met and not walked through.
pub(super) fn contradiction<S: Ord + Clone>(network: &Network<S>, slot: u32) -> Contradiction<S> {
    let closing = network.edge(slot);
    let mut ahead = Side::new(network, &network.leaving, closing.to);
    let mut behind = Side::new(network, &network.entering, closing.from);
    let path = loop {
        if let Some(path) = meeting(network, &ahead, &behind, closing.most) {
            break path;
        }
        let (side, other) = if ahead.cost() <= behind.cost() { (&mut ahead, &behind) } else { (&mut behind, &ahead) };
        // One side can end before the other meets it.
        if side.newest.is_empty() && other.newest.is_empty() {
            unreachable!("an edge is set aside only if it closes a cycle");
        }
        side.advance();
    };
    let steps = std::iter::once(slot).chain(path).map(|slot| {
        let edge = network.edge(slot);
        Step { from: Point(edge.from), to: Point(edge.to), most: edge.most, said: edge.said.clone() }
    });
    Contradiction { steps: steps.collect() }
}

/// How a point was reached.
struct Label {
    point: u32,
    sum: Limit,
    /// The label before and the edge from it; none at the start.
    via: Option<(usize, u32)>,
}

/// The best ways from one end of the edge, step by step.
struct Side<'n, S> {
    network: &'n Network<S>,
    edges: &'n [Vec<u32>],
    labels: Vec<Label>,
    /// The label with the least sum of each point.
    best: HashMap<u32, usize>,
    /// The labels of the last step.
    newest: Vec<usize>,
}

impl<'n, S: Ord + Clone> Side<'n, S> {
    fn new(network: &'n Network<S>, edges: &'n [Vec<u32>], start: u32) -> Self {
        let labels = vec![Label { point: start, sum: Limit::default(), via: None }];
        Self { network, edges, labels, best: HashMap::from([(start, 0)]), newest: vec![0] }
    }

    /// How many edges the next step looks at; endless if there is no next step.
    fn cost(&self) -> usize {
        let degree = |label: &usize| self.edges[self.labels[*label].point as usize].len() + 1;
        if self.newest.is_empty() { usize::MAX } else { self.newest.iter().map(degree).sum() }
    }

    /// Takes one more step from all points that the last step reached on a better way.
    fn advance(&mut self) {
        let mut found: HashMap<u32, Label> = HashMap::new();
        for index in std::mem::take(&mut self.newest) {
            let label = &self.labels[index];
            for slot in &self.edges[label.point as usize] {
                let edge = self.network.edge(*slot);
                if !edge.stands {
                    continue;
                }
                let point = if edge.from == label.point { edge.to } else { edge.from };
                let next = Label { point, sum: label.sum + edge.most, via: Some((index, *slot)) };
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

    fn compare(&self, a: &Label, b: &Label) -> Ordering {
        let said = |label: &Label| {
            let path = self.path_of(label);
            path.into_iter().map(|slot| &self.network.edge(slot).said).collect::<Vec<_>>()
        };
        a.sum.cmp(&b.sum).then_with(|| said(a).cmp(&said(b)))
    }

    /// The edges from the start to the label.
    fn path_of(&self, label: &Label) -> Vec<u32> {
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

/// The edges of the best way on which both sides meet, if it is short enough to close a negative cycle.
fn meeting<S: Ord + Clone>(
    network: &Network<S>,
    ahead: &Side<'_, S>,
    behind: &Side<'_, S>,
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
