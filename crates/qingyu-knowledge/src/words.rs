//! The words of a text, for uses of words and not [terms](crate::analysis): names in a question, marks in a hit.
//!
//! Names of the story are words wherever they occur. A run of Chinese characters between names stays whole; marks use
//! pairs of characters, as search does.

mod folded;
mod mark;
mod names;
mod script;
mod splitter;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use splitter::{TextWord, WordKind, WordSplitter};

impl WordSplitter {
    /// Returns the ranges of `text` that match `query`, for marking: in bytes, from left to right, disjoint.
    ///
    /// Names match as words, words of letters by their stem, and every pair of characters of a run in the query
    /// anywhere.
    pub fn highlight(&self, text: &str, query: &str) -> Vec<Range<usize>> {
        mark::marks(self, text, query)
    }
}
