//! Matching of sentences to questions by form.
//!
//! A question is parsed as a statement with a gap: the words before the gap, the words after, and the kind of answer. A
//! sentence answers only if the narration makes the same statement, verbatim apart from particles and inflection, with
//! the gap filled by the right kind: an age is a number of years, a place has the form of a place. Questions,
//! negations, suppositions, dreams and direct speech are no answers, nor are pronouns.
//!
//! Many sentences with the answer in other words are not recognized. A sentence with merely the same words is never
//! accepted.

mod answer;
mod en;
mod zh;

use qingyu_story::Language;

/// A question parsed as a statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClauseQuestion {
    Chinese(zh::ChineseForm),
    English(en::EnglishForm),
}

impl ClauseQuestion {
    /// Parses a question; returns `None` for an unknown form.
    pub(crate) fn asked_by(question: &str) -> Option<Self> {
        match Language::of(question) {
            Language::Zh => zh::ChineseForm::of(question).map(Self::Chinese),
            Language::En => en::EnglishForm::of(question).map(Self::English),
        }
    }

    /// Returns whether the sentence makes the statement, with the gap filled.
    pub(crate) fn is_made_by(&self, sentence: &str) -> bool {
        match self {
            Self::Chinese(form) => form.fits(sentence),
            Self::English(form) => form.fits(sentence),
        }
    }
}

#[cfg(test)]
mod tests;
