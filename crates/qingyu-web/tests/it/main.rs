//! The integration tests, in one binary.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod adapters;
mod manners;
mod reading;
mod research;
