//! The suites on the memories of this crate.

mod learning;
mod suites;
