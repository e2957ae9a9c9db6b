//! A parsed text as data.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Language;

/// A parsed text. All ranges are byte ranges of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prose {
    /// The main language.
    pub language: Language,
    /// The number of Chinese characters and Latin words, a measure of style; for the length of a text see
    /// [`editors_count`](super::editors_count).
    pub length: usize,
    /// The non-blank lines.
    pub paragraphs: Vec<ProseParagraph>,
    /// The sentences of all paragraphs.
    pub sentences: Vec<ProseSentence>,
    /// The quoted speeches; nested quotes belong to the outer speech.
    pub speeches: Vec<Speech>,
    /// The comparisons, for finding repetitions.
    pub(crate) similes: Vec<Simile>,
    /// The stock phrases, each with the number for [`phrase_weight`](super::phrase_weight).
    pub phrases: Vec<(usize, Range<usize>)>,
    /// The slips, ordered by kind.
    pub slips: Vec<ProseSlip>,
    /// The byte index of the mark opening a speech never closed before the end of the text.
    pub open_at_end: Option<usize>,
    /// How the text ends; `None` for a text without sentences.
    pub(crate) ending: Option<ProseEnding>,
}

/// The end of a text, by the form of its last sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProseEnding {
    /// The byte range of the last sentence.
    pub(crate) range: Range<usize>,
    /// The way in which it ends; `None` if the form says nothing.
    pub(crate) kind: Option<EndingKind>,
    /// Whether it certainly leaves nothing open.
    pub(crate) is_closed: bool,
}

/// A way in which a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndingKind {
    /// A question, asked by the narrator or aloud.
    Question,
    /// Words that trail off or are cut short.
    BrokenOff,
    /// Somebody falls asleep or loses consciousness.
    Sleep,
    /// Somebody leaves.
    Exit,
    /// Somebody or something arrives suddenly.
    Arrival,
    /// The narrator says what is to come.
    Forecast,
    /// All is calm.
    Calm,
}

/// A way in which a text begins, by the form of its first sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpeningKind {
    /// Somebody speaks.
    Speech,
    /// The narrator asks.
    Question,
    /// Somebody or something arrives suddenly.
    Arrival,
    /// Somebody leaves.
    Exit,
    /// The narrator says what is to come.
    Forecast,
    /// All is calm.
    Calm,
    /// The narrator tells; the form says no more.
    Narration,
}

/// A paragraph: a line without surrounding white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseParagraph {
    /// The byte range.
    pub range: Range<usize>,
    /// The sentences, as indices into [`Prose::sentences`].
    pub sentences: Range<usize>,
    /// The number of Chinese characters and Latin words.
    pub length: usize,
}

/// A sentence, including closing marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseSentence {
    /// The byte range.
    pub range: Range<usize>,
    /// The number of Chinese characters and Latin words.
    pub length: usize,
    /// A hash of the letters, ignoring marks, case and spaces: equal words have an equal shape.
    pub shape: u64,
    /// A hash of the first two Chinese characters, or of the first word.
    pub opening: u64,
    /// Whether the sentence is speech or narration, in whole or in part.
    pub voice: SentenceVoice,
    /// A sketch for finding near-duplicates; only for long narrated sentences.
    pub(crate) sketch: Option<SentenceSketch>,
}

/// The speaker of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentenceVoice {
    /// Only the narrator.
    Narrated,
    /// The narrator, with quoted words.
    Mixed,
    /// The sentence begins inside quotation marks.
    Spoken,
    /// The sentence is set apart from the prose: a caption or verse.
    Apart,
}

/// A quoted speech.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speech {
    /// The byte range, including both marks.
    pub range: Range<usize>,
    /// The opening mark.
    pub opener: char,
}

/// A slip at one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseSlip {
    /// The kind of slip.
    pub kind: SlipKind,
    /// The byte range.
    pub range: Range<usize>,
    /// The certain replacement; `None` if only the author can decide.
    pub with: Option<String>,
}

/// The kind of a slip found within a single text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SlipKind {
    /// Paragraphs beginning with the same words.
    SameParagraphOpening,
    /// Neighbouring sentences with the same beginning.
    SameOpening,
    /// Neighbouring sentences of the same length.
    SameLength,
    /// An endless sentence.
    EndlessSentence,
    /// A page without paragraph breaks.
    WallOfText,
    /// A sequence of fragments.
    Telegraphic,
    /// Half-width marks in Chinese.
    HalfWidth,
    /// Unmatched quotation marks or brackets.
    Unbalanced,
    /// A duplicate mark.
    DoubledMark,
    /// An ellipsis or a dash of the wrong form.
    EllipsisOrDash,
    /// Spaces between Chinese characters.
    SpaceInChinese,
    /// Speech in a second style of quotation marks.
    MixedQuotes,
    /// A duplicate English word.
    DoubledWord,
    /// A space before an English mark.
    SpaceBeforeMark,
    /// Consecutive speech tags with adverbs.
    TagAdverbs,
    /// Remarks of a language model about itself.
    MachineTalk,
    /// Markup.
    Markup,
    /// Bold type: the author's emphasis, or a habit of a language model.
    Bold,
    /// A placeholder left in the text.
    Placeholder,
}

impl Prose {
    /// Returns the way in which the text ends; `None` if its form says nothing.
    pub fn ending_kind(&self) -> Option<EndingKind> {
        self.ending.as_ref().and_then(|ending| ending.kind)
    }

    /// Returns the byte ranges of the comparisons, each from its marker to the end of the image.
    pub fn comparisons(&self) -> impl Iterator<Item = &Range<usize>> {
        self.similes.iter().map(|simile| &simile.range)
    }

    /// Returns the slips of one kind, in text order.
    pub fn slips(&self, kind: SlipKind) -> &[ProseSlip] {
        let from = self.slips.partition_point(|slip| slip.kind < kind);
        let until = self.slips.partition_point(|slip| slip.kind <= kind);
        &self.slips[from..until]
    }

    /// Returns whether the byte at `at` is inside quotation marks.
    pub fn is_spoken(&self, at: usize) -> bool {
        let next = self.speeches.partition_point(|speech| speech.range.start <= at);
        next.checked_sub(1).is_some_and(|speech| self.speeches[speech].range.contains(&at))
    }

    pub(super) fn slip(&mut self, kind: SlipKind, range: Range<usize>, with: impl Into<Option<String>>) {
        self.slips.push(ProseSlip { kind, range, with: with.into() });
    }
}

/// A comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Simile {
    /// The byte range from the marker to the end of the image.
    pub(crate) range: Range<usize>,
    /// A hash of the image.
    pub(crate) image: u64,
}

pub(crate) const BANDS: usize = 4;

/// The minimum hash of each band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SentenceSketch(pub(crate) [u64; BANDS]);
