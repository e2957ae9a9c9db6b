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

    /// Returns whether the first of two changes of one thing comes before the second: by their times, and where these do not
    /// say, as on one day or in one chapter, by the places at which they are told. In one sentence, what is over is first.
    pub(crate) fn comes_first(&self, first: &TruthStatement<'s>, second: &TruthStatement<'s>) -> bool {
        let place = |one: &TruthStatement<'s>| (self.told(one), one.span.until.is_none(), one.basis);
        match (first.span.from, second.span.from) {
            (Some(a), Some(b)) if !self.timeline.is_ordered_by_telling(a, b) => self.timeline.is_before(a, b),
            _ => place(first) < place(second),
        }
    }

    /// Returns the place of a statement in the order of telling: its chapter, and the start of its sentence.
    pub(super) fn told(&self, statement: &TruthStatement<'s>) -> (u32, u32) {
        (statement.order.unwrap_or(0), self.sentence_of(statement).map_or(0, |(_, start)| start))
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
