//! Generated values for the suites.

use std::fmt::Debug;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

/// Returns generated values, by default `usual` many.
pub(super) fn generated<T: Debug>(usual: u32, strategy: impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let asked = std::env::var_os("PROPTEST_CASES").map(|_| Config::default().cases);
    let mut runner = TestRunner::new(Config::default());
    (0..asked.unwrap_or(usual)).map(move |_| strategy.new_tree(&mut runner).expect("nothing is filtered out").current())
}
