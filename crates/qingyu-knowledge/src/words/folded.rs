//! A text in the form for comparing, with the way back to the text.

use std::ops::Range;

use crate::analysis::fold_character;

pub(super) struct Folded {
    pub(super) characters: Vec<char>,
    /// For each character, the bytes of the text that it comes from.
    sources: Vec<Range<usize>>,
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let mut folded = Self { characters: Vec::with_capacity(text.len() / 2), sources: Vec::new() };
        for (start, c) in text.char_indices() {
            let end = start + c.len_utf8();
            let before = folded.characters.len();
            fold_character(c, |c| folded.characters.push(c));
            if folded.characters.len() == before {
                // A mark belongs to the letter that it stands on.
                folded.sources.last_mut().into_iter().for_each(|last| last.end = end);
            }
            folded.sources.resize(folded.characters.len(), start..end);
        }
        folded
    }

    /// The bytes of the text that some of the characters come from.
    pub(super) fn range(&self, characters: &Range<usize>) -> Range<usize> {
        self.sources[characters.start].start..self.sources[characters.end - 1].end
    }
}
