//! Splitting of a text into words.

use std::ops::Range;

use super::folded::FoldedText;
use super::names::SoughtNames;
use super::script::Script;

/// A splitter of texts into words, with the names of a story.
#[derive(Debug, Clone)]
pub struct WordSplitter {
    names: SoughtNames,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWord<'t> {
    /// The word as written.
    pub text: &'t str,
    /// The range in bytes.
    pub range: Range<usize>,
    /// The kind of the word.
    pub kind: WordKind,
}

/// The kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// A given name.
    Name,
    /// A word of a script with borders between words, or a number.
    Bordered,
    /// A run of Chinese characters or kana, which is several words.
    Run,
}

impl WordSplitter {
    /// Returns a splitter with the given names and aliases.
    ///
    /// A name of a single Chinese character is ignored, because the character is part of too many words.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self { names: SoughtNames::new(names) }
    }

    /// Returns the words of `text`, from left to right without overlap, without words that have no letter.
    pub fn cut<'t>(&self, text: &'t str) -> Vec<TextWord<'t>> {
        let folded = FoldedText::new(text);
        let mut words: Vec<TextWord<'t>> = Vec::new();
        for piece in self.pieces(&folded) {
            let range = folded.range(&piece.range);
            // Several words may come from one character, as with ½.
            if words.last().is_none_or(|last| last.range.end <= range.start) {
                words.push(TextWord { text: &text[range.clone()], range, kind: piece.kind });
            }
        }
        words
    }

    pub(super) fn pieces(&self, folded: &FoldedText) -> Vec<WordPiece> {
        let characters = &folded.characters;
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < characters.len() {
            let end = match self.names.match_at(characters, at) {
                Some(length) => {
                    pieces.push(WordPiece { range: at..at + length, kind: WordKind::Name });
                    at + length
                }
                None => {
                    let end = self.end_of_run(characters, at);
                    let kind = match Script::of(characters[at]) {
                        Script::Bordered => Some(WordKind::Bordered),
                        Script::Unbordered => Some(WordKind::Run),
                        Script::None => None,
                    };
                    pieces.extend(kind.map(|kind| WordPiece { range: at..end, kind }));
                    end
                }
            };
            at = end;
        }
        pieces
    }

    /// Returns the end of the run of the same script at `at`, or the begin of the next name.
    fn end_of_run(&self, characters: &[char], at: usize) -> usize {
        let kind = Script::of(characters[at]);
        let goes_on = |next: &usize| {
            Script::of(characters[*next]) == kind
                && (kind != Script::Unbordered || self.names.match_at(characters, *next).is_none())
        };
        (at + 1..characters.len()).take_while(goes_on).last().unwrap_or(at) + 1
    }
}

/// A word among the characters of a folded text.
pub(super) struct WordPiece {
    pub(super) range: Range<usize>,
    pub(super) kind: WordKind,
}
