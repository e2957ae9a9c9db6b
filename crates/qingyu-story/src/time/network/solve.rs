//! Maintains the schedule: a time for every point satisfying all active bounds.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::bound::Bound;
use super::cycle::contradiction;
use super::edges::{BoundEdge, Network};
use super::limit::Limit;

/// The number of passes over all points before bounds are inserted one by one. Consistent stories need a handful.
const SWEEPS: usize = 24;

/// The edges followed by a sweep, and the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SweepDirection {
    /// All edges, including deactivated edges.
    All,
    /// Active edges.
    Standing,
    /// Active edges, backwards.
    StandingBack,
}

impl<S: Ord + Clone> Network<S> {
    /// Inserts bounds.
    ///
    /// A few consistent bounds cost time for the affected points only; many bounds, or any while contradictions exist,
    /// cost a pass over the whole network.
    pub(crate) fn insert(&mut self, bounds: impl IntoIterator<Item = Bound<S>>) {
        let standing = self.edges.len();
        let new: Vec<u32> = bounds.into_iter().flat_map(|bound| self.push(bound)).collect();
        let are_few = new.len() * 8 < standing;
        if !(are_few && self.is_consistent() && new.into_iter().all(|edge| self.admit(edge))) {
            self.settle();
        }
    }

    /// Recomputes the schedule and the contradictions.
    pub(super) fn settle(&mut self) {
        self.order = self.back_in_time();
        self.contradictions.clear();
        let mut schedule = std::mem::take(&mut self.schedule);
        let settled = self.sweep(&mut schedule, SweepDirection::All, Some(SWEEPS));
        self.schedule = schedule;
        self.edges.iter_mut().for_each(|edge| edge.stands = settled);
        if settled {
            return;
        }
        let mut slots: Vec<u32> = (0_u32..).zip(&self.edges).map(|(slot, _)| slot).collect();
        let key = |slot: &u32| {
            let edge = self.edge(*slot);
            (&edge.said, edge.most)
        };
        slots.sort_by(|a, b| key(a).cmp(&key(b)));
        for slot in slots {
            if !self.admit(slot) {
                let found = contradiction(self, slot);
                self.contradictions.push(found);
            }
        }
    }

    /// Activates an edge and updates the schedule around the edge; returns `false` without changes if the edge
    /// contradicts the active bounds.
    ///
    /// Moves points back in time, the farthest first, after Cotton and Maler: every point moves at most once, and if
    /// the edge's own start would have to move, a negative cycle exists.
    pub(super) fn admit(&mut self, slot: u32) -> bool {
        let BoundEdge { from, to, most, .. } = *self.edge(slot);
        let short = self.schedule[from as usize] + most - self.schedule[to as usize];
        let mut moved: HashMap<u32, Limit> = HashMap::new();
        let mut open = BinaryHeap::from([(Reverse(short), to)]);
        while let Some((Reverse(shift), point)) = open.pop() {
            if !shift.is_negative() || moved.contains_key(&point) {
                continue;
            }
            if point == from {
                return false;
            }
            let time = self.schedule[point as usize] + shift;
            moved.insert(point, time);
            for next in &self.leaving[point as usize] {
                let edge = self.edge(*next);
                let shift = time + edge.most - self.schedule[edge.to as usize];
                if edge.stands && shift.is_negative() && !moved.contains_key(&edge.to) {
                    open.push((Reverse(shift), edge.to));
                }
            }
        }
        for (point, time) in moved {
            self.schedule[point as usize] = time;
        }
        self.edges[slot as usize].stands = true;
        true
    }

    /// Shortens `times` along the edges, alternating direction, until every edge holds. Returns `false` if edges still
    /// fail after `most` sweeps; without a limit the network must have no negative cycle.
    pub(super) fn sweep(&self, times: &mut [Limit], along: SweepDirection, most: Option<usize>) -> bool {
        let mut waits: Vec<bool> = times.iter().map(|time| *time < Limit::FAR).collect();
        let mut waiting = waits.iter().filter(|waits| **waits).count();
        let edges = if along == SweepDirection::StandingBack { &self.entering } else { &self.leaving };
        let mut sweeps = 0;
        while waiting > 0 {
            if most == Some(sweeps) {
                return false;
            }
            // Bounds leading back in time are followed along the order, the others against the order.
            let forward = (sweeps % 2 == 0) == (along != SweepDirection::StandingBack);
            for index in 0..self.order.len() {
                let point = self.order[if forward { index } else { self.order.len() - 1 - index }] as usize;
                if !std::mem::take(&mut waits[point]) {
                    continue;
                }
                waiting -= 1;
                for slot in &edges[point] {
                    let edge = self.edge(*slot);
                    let next = if along == SweepDirection::StandingBack { edge.from } else { edge.to } as usize;
                    let time = times[point] + edge.most;
                    if time < times[next] && (edge.stands || along == SweepDirection::All) {
                        times[next] = time;
                        waiting += usize::from(!std::mem::replace(&mut waits[next], true));
                    }
                }
            }
            sweeps += 1;
        }
        true
    }

    /// Returns the points ordered so edges leading back in time lead forward in the list, except within cycles.
    fn back_in_time(&self) -> Vec<u32> {
        let points = self.schedule.len();
        let mut seen = vec![false; points];
        let mut finished = Vec::with_capacity(points);
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..points {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            path.push((start, 0));
            while let Some((point, next)) = path.last_mut() {
                let Some(slot) = self.leaving[*point].get(*next) else {
                    finished.push(u32::try_from(*point).expect("points are counted in 32 bits"));
                    path.pop();
                    continue;
                };
                *next += 1;
                let edge = self.edge(*slot);
                if edge.most <= Limit::exactly(0) && !std::mem::replace(&mut seen[edge.to as usize], true) {
                    path.push((edge.to as usize, 0));
                }
            }
        }
        finished.reverse();
        finished
    }
}
