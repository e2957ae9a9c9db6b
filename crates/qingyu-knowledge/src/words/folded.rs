//! A folded text, with a mapping to the original.

use std::ops::Range;

use crate::analysis::fold_character;

pub(super) struct FoldedText {
    pub(super) characters: Vec<char>,
    /// For each character, the range of bytes in the original.
    sources: Vec<Range<usize>>,
}

impl FoldedText {
    pub(super) fn new(text: &str) -> Self {
        let mut folded = Self { characters: Vec::with_capacity(text.len() / 2), sources: Vec::new() };
        for (start, c) in text.char_indices() {
            let end = start + c.len_utf8();
            let before = folded.characters.len();
            fold_character(c, |c| folded.characters.push(c));
            if folded.characters.len() == before {
                // A mark belongs to the letter before.
                folded.sources.last_mut().into_iter().for_each(|last| last.end = end);
            }
            folded.sources.resize(folded.characters.len(), start..end);
        }
        folded
    }

    /// Returns the range of bytes in the original for a range of characters.
    pub(super) fn range(&self, characters: &Range<usize>) -> Range<usize> {
        self.sources[characters.start].start..self.sources[characters.end - 1].end
    }
}
