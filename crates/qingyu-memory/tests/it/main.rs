//! The suites on the memories of this crate.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod learning;
mod suites;
