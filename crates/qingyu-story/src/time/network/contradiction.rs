//! Sets of bounds which cannot all hold.

use super::bound::TimePoint;
use super::limit::Limit;

/// A set of bounds which cannot all hold: each step leads to the start of the next, the last returns to the first, and
/// their sum is negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contradiction<S> {
    /// The steps, beginning with the deactivated step.
    pub(crate) steps: Vec<CycleStep<S>>,
}

/// A step of a contradiction: `to - from` is at most `most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CycleStep<S> {
    /// The start point.
    pub(crate) from: TimePoint,
    /// The end point.
    pub(crate) to: TimePoint,
    /// The greatest distance allowed by the step.
    pub(crate) most: Limit,
    /// The source of the bound.
    pub(crate) said: S,
}
