//! What follows from the bounds that stand.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::solve::Along;
use super::{Limit, Network, Point};

impl<S: Ord + Clone> Network<S> {
    /// The most that `to - from` can be; `None` if nothing bounds it. Costs what lies between both, at most a look at all.
    pub fn most(&self, from: Point, to: Point) -> Option<Limit> {
        // Shortest paths over what the schedule leaves open on each edge, which is never negative.
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
                let left = self.schedule[point as usize] + edge.most - self.schedule[edge.to as usize];
                open.push((Reverse(slack + left), edge.to));
            }
        }
        None
    }

    /// The least that `to - from` can be; `None` if nothing bounds it.
    pub fn least(&self, from: Point, to: Point) -> Option<Limit> {
        self.most(to, from).map(|most| -most)
    }

    /// Whether the first point is certainly not after the second.
    pub fn is_ordered(&self, first: Point, second: Point) -> bool {
        // A schedule that holds and has them the other way round is proof enough that they need not be ordered.
        self.schedule[first.0 as usize] <= self.schedule[second.0 as usize]
            && self.most(second, first).is_some_and(|most| most <= Limit::default())
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
