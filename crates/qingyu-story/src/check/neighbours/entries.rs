//! The names in one fact.

use super::keys::Spelling;
use crate::predicate::{self, Predicate, PredicateRole, ValueKind};

/// The names in a fact, and the class of its word.
#[derive(Debug)]
pub(in crate::check) struct FactEntry {
    pub(super) id: Option<Box<str>>,
    pub(super) subject: Spelling,
    pub(super) object: Option<Spelling>,
    /// The characters knowing, telling, saying or believing the fact.
    pub(super) minds: Vec<Spelling>,
    pub(super) word: u32,
    /// The event starting the fact's validity.
    pub(super) begins: Option<usize>,
    pub(super) class: Class,
    /// Whether the fact is marked as untrue.
    pub(super) is_lie: bool,
}

/// The subject area of words, where rules compare different words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Class {
    /// Holding and using things, and the later history of things.
    Things,
    /// Counts.
    Numbers,
    /// Sizes of persons and things, and other numbers without additions.
    Measures,
    /// Knowing, learning, saying and denying facts.
    Minds,
    Forgetting,
    Death,
    Membership,
    Places,
    /// Falls, seals, fights and their means: what explains a place on a ladder.
    Fights,
    Other,
}

impl Class {
    pub(super) fn of(word: Option<&Predicate>) -> Self {
        match word.and_then(|word| word.role) {
            Some(
                PredicateRole::Holding
                | PredicateRole::Getting
                | PredicateRole::Parting
                | PredicateRole::Use
                | PredicateRole::Destruction
                | PredicateRole::Repair,
            ) => Self::Things,
            Some(PredicateRole::Amount | PredicateRole::Gain | PredicateRole::Spending) => Self::Numbers,
            Some(
                PredicateRole::Knowing | PredicateRole::Learning | PredicateRole::Speaking | PredicateRole::Denial,
            ) => Self::Minds,
            Some(PredicateRole::Forgetting) => Self::Forgetting,
            Some(PredicateRole::Death | PredicateRole::Killing | PredicateRole::Revival) => Self::Death,
            Some(PredicateRole::Membership) => Self::Membership,
            Some(
                PredicateRole::Fall
                | PredicateRole::Seal
                | PredicateRole::Leap
                | PredicateRole::Victory
                | PredicateRole::Weakness
                | PredicateRole::Means,
            ) => Self::Fights,
            Some(PredicateRole::Place | PredicateRole::Within | PredicateRole::Origin) => Self::Places,
            None if word.is_some_and(|word| word.value == ValueKind::Number) => Self::Measures,
            Some(PredicateRole::Age) | None => Self::Other,
        }
    }
}

/// Predicates restricted to living subjects, in addition to the classes of words.
const OF_THE_LIVING: [&str; 2] = ["takes_part", "married_to"];

impl FactEntry {
    /// Returns whether the fact may describe an act of the living.
    pub(super) fn may_be_deed(&self) -> bool {
        let of_class =
            matches!(self.class, Class::Things | Class::Minds | Class::Death | Class::Membership | Class::Places);
        of_class
            || predicate::all().get(self.word as usize).is_some_and(|word| OF_THE_LIVING.contains(&word.name.as_str()))
    }

    /// Returns whether the fact may place somebody on a ladder, count what steps cost, or explain either.
    pub(super) fn may_be_of_ladder(&self) -> bool {
        let is_own_word = predicate::all().get(self.word as usize).is_none();
        let is_rank = predicate::all().get(self.word as usize).is_some_and(|word| word.value == ValueKind::Text);
        is_own_word
            || is_rank
            || matches!(self.class, Class::Fights | Class::Numbers | Class::Measures | Class::Things | Class::Death)
    }

    /// Iterates over all names in the fact.
    pub(super) fn spellings(&self) -> impl Iterator<Item = Spelling> {
        [self.subject].into_iter().chain(self.object).chain(self.minds.iter().copied())
    }
}
