//! How much of a chapter stands in another one, or more than once in itself: by runs of tokens, as hashes.

use rustc_hash::FxHashSet;

use crate::originality::Tokens;

/// The tokens of a run in Chinese, and in English.
const RUN: [usize; 2] = [6, 5];
/// Fewer runs than these show nothing.
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
        let tokens = Tokens::of(text);
        let size = RUN[usize::from(!tokens.is_han)];
        let shingles = tokens.shingles(size);
        let total = shingles.len();
        Self { distinct: shingles.into_iter().collect(), total, size }
    }

    /// The percentage of the text that stands in it earlier.
    pub(super) fn repeated(&self) -> usize {
        if self.total < FEWEST { 0 } else { (self.total - self.distinct.len()) * 100 / self.total }
    }

    /// The percentage of the text that stands in `other`.
    pub(super) fn shared(&self, other: &str) -> usize {
        if self.distinct.len() < FEWEST {
            return 0;
        }
        let there: FxHashSet<u64> = Tokens::of(other)
            .shingles(self.size)
            .into_iter()
            .filter(|shingle| self.distinct.contains(shingle))
            .collect();
        there.len() * 100 / self.distinct.len()
    }
}
