//! All figures of a text.

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dialogue::Dialogue;
use super::emotion::Emotion;
use super::lengths::Lengths;
use super::pace::Pace;
use super::quotes::{Quote, Shown};
use super::readability::Readability;
use super::variety::Variety;

/// Everything that is counted in one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// The language of most of it.
    pub language: Language,
    /// The length, as editors count: in Chinese, characters with punctuation; in English, words.
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

impl Figures {
    /// Returns the quotes illustrating `what`.
    pub fn quotes_of(&self, what: Shown) -> impl Iterator<Item = &Quote> {
        self.quotes.iter().filter(move |quote| quote.shows == what)
    }
}
