//! Things that change hands more than once in a text.

use crate::predicate::{self, PredicateRole};
use crate::{Fact, Mode};

/// Returns for each fact how often the text tells before that its subject returned to the state before it: for one that gives
/// away a thing, how often it got the thing, and the other way round.
pub(super) fn returns_before<'f>(facts: impl Iterator<Item = &'f Fact>) -> Vec<usize> {
    let changes: Vec<Option<ChangeOfHands<'_>>> = facts.map(ChangeOfHands::of).collect();
    let count = |change: &Option<ChangeOfHands<'_>>| {
        let Some(change) = change else { return 0 };
        changes.iter().flatten().filter(|other| other.is_return_before(change)).count()
    };
    changes.iter().map(count).collect()
}

/// A fact of somebody who gets a thing or gives it away.
struct ChangeOfHands<'f> {
    subject: &'f str,
    thing: &'f str,
    is_gain: bool,
    /// Where its sentence begins.
    start: u32,
}

impl<'f> ChangeOfHands<'f> {
    /// Returns the change that a fact states as happening.
    fn of(fact: &'f Fact) -> Option<Self> {
        let is_gain = match predicate::find(&fact.predicate)?.role? {
            PredicateRole::Getting => true,
            PredicateRole::Parting => false,
            _ => return None,
        };
        let start = fact.source.as_ref()?.start?;
        let thing = fact.object.as_deref()?;
        (fact.mode == Mode::Narrated).then_some(Self { subject: &fact.subject, thing, is_gain, start })
    }

    /// Returns whether this one is told before `other` and the contrary of it.
    fn is_return_before(&self, other: &ChangeOfHands<'_>) -> bool {
        (self.subject, self.thing) == (other.subject, other.thing)
            && self.is_gain != other.is_gain
            && self.start < other.start
    }
}
