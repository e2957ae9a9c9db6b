//! The order of statements: by their times, and within a chapter by their sentences.

use super::{GroundTruth, TruthStatement};
use crate::names::fold;

impl<'s> GroundTruth<'s> {
    /// Returns whether the first statement certainly begins before the second: by their times, and within one chapter by
    /// the places of their sentences.
    pub(crate) fn begins_earlier(&self, first: &TruthStatement<'s>, second: &TruthStatement<'s>) -> bool {
        if let (Some(a), Some(b)) = (first.span.from, second.span.from) {
            return if a == b { self.is_above(first, second) } else { self.timeline.is_before(a, b) };
        }
        match (first.order, second.order) {
            (Some(a), Some(b)) if a == b => self.is_above(first, second),
            (Some(a), Some(b)) => a < b,
            _ => false,
        }
    }

    /// Returns the document of a statement, and where its sentence begins.
    pub(crate) fn sentence_of(&self, statement: &TruthStatement<'s>) -> Option<(&'s str, u32)> {
        let source = self.asserting(statement)?.source.as_ref()?;
        Some((source.document.as_str(), source.start?))
    }

    /// Returns whether the sentence of the first statement precedes that of the second in one document.
    fn is_above(&self, first: &TruthStatement<'s>, second: &TruthStatement<'s>) -> bool {
        match (self.sentence_of(first), self.sentence_of(second)) {
            (Some((a, from)), Some((b, to))) => fold(a) == fold(b) && from < to,
            _ => false,
        }
    }
}
