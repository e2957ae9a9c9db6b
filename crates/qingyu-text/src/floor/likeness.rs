//! Measures text shared with another chapter or repeated within a chapter, by hashed runs of tokens.

use rustc_hash::FxHashSet;

use crate::originality::TextTokens;

/// The length of a run in tokens, for Chinese and for English.
const RUN: [usize; 2] = [6, 5];
/// The least number of runs for a meaningful result.
const FEWEST: usize = 12;

/// The runs of a text.
#[derive(Debug)]
pub(super) struct Shingles {
    distinct: FxHashSet<u64>,
    total: usize,
    size: usize,
}

impl Shingles {
    pub(super) fn of(text: &str) -> Self {
        let tokens = TextTokens::of(text);
        let size = RUN[usize::from(!tokens.is_han)];
        let shingles = tokens.shingles(size);
        let total = shingles.len();
        Self { distinct: shingles.into_iter().collect(), total, size }
    }

    /// Returns the percentage of the text which repeats an earlier part.
    pub(super) fn repeated(&self) -> usize {
        if self.total < FEWEST { 0 } else { (self.total - self.distinct.len()) * 100 / self.total }
    }

    /// Returns the percentage of the text which occurs in `other`.
    pub(super) fn shared(&self, other: &str) -> usize {
        if self.distinct.len() < FEWEST {
            return 0;
        }
        let there: FxHashSet<u64> = TextTokens::of(other)
            .shingles(self.size)
            .into_iter()
            .filter(|shingle| self.distinct.contains(shingle))
            .collect();
        there.len() * 100 / self.distinct.len()
    }
}
