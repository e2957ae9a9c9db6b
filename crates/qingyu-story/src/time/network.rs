//! A simple temporal network: points in time and bounds on their differences, in exact arithmetic.
//!
//! A network is consistent unless the bounds form a negative cycle: a chain of differences leading back to the first
//! point with a negative sum. Each cycle is reported as a shortest [`Contradiction`], and the closing bound is
//! deactivated so queries still work. The deactivated bounds and the reported cycles depend only on the set of bounds,
//! never on insertion order: bounds are processed in the order of their source (`S`), least first.

mod bound;
mod contradiction;
mod cycle;
mod edges;
mod limit;
mod query;
mod solve;
#[cfg(test)]
mod tests;

pub(crate) use bound::{Bound, TimePoint};
pub(crate) use contradiction::Contradiction;
pub(crate) use edges::Network;
pub(crate) use limit::Limit;
