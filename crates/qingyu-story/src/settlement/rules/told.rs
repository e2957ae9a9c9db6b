//! Found statements as extracted facts.

use serde_json::Value;

use super::forms::FoundStatement;
use super::stretches::{AttributedSentence, LineVoice};
use crate::Mode;
use crate::settlement::extraction::ToldFact;

/// The confidence of statements found by the rules.
pub(super) const SURE: f32 = 0.9;

/// Returns a statement without a time or an object. `mode` and `by` say how and by whom it is told.
pub(super) fn extraction_of(
    stretch: &AttributedSentence<'_>,
    subject: &str,
    predicate: &str,
    value: Value,
    (mode, by): (Mode, Option<String>),
) -> ToldFact {
    let (subject, predicate) = (subject.to_owned(), predicate.to_owned());
    let found = FoundStatement { subject, predicate, object: None, value, unit: String::new(), mode, by };
    told(found, stretch, "")
}

/// Converts a found statement to an extracted fact. Statements in speech get the mode `said`, overriding any other
/// mode.
pub(super) fn told(found: FoundStatement, stretch: &AttributedSentence<'_>, when: &str) -> ToldFact {
    let FoundStatement { subject, predicate, object, value, unit, mode, by } = found;
    let (mode, by) = match &stretch.voice {
        LineVoice::Narrator => (mode, by),
        LineVoice::Speaker(by) => (Mode::Said, by.clone()),
    };
    let from = if predicate == "birth" { String::new() } else { when.to_owned() };
    ToldFact {
        subject,
        predicate,
        object,
        value,
        unit,
        from,
        mode,
        by,
        quote: stretch.words.trim().to_owned(),
        confidence: SURE,
        ..ToldFact::default()
    }
}
