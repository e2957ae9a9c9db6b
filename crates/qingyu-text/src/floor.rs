//! The floor under chapters: minimum requirements for a chapter, regardless of a review.
//!
//! - [`Floor`]: the thresholds, and [`Floor::examine`], which returns every [`Shortfall`] of a [`ChapterCandidate`]
//! - `language`, `refusal`, `marks`, `ending`, `likeness`: a kind of shortfall each
//! - [`talk`]: a model's own words around the prose, also used for cleaning answers
//! - `lexicon`: the words of `data/floor.toml`
//!
//! The floor does not judge quality. A text above the floor may be bad; a text below is not a chapter of the book, or
//! incomplete. All checks are linear in the text, the likeness also in the other chapters.

mod ending;
mod language;
mod lexicon;
mod likeness;
mod marks;
mod refusal;
pub mod talk;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use qingyu_story::prose::editors_count;
use qingyu_story::{Language, Prose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::messages::message;
use likeness::Shingles;

/// The thresholds of the floor, in percent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Floor {
    /// The least length of a chapter, of what was planned; 0 allows any.
    pub length: u8,
    /// The most of a chapter that may be in another language than the book.
    pub foreign: u8,
    /// The most of a chapter that may stand in one other chapter of the book.
    pub likeness: u8,
    /// The most of a chapter that may repeat what stands in it already.
    pub repetition: u8,
    /// Kinds of shortfalls that are not looked for.
    pub ignore: Vec<ShortfallKind>,
}

impl Default for Floor {
    fn default() -> Self {
        Self { length: 50, foreign: 30, likeness: 60, repetition: 60, ignore: Vec::new() }
    }
}

/// How a text falls short of being a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShortfallKind {
    /// It is far shorter than planned.
    #[default]
    Length,
    /// It is not in the language of the book.
    Language,
    /// The model refuses, or speaks of the task instead of doing it.
    Refusal,
    /// The model speaks of itself amid the prose.
    Talk,
    /// It has control characters, or marks of a model's template or of a tool call.
    Marks,
    /// It ends in the middle of a sentence.
    Ending,
    /// It is another chapter of the book over again.
    Likeness,
    /// It repeats itself.
    Repetition,
}

impl ShortfallKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Length,
        Self::Language,
        Self::Refusal,
        Self::Talk,
        Self::Marks,
        Self::Ending,
        Self::Likeness,
        Self::Repetition,
    ];

    /// Returns the name used in settings and documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Language => "language",
            Self::Refusal => "refusal",
            Self::Talk => "talk",
            Self::Marks => "marks",
            Self::Ending => "ending",
            Self::Likeness => "likeness",
            Self::Repetition => "repetition",
        }
    }
}

/// One way in which a text falls short, with the words that show it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Shortfall {
    /// How it falls short.
    pub kind: ShortfallKind,
    /// What is wrong, in a line, in the language of the book.
    pub title: String,
    /// What would mend it, likewise.
    pub advice: String,
    /// The words of the text that show it; empty where the text as a whole does.
    pub quote: String,
}

/// A candidate chapter, or the rewritten part of a chapter.
#[derive(Debug, Clone, Copy)]
pub struct ChapterCandidate<'c> {
    /// The text.
    pub text: &'c str,
    /// The language of the book.
    pub language: Language,
    /// The planned Chinese characters or English words; `None` allows any length.
    pub words: Option<u32>,
    /// Whether the text is a whole chapter; a part may end anywhere and resemble anything.
    pub is_whole: bool,
}

impl Floor {
    /// Returns every shortfall of `candidate`, by kind; empty if the text is acceptable as a chapter beside `others`,
    /// the titles and texts of the other chapters.
    pub fn examine<'o>(
        &self,
        candidate: &ChapterCandidate<'_>,
        others: impl IntoIterator<Item = (&'o str, &'o str)>,
    ) -> Vec<Shortfall> {
        let text = candidate.text;
        let prose = Prose::of(text);
        let mut report = ShortfallCollector { language: candidate.language, floor: self, shortfalls: Vec::new() };
        let length = editors_count(text, candidate.language);
        if let Some(wanted) = candidate.words
            && length as u64 * 100 < u64::from(wanted) * u64::from(self.length)
        {
            report.add(ShortfallKind::Length, "", &[("length", length), ("wanted", wanted as usize)]);
        }
        let foreign = language::foreign(text, candidate.language);
        if foreign > usize::from(self.foreign) {
            report.add(ShortfallKind::Language, "", &[("share", foreign)]);
        }
        if let Some(quote) = refusal::refusal(text, &prose) {
            report.add(ShortfallKind::Refusal, quote, &[]);
        } else if let Some(quote) = refusal::aside(text, &prose) {
            report.add(ShortfallKind::Talk, quote, &[]);
        }
        if let Some(quote) = marks::find(text, &prose) {
            report.add(ShortfallKind::Marks, quote, &[]);
        }
        if candidate.is_whole {
            if let Some(quote) = ending::unfinished(text) {
                report.add(ShortfallKind::Ending, quote, &[]);
            }
            self.repeated(text, others, &mut report);
        }
        report.shortfalls
    }

    /// Appends shortfalls for text copied from another chapter, or repeated within the text.
    fn repeated<'o>(
        &self,
        text: &str,
        others: impl IntoIterator<Item = (&'o str, &'o str)>,
        report: &mut ShortfallCollector<'_>,
    ) {
        let shingles = Shingles::of(text);
        let repeated = shingles.repeated();
        if repeated > usize::from(self.repetition) {
            report.add(ShortfallKind::Repetition, "", &[("share", repeated)]);
        }
        if report.is_ignored(ShortfallKind::Likeness) {
            return;
        }
        let shares = others.into_iter().map(|(title, other)| (shingles.shared(other), title));
        if let Some((share, title)) = shares.max().filter(|(share, _)| *share > usize::from(self.likeness)) {
            report.note(ShortfallKind::Likeness, "", &[("share", share.to_string()), ("other", title.to_owned())]);
        }
    }
}

/// A collector of shortfalls.
struct ShortfallCollector<'f> {
    language: Language,
    floor: &'f Floor,
    shortfalls: Vec<Shortfall>,
}

impl ShortfallCollector<'_> {
    fn is_ignored(&self, kind: ShortfallKind) -> bool {
        self.floor.ignore.contains(&kind)
    }

    fn add(&mut self, kind: ShortfallKind, quote: &str, numbers: &[(&str, usize)]) {
        let values: Vec<(&str, String)> = numbers.iter().map(|(name, number)| (*name, number.to_string())).collect();
        self.note(kind, quote, &values);
    }

    /// Appends a shortfall, worded in the language of the book.
    fn note(&mut self, kind: ShortfallKind, quote: &str, values: &[(&str, String)]) {
        if self.is_ignored(kind) {
            return;
        }
        let quoted: String = quote.chars().take(SHOWN).collect();
        let mut values: BTreeMap<String, String> =
            values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        values.insert("quote".to_owned(), quoted);
        let (title, advice) = message(&format!("floor-{}", kind.name()), self.language, &values);
        self.shortfalls.push(Shortfall { kind, title, advice, quote: quote.to_owned() });
    }
}

/// The most characters of a quotation in a title.
const SHOWN: usize = 60;
