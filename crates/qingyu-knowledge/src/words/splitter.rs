//! Splitting of a text into words, and their counts.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use super::folded::FoldedText;
use super::names::SoughtNames;
use super::script::Script;
use crate::analysis::{is_unbordered, terms};

/// The maximum number of frequent words in [`WordStatistics`].
const FREQUENT: usize = 50;

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

/// Word counts of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordStatistics {
    /// The length as an editor counts: Chinese characters, and words of other scripts.
    pub length: usize,
    /// Names with their counts, the most frequent first.
    pub names: Vec<(String, usize)>,
    /// Words, and in Chinese pairs of characters, with a count above 1; the most frequent first, at most 50.
    pub frequent: Vec<(String, usize)>,
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

    /// Returns the word counts of `text`.
    pub fn statistics(&self, text: &str) -> WordStatistics {
        let (mut names, mut others) = (WordCounts::default(), WordCounts::default());
        let mut length = 0;
        for word in self.cut(text) {
            let is_han = word.text.starts_with(is_unbordered);
            length += if is_han { word.text.chars().count() } else { 1 };
            match word.kind {
                WordKind::Name => names.add(word.text),
                WordKind::Bordered => others.add(word.text),
                WordKind::Run => pairs(word.text).for_each(|pair| others.add(pair)),
            }
        }
        let mut frequent = others.sorted();
        frequent.retain(|(_, count)| *count > 1);
        frequent.truncate(FREQUENT);
        WordStatistics { length, names: names.sorted(), frequent }
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

/// Returns an iterator over the pairs of neighbouring characters.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    (2..starts.len()).map(move |end| &run[starts[end - 2]..starts[end]])
}

/// Counts of words by their folded form, with the first spelling.
#[derive(Default)]
struct WordCounts<'t>(HashMap<Vec<String>, (&'t str, usize), FxBuildHasher>);

impl<'t> WordCounts<'t> {
    fn add(&mut self, word: &'t str) {
        self.0.entry(terms(word)).or_insert((word, 0)).1 += 1;
    }

    /// Returns the words, the most frequent first, then by spelling.
    fn sorted(self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> =
            self.0.into_values().map(|(word, count)| (word.to_owned(), count)).collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }
}
