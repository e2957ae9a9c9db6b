//! How many cases the long tests of this and other crates run: few, or all with `QINGYU_ALL_CASES=1`, as
//! `make endurance` does.
//!
//! Tests run after every change, so by default they run the few cases that find most mistakes.

/// Returns how many cases a test runs: the first `few`, or `all` with `QINGYU_ALL_CASES=1`.
pub(crate) fn cases<T>(few: T, all: T) -> T {
    if std::env::var_os("QINGYU_ALL_CASES").is_some_and(|value| value == "1") { all } else { few }
}
