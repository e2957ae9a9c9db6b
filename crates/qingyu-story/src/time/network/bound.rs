//! Points in time, and bounds on their differences.

use super::limit::Limit;

/// A point in time, valid only in the network which returned the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TimePoint(pub(super) u32);

/// A bound on `to - from`, with the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound<S> {
    /// The start point.
    pub(crate) from: TimePoint,
    /// The end point.
    pub(crate) to: TimePoint,
    /// The least value of `to - from`; open if `None`.
    pub(crate) least: Option<Limit>,
    /// The greatest value of `to - from`; open if `None`.
    pub(crate) most: Option<Limit>,
    /// The source of the bound.
    pub(crate) said: S,
}

impl TimePoint {
    /// Returns the index in the lists returned by [`Network::after`](super::Network::after) and [`Network::until`](super::Network::until).
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}
