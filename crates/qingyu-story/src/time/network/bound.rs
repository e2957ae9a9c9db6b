//! Points in time, and bounds on their differences.

use super::limit::Limit;

/// A point in time, valid only in the network which returned the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimePoint(pub(super) u32);

/// A bound on `to - from`, with the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound<S> {
    /// The start point.
    pub from: TimePoint,
    /// The end point.
    pub to: TimePoint,
    /// The least value of `to - from`; open if `None`.
    pub least: Option<Limit>,
    /// The greatest value of `to - from`; open if `None`.
    pub most: Option<Limit>,
    /// The source of the bound.
    pub said: S,
}

/// The id of a bound, for [`Network::remove`](super::Network::remove).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoundId {
    pub(super) least: Option<u32>,
    pub(super) most: Option<u32>,
}

impl TimePoint {
    /// Returns the index in the lists returned by [`Network::after`](super::Network::after) and [`Network::until`](super::Network::until).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
