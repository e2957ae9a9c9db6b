//! The words of a text, for what needs words and not [terms](crate::analysis): what a question names, what is marked in a
//! hit, how often something is said.
//!
//! Names of the story are words wherever they stand. A run of Chinese characters between them stays whole; marks and counts
//! go by its pairs of characters, as search does.

mod folded;
mod mark;
mod names;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use crate::analysis::{is_unbordered, terms};
use folded::Folded;
use names::SoughtNames;

/// How many frequent words [`Statistics`] names.
const FREQUENT: usize = 50;

/// Cuts texts into words, knowing the names of a story.
#[derive(Debug, Clone)]
pub struct Words {
    names: SoughtNames,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'t> {
    /// The word as it stands there.
    pub text: &'t str,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: WordKind,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// One of the names that were given.
    Name,
    /// A word of a script that has borders between words, or a number.
    Bordered,
    /// Chinese characters or kana in a row, which are several words.
    Run,
}

/// How often something is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The length of the text as an editor counts: Chinese characters, and words of other scripts.
    pub length: usize,
    /// Names, those that are said most first.
    pub names: Vec<(String, usize)>,
    /// Words, and in Chinese pairs of characters, that are said more than once; the most frequent first, at most 50.
    pub frequent: Vec<(String, usize)>,
}

impl Words {
    /// Words with these names and aliases.
    ///
    /// A name of a single Chinese character is not sought, because it is part of too many words.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self { names: SoughtNames::new(names) }
    }

    /// The words of `text`, from left to right without overlap; what has no letter is left out.
    pub fn cut<'t>(&self, text: &'t str) -> Vec<Word<'t>> {
        let folded = Folded::new(text);
        let mut words: Vec<Word<'t>> = Vec::new();
        for piece in self.pieces(&folded) {
            let range = folded.range(&piece.range);
            // Several may come from one character, as those of ½ do.
            if words.last().is_none_or(|last| last.range.end <= range.start) {
                words.push(Word { text: &text[range.clone()], range, kind: piece.kind });
            }
        }
        words
    }

    /// Where `text` says what `query` asks for, to be marked: ranges of bytes, from left to right, apart from each other.
    ///
    /// Names are marked as words, words of letters by their stem, and every pair of characters of a run in the query
    /// wherever it stands.
    pub fn highlight(&self, text: &str, query: &str) -> Vec<Range<usize>> {
        mark::marks(self, text, query)
    }

    /// What is said in `text`, and how often.
    pub fn statistics(&self, text: &str) -> Statistics {
        let (mut names, mut others) = (Counts::default(), Counts::default());
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
        Statistics { length, names: names.sorted(), frequent }
    }

    fn pieces(&self, folded: &Folded) -> Vec<Piece> {
        let characters = &folded.characters;
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < characters.len() {
            let end = match self.names.match_at(characters, at) {
                Some(length) => {
                    pieces.push(Piece { range: at..at + length, kind: WordKind::Name });
                    at + length
                }
                None => {
                    let end = self.end_of_run(characters, at);
                    let kind = match Script::of(characters[at]) {
                        Script::Bordered => Some(WordKind::Bordered),
                        Script::Unbordered => Some(WordKind::Run),
                        Script::None => None,
                    };
                    pieces.extend(kind.map(|kind| Piece { range: at..end, kind }));
                    end
                }
            };
            at = end;
        }
        pieces
    }

    /// Where what is of one kind with the character at `at` ends, or a name begins.
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
struct Piece {
    range: Range<usize>,
    kind: WordKind,
}

/// How words of a script are told apart.
#[derive(PartialEq, Eq)]
enum Script {
    /// By what stands between them.
    Bordered,
    /// Not at all: Chinese characters and kana.
    Unbordered,
    /// It has no words.
    None,
}

impl Script {
    fn of(c: char) -> Self {
        if is_unbordered(c) {
            Self::Unbordered
        } else if c.is_alphanumeric() {
            Self::Bordered
        } else {
            Self::None
        }
    }
}

/// The pairs of neighbouring characters.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    (2..starts.len()).map(move |end| &run[starts[end - 2]..starts[end]])
}

/// Words that are counted by what they have in common when folded, and shown as they were first seen.
#[derive(Default)]
struct Counts<'t>(HashMap<Vec<String>, (&'t str, usize), FxBuildHasher>);

impl<'t> Counts<'t> {
    fn add(&mut self, word: &'t str) {
        self.0.entry(terms(word)).or_insert((word, 0)).1 += 1;
    }

    /// The most frequent first, then by their letters.
    fn sorted(self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> =
            self.0.into_values().map(|(word, count)| (word.to_owned(), count)).collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }
}
