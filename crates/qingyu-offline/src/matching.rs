//! Whether a sentence answers a question, by its form.
//!
//! A question is read as a statement with a gap: what stands before the gap, what stands after it, and what kind of answer
//! fills it. A sentence answers only if the narration says the same statement, word for word but for particles and forms of
//! words, and the gap is filled with that kind: an age is a number of years, a place stands in the form of a place. What is
//! asked, denied, supposed, dreamt or only said by somebody answers nothing, and neither does a pronoun.
//!
//! Many sentences that answer a question in other words are not recognised. None that merely shares its words is.

mod en;
mod zh;

use qingyu_story::Language;
use qingyu_story::marks;

/// What fills the gap of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerKind {
    /// Somebody.
    Person,
    /// What somebody or something is called.
    Name,
    /// Where.
    Place,
    /// When.
    Time,
    /// How old.
    Age,
    /// How many.
    Number,
    /// Which colour.
    Colour,
    /// Anything else that is named.
    Thing,
    /// Why; nothing stands in the gap itself.
    Reason,
    /// Whether it is so; there is no gap.
    Truth,
}

/// A question that sentences can be held against.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Chinese(zh::ChineseForm),
    English(en::EnglishForm),
}

impl Statement {
    /// Reads a question; `None` if its form is not one of those that are known.
    pub(crate) fn asked_by(question: &str) -> Option<Self> {
        match Language::of(question) {
            Language::Zh => zh::ChineseForm::of(question).map(Self::Chinese),
            Language::En => en::EnglishForm::of(question).map(Self::English),
        }
    }

    /// Whether the sentence makes the statement, with the gap filled.
    pub(crate) fn is_made_by(&self, sentence: &str) -> bool {
        match self {
            Self::Chinese(form) => form.fits(sentence),
            Self::English(form) => form.fits(sentence),
        }
    }
}

/// The parts of a sentence that the narrator tells, without what stands between quotation marks.
fn narrated(sentence: &str) -> Vec<String> {
    marks::outside_quotes(sentence)
}

/// Whether the sentence asks something itself.
fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches(|c: char| c == ' ' || marks::is_quote(c)).ends_with(['?', '？'])
}

#[cfg(test)]
mod tests;
