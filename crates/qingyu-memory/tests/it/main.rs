//! The suites on the memories of this crate.

mod suites;
