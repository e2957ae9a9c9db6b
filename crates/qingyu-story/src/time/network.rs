//! A simple temporal network: points in time and bounds on the differences between them, in exact arithmetic.
//!
//! A network is consistent unless its bounds form a negative cycle: a chain of differences that leads back to its first
//! point and would have it before itself. Such cycles are reported as [`Contradiction`]s, each as short as can be; the
//! bound that closes one is set aside, so that the rest still answers questions. In which bounds are set aside, and in
//! which words a contradiction is told, only the bounds count, never the order in which they came: bounds are taken in
//! the order of what said them (`S`), least first.

mod cycle;
mod limit;
mod query;
mod solve;
#[cfg(test)]
mod tests;

pub use cycle::{Contradiction, Step};
pub use limit::Limit;

/// A point in time, of the network that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u32);

/// What is known of `to - from`, and what said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound<S> {
    /// The point that is counted from.
    pub from: Point,
    /// The point that is counted to.
    pub to: Point,
    /// The least that `to - from` can be; open if `None`.
    pub least: Option<Limit>,
    /// The most that `to - from` can be; open if `None`.
    pub most: Option<Limit>,
    /// Where it is said.
    pub said: S,
}

/// Names a bound of the network that gave it, for [`Network::remove`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoundId {
    least: Option<u32>,
    most: Option<u32>,
}

/// Points, the bounds between them, and the contradictions among these.
///
/// `S` says where a bound comes from. Its order decides which of two bounds that contradict each other is set aside: the
/// greater. It should tell all bounds apart.
#[derive(Debug, Clone)]
pub struct Network<S> {
    /// Half bounds in slots; empty ones are used again.
    edges: Vec<Option<Edge<S>>>,
    free: Vec<u32>,
    /// The edges that leave and that enter each point.
    leaving: Vec<Vec<u32>>,
    entering: Vec<Vec<u32>>,
    /// A time for each point that keeps all standing bounds.
    schedule: Vec<Limit>,
    /// The points as they are best visited: along the bounds that lead back in time.
    order: Vec<u32>,
    contradictions: Vec<Contradiction<S>>,
}

/// Half of a bound: `to - from` is at most `most`.
#[derive(Debug, Clone)]
struct Edge<S> {
    from: u32,
    to: u32,
    most: Limit,
    said: S,
    /// Whether it holds, because it contradicts no lesser bounds.
    stands: bool,
}

impl<S> Default for Network<S> {
    fn default() -> Self {
        Self {
            edges: Vec::new(),
            free: Vec::new(),
            leaving: Vec::new(),
            entering: Vec::new(),
            schedule: Vec::new(),
            order: Vec::new(),
            contradictions: Vec::new(),
        }
    }
}

impl<S: Ord + Clone> Network<S> {
    /// Adds a point of which nothing is known.
    pub fn add_point(&mut self) -> Point {
        let point = u32::try_from(self.schedule.len()).expect("a story has fewer points than fit into memory");
        self.leaving.push(Vec::new());
        self.entering.push(Vec::new());
        self.schedule.push(Limit::exactly(0));
        self.order.push(point);
        Point(point)
    }

    /// Adds bounds.
    ///
    /// A few bounds that contradict nothing cost what they touch; many, or any while there are contradictions, cost a look
    /// at all.
    pub fn insert(&mut self, bounds: impl IntoIterator<Item = Bound<S>>) -> Vec<BoundId> {
        let standing = self.edges.len() - self.free.len();
        let ids: Vec<BoundId> = bounds.into_iter().map(|bound| self.push(bound)).collect();
        let new = ids.iter().flat_map(|id| [id.least, id.most]).flatten();
        let are_few = new.clone().count() * 8 < standing;
        if !(are_few && self.is_consistent() && new.into_iter().all(|edge| self.admit(edge))) {
            self.settle();
        }
        ids
    }

    /// Takes bounds back. Costs what it touches, or a look at all while there are contradictions.
    pub fn remove(&mut self, ids: &[BoundId]) {
        for edge in ids.iter().flat_map(|id| [id.least, id.most]).flatten() {
            if let Some(taken) = self.edges[edge as usize].take() {
                self.leaving[taken.from as usize].retain(|other| *other != edge);
                self.entering[taken.to as usize].retain(|other| *other != edge);
                self.free.push(edge);
            }
        }
        if !self.is_consistent() {
            self.settle();
        }
    }

    /// Whether no bounds contradict each other.
    pub fn is_consistent(&self) -> bool {
        self.contradictions.is_empty()
    }

    /// The contradictions: one for each bound that is set aside, by what said it.
    pub fn contradictions(&self) -> &[Contradiction<S>] {
        &self.contradictions
    }

    fn push(&mut self, bound: Bound<S>) -> BoundId {
        let (from, to) = (bound.from.0, bound.to.0);
        let least = bound.least.map(|least| (to, from, -least, bound.said.clone()));
        let most = bound.most.map(|most| (from, to, most, bound.said));
        BoundId { least: least.map(|half| self.push_edge(half)), most: most.map(|half| self.push_edge(half)) }
    }

    fn push_edge(&mut self, (from, to, most, said): (u32, u32, Limit, S)) -> u32 {
        let edge = Some(Edge { from, to, most, said, stands: false });
        let slot = match self.free.pop() {
            Some(slot) => {
                self.edges[slot as usize] = edge;
                slot
            }
            None => {
                self.edges.push(edge);
                u32::try_from(self.edges.len() - 1).expect("a story has fewer bounds than fit into memory")
            }
        };
        self.leaving[from as usize].push(slot);
        self.entering[to as usize].push(slot);
        slot
    }

    fn edge(&self, slot: u32) -> &Edge<S> {
        self.edges[slot as usize].as_ref().expect("slots in the lists of points are taken")
    }
}
