//! The words of a text, for what needs words and not [terms](crate::analysis): what a question names, what is marked in a
//! hit, how often something is said.
//!
//! Names of the story are words wherever they stand. What lies between them is cut by the dictionary of jieba (350,000
//! words, the most probable path through them) if the feature `jieba` is on; it is unpacked once, when the first text is
//! cut, which takes 0.2 s. Without it a run of Chinese characters stays whole, and marks and counts go by pairs of
//! characters. Search itself goes by pairs either way: for ranking they are better than words.

mod dictionary;
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
    has_dictionary: bool,
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
    /// A word with a meaning of its own.
    Content,
    /// A word that holds others together: 的, 曾经, 谁. Only the dictionary knows them.
    Function,
    /// Chinese characters that nobody has cut, for want of a dictionary.
    Run,
}

/// How often something is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The length of the text as an editor counts: Chinese characters, and words of other scripts.
    pub length: usize,
    /// Names, those that are said most first.
    pub names: Vec<(String, usize)>,
    /// Words with a meaning of their own that are said more than once, the most frequent first, at most 50; without a
    /// dictionary, pairs of characters.
    pub frequent: Vec<(String, usize)>,
}

impl Words {
    /// Words with these names and aliases, cut by the dictionary if this build has one.
    ///
    /// A name of a single Chinese character is not sought, because it is part of too many words.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self { names: SoughtNames::new(names), has_dictionary: dictionary::IS_THERE }
    }

    /// The same without the dictionary, for where 0.2 s are too much.
    pub fn without_dictionary(self) -> Self {
        Self { has_dictionary: false, ..self }
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
    /// A word is marked also within a longer one that begins or ends with it, but not across the border of two others
    /// (学生 in 大学|生活). Function words are marked only if nothing else is asked for. Without a dictionary every pair of
    /// characters of the query is marked.
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
                WordKind::Content => others.add(word.text),
                WordKind::Run => pairs(word.text).for_each(|pair| others.add(pair)),
                WordKind::Function => {}
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
                    self.cut_run(characters, at..end, &mut pieces);
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

    fn cut_run(&self, characters: &[char], range: Range<usize>, pieces: &mut Vec<Piece>) {
        match Script::of(characters[range.start]) {
            Script::None => {}
            Script::Bordered => pieces.push(Piece { range, kind: WordKind::Content }),
            Script::Unbordered if self.has_dictionary => {
                for (word, kind) in dictionary::cut(&characters[range.clone()].iter().collect::<String>()) {
                    pieces.push(Piece { range: range.start + word.start..range.start + word.end, kind });
                }
            }
            Script::Unbordered => pieces.push(Piece { range, kind: WordKind::Run }),
        }
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
