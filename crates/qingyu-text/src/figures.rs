//! What can be counted in a text: lengths, dialogue, variety, pace, emotion, readability, and the sentences that show it.
//!
//! - [`Meter`]: the lists and numbers, and the one pass over a text
//! - [`lengths`], [`dialogue`], [`variety`], [`pace`], [`emotion`], [`readability`]: one family of figures each
//! - `finder`: words of a list in a text; `segments`: the text in even parts
//!
//! Lengths are Chinese characters and Latin words, as an editor counts; ranges are bytes of the text.

pub mod dialogue;
pub mod emotion;
pub(crate) mod finder;
pub mod lengths;
mod meter;
pub mod pace;
mod quotes;
pub mod readability;
mod segments;
#[cfg(test)]
mod tests;
pub mod variety;

use std::ops::Range;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use dialogue::{Dialogue, Speaker, SpeechWords};
pub use emotion::{Emotion, EmotionPoint, Feeling, FeltWord, Lexicon};
pub use lengths::{Bin, Lengths};
pub use meter::{Lists, Material, Meter};
pub use pace::{Pace, PacePoint, PaceWords};
pub use readability::{Ease, Formula, HardWords, Readability};
pub use variety::{Segmenter, Unit, Variety};

/// Everything that is counted in one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// The language of most of it.
    pub language: Language,
    /// Chinese characters and Latin words.
    pub length: usize,
    /// How long the sentences are.
    pub sentences: Lengths,
    /// How long the paragraphs are.
    pub paragraphs: Lengths,
    /// What is spoken, and by whom.
    pub dialogue: Dialogue,
    /// How varied the words are.
    pub variety: Variety,
    /// How easily it reads.
    pub readability: Readability,
    /// How quick it is, along the text.
    pub pace: Pace,
    /// What is felt, along the text.
    pub emotion: Emotion,
    /// The sentences that show it.
    pub quotes: Vec<Quote>,
}

/// A place of the text that shows a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quote {
    /// What it shows.
    pub shows: Shown,
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The words.
    pub text: String,
    /// The figure: a length, a strength of feeling, or a pace.
    pub value: f64,
}

/// What a quote shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The longest sentence.
    LongestSentence,
    /// The longest paragraph, by its first sentence.
    LongestParagraph,
    /// The sentence with the most good feeling.
    MostPositive,
    /// The sentence with the most bad feeling.
    MostNegative,
    /// A sentence with much feeling of any kind.
    Emotional,
    /// The first sentence of the quickest part.
    Quickest,
    /// The first sentence of the slowest part.
    Slowest,
}

impl Figures {
    /// The quotes that show `what`.
    pub fn quotes_of(&self, what: Shown) -> impl Iterator<Item = &Quote> {
        self.quotes.iter().filter(move |quote| quote.shows == what)
    }
}

/// A number for people and wires: three digits after the point, and never minus nothing.
pub(crate) fn rounded(number: f64) -> f64 {
    if number.is_finite() { (number * 1000.0).round() / 1000.0 + 0.0 } else { 0.0 }
}

/// A part of a whole, from 0 to 1; 0 of nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 / whole as f64) }
}
