//! Sets of bounds which cannot all hold.

use super::bound::TimePoint;
use super::limit::Limit;

/// A set of bounds which cannot all hold: each step leads to the start of the next, the last returns to the first, and
/// their sum is negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction<S> {
    /// The steps, beginning with the deactivated step.
    pub steps: Vec<CycleStep<S>>,
}

/// A step of a contradiction: `to - from` is at most `most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleStep<S> {
    /// The start point.
    pub from: TimePoint,
    /// The end point.
    pub to: TimePoint,
    /// The greatest distance allowed by the step.
    pub most: Limit,
    /// The source of the bound.
    pub said: S,
}
