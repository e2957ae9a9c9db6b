//! What follows from the bounds that stand.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::solve::Along;
use super::{Limit, Network, Point};

impl<S: Ord + Clone> Network<S> {
    /// The most that `to - from` can be; `None` if nothing bounds it. Costs what lies between both, at most a look at all.
    pub fn most(&self, from: Point, to: Point) -> Option<Limit> {
        self.most_beside(from, to, &[])
    }

    /// The least that `to - from` can be; `None` if nothing bounds it.
    pub fn least(&self, from: Point, to: Point) -> Option<Limit> {
        self.most(to, from).map(|most| -most)
    }

    /// A time of `point` so that with the times of all others every bound holds that stands.
    pub fn possible(&self, point: Point) -> Limit {
        self.schedule[point.index()]
    }

    /// The most that `to - from` can be by chains of bounds that do not lead through the points `beside`.
    pub fn most_beside(&self, from: Point, to: Point, beside: &[Point]) -> Option<Limit> {
        self.search(from, to, beside, Limit::FAR)
    }

    /// Whether the first point is certainly not after the second.
    pub fn is_ordered(&self, first: Point, second: Point) -> bool {
        self.is_ordered_beside(first, second, &[])
    }

    /// Whether the first point is certainly not after the second, by chains that do not lead through the points `beside`.
    pub fn is_ordered_beside(&self, first: Point, second: Point, beside: &[Point]) -> bool {
        // A schedule that holds and has them the other way round is proof enough that they need not be ordered.
        let apart = self.schedule[second.0 as usize] - self.schedule[first.0 as usize];
        !apart.is_negative() && self.search(second, first, beside, apart).is_some()
    }

    /// The most that `to - from` can be, if a chain leaves no more open than `most_slack` beside the schedule.
    ///
    /// Looks for shortest paths over what the schedule leaves open on each edge, which is never negative.
    fn search(&self, from: Point, to: Point, beside: &[Point], most_slack: Limit) -> Option<Limit> {
        let mut reached = HashSet::new();
        let mut open = BinaryHeap::from([(Reverse(Limit::default()), from.0)]);
        while let Some((Reverse(slack), point)) = open.pop() {
            if point == to.0 {
                return Some(slack + self.schedule[to.0 as usize] - self.schedule[from.0 as usize]);
            }
            if !reached.insert(point) {
                continue;
            }
            for edge in self.leaving[point as usize].iter().map(|slot| self.edge(*slot)).filter(|edge| edge.stands) {
                let left = slack + self.schedule[point as usize] + edge.most - self.schedule[edge.to as usize];
                if left <= most_slack && !beside.contains(&Point(edge.to)) && !reached.contains(&edge.to) {
                    open.push((Reverse(left), edge.to));
                }
            }
        }
        None
    }

    /// The most that each point can be after `from`; [`None`] where nothing bounds it.
    pub fn after(&self, from: Point) -> Vec<Option<Limit>> {
        self.distances(from, Along::Standing)
    }

    /// The most that `to` can be after each point; [`None`] where nothing bounds it.
    pub fn until(&self, to: Point) -> Vec<Option<Limit>> {
        self.distances(to, Along::StandingBack)
    }

    fn distances(&self, start: Point, along: Along) -> Vec<Option<Limit>> {
        let mut times = vec![Limit::FAR; self.schedule.len()];
        times[start.0 as usize] = Limit::default();
        self.sweep(&mut times, along, None);
        times.into_iter().map(|time| (time < Limit::FAR).then_some(time)).collect()
    }
}

impl Point {
    /// Its place in the lists of [`Network::after`] and [`Network::until`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
