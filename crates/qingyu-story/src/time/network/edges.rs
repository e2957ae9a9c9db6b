//! A network as edges, each half of a bound.

use super::bound::{Bound, TimePoint};
use super::contradiction::Contradiction;
use super::limit::Limit;

/// A network of points and bounds, with the contradictions found.
///
/// `S` is the source of a bound. The order of `S` decides which of two contradicting bounds is deactivated: the
/// greater. Sources should be distinct.
#[derive(Debug, Clone)]
pub(crate) struct Network<S> {
    pub(super) edges: Vec<BoundEdge<S>>,
    /// The outgoing and incoming edges of each point.
    pub(super) leaving: Vec<Vec<u32>>,
    pub(super) entering: Vec<Vec<u32>>,
    /// A time for each point satisfying all active bounds.
    pub(super) schedule: Vec<Limit>,
    /// The visiting order of the points: along bounds leading back in time.
    pub(super) order: Vec<u32>,
    pub(super) contradictions: Vec<Contradiction<S>>,
}

/// Half of a bound: `to - from` is at most `most`.
#[derive(Debug, Clone)]
pub(super) struct BoundEdge<S> {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) most: Limit,
    pub(super) said: S,
    /// Whether the edge is active, without a contradiction to lesser bounds.
    pub(super) stands: bool,
}

impl<S> Default for Network<S> {
    fn default() -> Self {
        Self {
            edges: Vec::new(),
            leaving: Vec::new(),
            entering: Vec::new(),
            schedule: Vec::new(),
            order: Vec::new(),
            contradictions: Vec::new(),
        }
    }
}

impl<S: Ord + Clone> Network<S> {
    /// Adds an unconstrained point and returns the point.
    pub(crate) fn add_point(&mut self) -> TimePoint {
        let point = u32::try_from(self.schedule.len()).expect("a story has fewer points than fit into memory");
        self.leaving.push(Vec::new());
        self.entering.push(Vec::new());
        self.schedule.push(Limit::exactly(0));
        self.order.push(point);
        TimePoint(point)
    }

    /// Returns whether the network has no contradiction.
    pub(super) fn is_consistent(&self) -> bool {
        self.contradictions.is_empty()
    }

    /// Returns the contradictions, one for each deactivated bound, ordered by source.
    pub(crate) fn contradictions(&self) -> &[Contradiction<S>] {
        &self.contradictions
    }

    /// Adds the halves of a bound, not yet active, and returns their slots.
    pub(super) fn push(&mut self, bound: Bound<S>) -> Vec<u32> {
        let (from, to) = (bound.from.0, bound.to.0);
        let least = bound.least.map(|least| (to, from, -least, bound.said.clone()));
        let most = bound.most.map(|most| (from, to, most, bound.said));
        least.into_iter().chain(most).map(|half| self.push_edge(half)).collect()
    }

    fn push_edge(&mut self, (from, to, most, said): (u32, u32, Limit, S)) -> u32 {
        let slot = u32::try_from(self.edges.len()).expect("a story has fewer bounds than fit into memory");
        self.edges.push(BoundEdge { from, to, most, said, stands: false });
        self.leaving[from as usize].push(slot);
        self.entering[to as usize].push(slot);
        slot
    }

    pub(super) fn edge(&self, slot: u32) -> &BoundEdge<S> {
        &self.edges[slot as usize]
    }
}
