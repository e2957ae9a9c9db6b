//! Prose as an editor reads it: paragraphs, sentences, speech, and the slips in one text. Knows no story.
//!
//! - [`Prose`]: one text, read once in linear time; depends on nothing but the text, so it can be kept as long as that
//! - `reader`: where paragraphs, sentences and speech begin and end
//! - `layout`: speech that begins with a dash, captions and verse
//! - `punctuation`, `english`, `rhythm`, `phrases`, `dialogue`, `leftovers`: the slips that one text shows by itself
//! - `similes`, `sketch`: what is compared between texts; `lexicon`: all words that are sought, in one pass
//! - [`Manuscript`]: the texts of a book, each read again only when it changed
//!
//! Chinese and English are told apart place by place: a mark counts as Chinese when it stands after a Chinese character.

mod dialogue;
mod english;
mod layout;
mod leftovers;
mod lexicon;
mod manuscript;
mod phrases;
mod punctuation;
mod reader;
mod rhythm;
mod similes;
pub(crate) mod sketch;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::Language;

pub use manuscript::{Chapter, Manuscript};
pub use phrases::{Phrase, phrases};
pub use similes::Simile;
pub use sketch::Sketch;

/// A text, read. All ranges are bytes of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prose {
    /// The language of most of it.
    pub language: Language,
    /// Chinese characters and Latin words.
    pub length: usize,
    /// The lines that are not blank.
    pub paragraphs: Vec<Paragraph>,
    /// The sentences of all paragraphs.
    pub sentences: Vec<Sentence>,
    /// What stands between quotation marks; quotes within quotes are part of the outer one.
    pub speeches: Vec<Speech>,
    /// Comparisons, for finding those that come again.
    pub similes: Vec<Simile>,
    /// The stock phrases in it, as positions in [`phrases`].
    pub phrases: Vec<(usize, Range<usize>)>,
    /// What is wrong in it, in order of the kinds.
    pub slips: Vec<Slip>,
    /// The mark that opens a speech which the text never closes, if it ends inside one.
    pub open_at_end: Option<usize>,
}

/// A paragraph: a line, without the white space around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// Its bytes.
    pub range: Range<usize>,
    /// Its sentences, as positions in [`Prose::sentences`].
    pub sentences: Range<usize>,
    /// Chinese characters and Latin words.
    pub length: usize,
}

/// A sentence, with its closing marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its bytes.
    pub range: Range<usize>,
    /// Chinese characters and Latin words.
    pub length: usize,
    /// A hash of its letters without marks, case and spaces: the same words give the same shape.
    pub shape: u64,
    /// A hash of its first two Chinese characters, or of its first word.
    pub opening: u64,
    /// Whether it is told, asked or shouted by somebody rather than narrated, in whole or in part.
    pub voice: Voice,
    /// What it has in common with sentences that are nearly the same; only of long narrated ones.
    pub sketch: Option<Sketch>,
}

/// Who speaks in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The narrator alone.
    Narrated,
    /// The narrator, with something between quotation marks.
    Mixed,
    /// It begins inside quotation marks.
    Spoken,
    /// It stands apart from the prose: a caption or verse.
    Apart,
}

/// What stands between quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speech {
    /// Its bytes, with both marks.
    pub range: Range<usize>,
    /// The opening mark.
    pub opener: char,
}

/// Something wrong at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// What is wrong.
    pub kind: SlipKind,
    /// Where.
    pub range: Range<usize>,
    /// What certainly should stand there; none if only the author can tell.
    pub with: Option<String>,
}

/// What can be wrong in a text by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SlipKind {
    /// Paragraphs that begin with the same words.
    SameParagraphOpening,
    /// Neighbouring sentences that begin alike.
    SameOpening,
    /// Neighbouring sentences of the same length.
    SameLength,
    /// A sentence without end.
    EndlessSentence,
    /// A page without a paragraph.
    WallOfText,
    /// A string of fragments.
    Telegraphic,
    /// Half-width marks in Chinese.
    HalfWidth,
    /// Quotation marks or brackets without their other half.
    Unbalanced,
    /// A mark that stands twice.
    DoubledMark,
    /// An ellipsis or a dash of the wrong form.
    EllipsisOrDash,
    /// Spaces between Chinese characters.
    SpaceInChinese,
    /// Speech in a second style of quotation marks.
    MixedQuotes,
    /// An English word that stands twice.
    DoubledWord,
    /// A space before an English mark.
    SpaceBeforeMark,
    /// Speech tags that say how, one after the other.
    TagAdverbs,
    /// Talk of the machine that wrote it.
    MachineTalk,
    /// Markup.
    Markup,
    /// A place left to be filled.
    Placeholder,
}

impl Prose {
    /// Reads `text`.
    pub fn of(text: &str) -> Self {
        let mut prose = reader::read(text);
        let found = lexicon::find(text);
        prose.phrases = lexicon::phrases_of(&found);
        prose.similes = similes::of(text, &found);
        dialogue::look(text, &mut prose, &found);
        leftovers::look(text, &mut prose, &found);
        punctuation::look(text, &mut prose);
        english::look(text, &mut prose);
        rhythm::look(text, &mut prose);
        sketch::draw(text, &mut prose);
        prose.slips.sort_by_key(|slip| (slip.kind, slip.range.start, slip.range.end));
        prose
    }

    /// The slips of one kind, from the beginning of the text to its end.
    pub fn slips(&self, kind: SlipKind) -> &[Slip] {
        let from = self.slips.partition_point(|slip| slip.kind < kind);
        let until = self.slips.partition_point(|slip| slip.kind <= kind);
        &self.slips[from..until]
    }

    /// Whether the byte at `at` is inside quotation marks.
    pub fn is_spoken(&self, at: usize) -> bool {
        let next = self.speeches.partition_point(|speech| speech.range.start <= at);
        next.checked_sub(1).is_some_and(|speech| self.speeches[speech].range.contains(&at))
    }

    fn slip(&mut self, kind: SlipKind, range: Range<usize>, with: impl Into<Option<String>>) {
        self.slips.push(Slip { kind, range, with: with.into() });
    }
}

/// Mixes one letter into a hash. Not for secrets; the same on every machine.
pub(crate) fn mix(hash: u64, letter: char) -> u64 {
    (hash.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
