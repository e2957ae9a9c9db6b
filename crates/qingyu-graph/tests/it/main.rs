//! The engine as its users see it. Numbers in names (`c03_..`) are those of the conformance list.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod board;
mod cache;
mod compile;
mod costs;
mod crash;
mod examples;
mod functional;
mod handlers;
mod history;
mod interrupts;
#[cfg(all(feature = "postgres", feature = "testing"))]
mod kills;
mod merging;
mod owners;
#[cfg(all(feature = "postgres", feature = "testing"))]
mod postgres;
mod random;
mod recovery;
mod routing;
mod sends;
mod steps;
mod stops;
mod streaming;
mod time_limits;
mod views;
