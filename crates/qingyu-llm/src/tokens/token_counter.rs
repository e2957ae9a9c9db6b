//! The interface of token counters.

use std::fmt::Debug;

/// Counts the tokens of a text. Equal texts return equal counts.
pub trait TokenCounter: Debug + Send + Sync {
    /// Returns the tokens of `text`.
    fn count(&self, text: &str) -> u64;
}
