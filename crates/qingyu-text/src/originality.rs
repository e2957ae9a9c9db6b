//! Finds passages shared with other texts, word for word.
//!
//! - [`ComparisonLibrary`]: the other texts, and the search for shared passages
//! - `tokens`: the compared units; `signature`: the choice of texts worth comparing; `passages`: the actual comparison
//!
//! A text is split into tokens (a Chinese character, a Latin word; punctuation, width, case and the traditional script
//! are ignored) and into overlapping blocks of tokens. Each block has a MinHash of shingles, split into bands; texts
//! sharing a band with the given text are compared token by token, and only identical passages are returned. So the
//! index produces no false positives; tests measure the false negatives.

mod library;
mod passages;
mod result;
mod signature;
#[cfg(test)]
mod tests;
mod tokens;

pub use library::{ComparisonLibrary, OriginalityRules};
pub use result::{Originality, Passage, SourceShare};
pub(crate) use tokens::TextTokens;
