//! Keeping the schedule: a time for every point, so that all standing bounds hold.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::cycle::contradiction;
use super::{Edge, Limit, Network};

/// How often all points are visited before the bounds are taken one by one. Consistent stories need a handful of visits.
const SWEEPS: usize = 24;

/// Which edges a sweep follows, and whether from their ends to their beginnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    /// All, also those set aside.
    All,
    /// Those that stand.
    Standing,
    /// Those that stand, backwards.
    StandingBack,
}

impl<S: Ord + Clone> Network<S> {
    /// Finds the schedule and the contradictions anew.
    pub(super) fn settle(&mut self) {
        self.order = self.back_in_time();
        self.contradictions.clear();
        let mut schedule = std::mem::take(&mut self.schedule);
        let settled = self.sweep(&mut schedule, Along::All, Some(SWEEPS));
        self.schedule = schedule;
        self.edges.iter_mut().flatten().for_each(|edge| edge.stands = settled);
        if settled {
            return;
        }
        let mut slots: Vec<u32> =
            (0_u32..).zip(&self.edges).filter_map(|(slot, edge)| edge.as_ref().map(|_| slot)).collect();
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

    /// Lets an edge stand and mends the schedule around it; `false` and nothing is changed if it contradicts what stands.
    ///
    /// Moves points back in time, those that must move farthest first, as Cotton and Maler do: every point moves once, and
    /// if the edge's own beginning would have to move, there is a negative cycle.
    pub(super) fn admit(&mut self, slot: u32) -> bool {
        let Edge { from, to, most, .. } = *self.edge(slot);
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
        self.edges[slot as usize].as_mut().expect("the edge was read above").stands = true;
        true
    }

    /// Shortens `times` along the edges, to and fro through all points, until every edge is kept. `false` if that is not
    /// so after `most` sweeps; without a limit there must be no negative cycle.
    pub(super) fn sweep(&self, times: &mut [Limit], along: Along, most: Option<usize>) -> bool {
        let mut waits: Vec<bool> = times.iter().map(|time| *time < Limit::FAR).collect();
        let mut waiting = waits.iter().filter(|waits| **waits).count();
        let edges = if along == Along::StandingBack { &self.entering } else { &self.leaving };
        let mut sweeps = 0;
        while waiting > 0 {
            if most == Some(sweeps) {
                return false;
            }
            // Bounds that lead back in time are followed along the order, the others against it.
            let forward = (sweeps % 2 == 0) == (along != Along::StandingBack);
            for index in 0..self.order.len() {
                let point = self.order[if forward { index } else { self.order.len() - 1 - index }] as usize;
                if !std::mem::take(&mut waits[point]) {
                    continue;
                }
                waiting -= 1;
                for slot in &edges[point] {
                    let edge = self.edge(*slot);
                    let next = if along == Along::StandingBack { edge.from } else { edge.to } as usize;
                    let time = times[point] + edge.most;
                    if time < times[next] && (edge.stands || along == Along::All) {
                        times[next] = time;
                        waiting += usize::from(!std::mem::replace(&mut waits[next], true));
                    }
                }
            }
            sweeps += 1;
        }
        true
    }

    /// The points so that edges which lead back in time lead forward in the list, wherever they do not run in a circle.
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
