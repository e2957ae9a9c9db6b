//! Kinds of answers, and the sentences that can be answers.

use qingyu_story::marks;

/// The kind of answer in the gap of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerKind {
    /// A person.
    Person,
    /// A name.
    Name,
    /// A place.
    Place,
    /// A time.
    Time,
    /// An age.
    Age,
    /// A number.
    Number,
    /// A colour.
    Colour,
    /// Any other named thing.
    Thing,
    /// A reason; the gap itself is empty.
    Reason,
    /// Yes or no; without a gap.
    Truth,
}

/// Returns the narrated parts of a sentence, without direct speech.
pub(super) fn narrated(sentence: &str) -> Vec<String> {
    marks::outside_quotes(sentence)
}

/// Returns whether the sentence is a question.
pub(super) fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches(|c: char| c == ' ' || marks::is_quote(c)).ends_with(['?', '？'])
}
