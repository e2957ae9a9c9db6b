//! The suites that every engine passes. A failure is a panic, as in any test.
//!
//! Several may run on one server at a time, for a suite makes scopes that nobody else has, and forgets them at its end.
//! How many generated cases are tried says the variable `PROPTEST_CASES`, or else the caller.

mod filters;
mod graphs;
mod scopes;
mod search;
mod stories;
mod vectors;

pub use filters::filter;
pub use graphs::{Ways, graph_suite};
pub use search::search_suite;
pub use stories::Edit;
pub use vectors::vector_suite;

use std::fmt::Debug;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

/// Generated values, `usual` many unless the environment says otherwise.
fn generated<T: Debug>(usual: u32, strategy: impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let asked = std::env::var_os("PROPTEST_CASES").map(|_| Config::default().cases);
    let mut runner = TestRunner::new(Config::default());
    (0..asked.unwrap_or(usual)).map(move |_| strategy.new_tree(&mut runner).expect("nothing is filtered out").current())
}
