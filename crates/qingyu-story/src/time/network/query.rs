//! Queries over the active bounds.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::bound::TimePoint;
use super::edges::Network;
use super::limit::Limit;
use super::solve::SweepDirection;

impl<S: Ord + Clone> Network<S> {
    /// Returns a time for `point` from a schedule satisfying every active bound.
    pub(crate) fn possible(&self, point: TimePoint) -> Limit {
        self.schedule[point.index()]
    }

    /// Returns the greatest possible `to - from` over chains avoiding the points in `beside`, or `None` if unbounded. Costs
    /// time for the points in between, at most a pass over the network.
    pub(crate) fn most_beside(&self, from: TimePoint, to: TimePoint, beside: &[TimePoint]) -> Option<Limit> {
        self.search(from, to, beside, Limit::FAR)
    }

    /// Returns whether the first point is certainly not after the second, over chains avoiding the points in `beside`.
    pub(crate) fn is_ordered_beside(&self, first: TimePoint, second: TimePoint, beside: &[TimePoint]) -> bool {
        // A valid schedule with the opposite order proves the points are not ordered.
        let apart = self.schedule[second.0 as usize] - self.schedule[first.0 as usize];
        !apart.is_negative() && self.search(second, first, beside, apart).is_some()
    }

    /// Returns the greatest possible `to - from` if a chain has at most `most_slack` slack relative to the schedule.
    ///
    /// Runs a shortest-path search over the slack of each edge, which is never negative.
    fn search(&self, from: TimePoint, to: TimePoint, beside: &[TimePoint], most_slack: Limit) -> Option<Limit> {
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
                if left <= most_slack && !beside.contains(&TimePoint(edge.to)) && !reached.contains(&edge.to) {
                    open.push((Reverse(left), edge.to));
                }
            }
        }
        None
    }

    /// Returns the greatest distance of each point after `from`; [`None`] if unbounded.
    pub(crate) fn after(&self, from: TimePoint) -> Vec<Option<Limit>> {
        self.distances(from, SweepDirection::Standing)
    }

    /// Returns the greatest distance of `to` after each point; [`None`] if unbounded.
    pub(crate) fn until(&self, to: TimePoint) -> Vec<Option<Limit>> {
        self.distances(to, SweepDirection::StandingBack)
    }

    fn distances(&self, start: TimePoint, along: SweepDirection) -> Vec<Option<Limit>> {
        let mut times = vec![Limit::FAR; self.schedule.len()];
        times[start.0 as usize] = Limit::default();
        self.sweep(&mut times, along, None);
        times.into_iter().map(|time| (time < Limit::FAR).then_some(time)).collect()
    }
}
