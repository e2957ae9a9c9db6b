//! The test suites for engines, and engines in memory. A failure is a panic, as in any test.
//!
//! Several suites may run concurrently on one server, for each suite creates unique scopes, and deletes them at the
//! end. The number of generated cases is the variable `PROPTEST_CASES`, by default the caller's argument.

mod filters;
mod generated;
mod graphs;
mod memory;
mod scopes;
mod search;
mod stories;
mod vectors;

pub use filters::filter;
pub use graphs::{PathSupport, graph_suite};
pub use memory::{MemoryGraph, MemorySearch, MemoryVectors};
pub use search::search_suite;
pub use stories::Edit;
pub use vectors::vector_suite;
