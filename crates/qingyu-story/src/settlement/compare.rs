//! Where a reader's extraction and what the rules find in the same text disagree.

use serde::Serialize;

use super::extraction::{Extraction, ToldFact};
use super::reconcile::word;
use super::{Config, rules};
use crate::edit::Error;
use crate::names::{Names, fold};
use crate::part::ENTITIES;
use crate::predicate::{self, Role};
use crate::{Fact, Mode, Story};

/// A statement that the rules found and that an extraction lacks or makes otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    /// What the rules found.
    pub fact: ToldFact,
    /// The place in the extraction's facts of the statement that says otherwise; none if it says nothing of it.
    pub against: Option<usize>,
}

/// What the rules find of ages, births, numbers and deaths in a document and `extraction` leaves out or says otherwise.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] if no one document is of that id or title.
pub fn check_extraction(story: &Story, document: &str, extraction: &Extraction) -> Result<Vec<Disagreement>, Error> {
    let found = rules::extract(story, document)?;
    let names = Names::of(story);
    let disagreements = found.facts.into_iter().filter(is_checked).filter_map(|fact| {
        let about = |other: &&ToldFact| {
            is_same_name(&names, &other.subject, &fact.subject)
                && word(&other.predicate) == word(&fact.predicate)
                && other.object.as_deref().map(fold) == fact.object.as_deref().map(fold)
                && (other.mode == Mode::Narrated) == (fact.mode == Mode::Narrated)
        };
        let told: Vec<&ToldFact> = extraction.facts.iter().filter(about).collect();
        let agrees = told.iter().any(|other| same_value(other, &fact)) || is_dead(extraction, &names, &fact);
        let against =
            told.first().and_then(|first| extraction.facts.iter().position(|other| std::ptr::eq(other, *first)));
        (!agrees).then_some(Disagreement { fact, against })
    });
    Ok(disagreements.collect())
}

/// The extraction with what the rules found: what it leaves out is added as sure as the rules are, what it says otherwise
/// so doubtful that the author is asked.
pub fn complete(mut extraction: Extraction, disagreements: &[Disagreement], config: Config) -> Extraction {
    for Disagreement { fact, against } in disagreements {
        let confidence = if against.is_some() { config.ask / 2.0 } else { fact.confidence };
        extraction.facts.push(ToldFact { confidence, ..fact.clone() });
    }
    extraction
}

fn is_checked(fact: &ToldFact) -> bool {
    let word = predicate::find(&fact.predicate);
    let is_number = fact.value.is_number();
    word.is_some_and(|word| is_number || word.name == "birth" || matches!(word.role, Some(Role::Death | Role::Age)))
}

fn is_same_name(names: &Names, a: &str, b: &str) -> bool {
    fold(a) == fold(b)
        || ENTITIES.iter().any(|kind| names.resolve(*kind, a).is_some_and(|a| names.resolve(*kind, b) == Some(a)))
}

/// Whether the extraction tells the death as an event.
fn is_dead(extraction: &Extraction, names: &Names, fact: &ToldFact) -> bool {
    let is_death = predicate::find(&fact.predicate).is_some_and(|word| word.role == Some(Role::Death));
    let mut dead = extraction.events.iter().filter(|event| event.mode == fact.mode).flat_map(|event| &event.deaths);
    is_death && dead.any(|name| is_same_name(names, name, &fact.subject))
}

fn same_value(a: &ToldFact, b: &ToldFact) -> bool {
    let fact = |told: &ToldFact| Fact {
        predicate: told.predicate.clone(),
        value: told.value.clone(),
        unit: told.unit.clone(),
        ..Fact::default()
    };
    let (a, b) = (fact(a), fact(b));
    let is_time = predicate::find(&a.predicate).is_some_and(|word| word.value == predicate::ValueKind::Time);
    match a.value.as_str().zip(b.value.as_str()).filter(|_| is_time) {
        // Two dates agree if one lies in the other.
        Some((one, other)) => {
            let moments = crate::time::parse(one).moment().zip(crate::time::parse(other).moment());
            moments.map_or(fold(one) == fold(other), |(one, other)| !one.is_before(&other) && !other.is_before(&one))
        }
        None => super::reconcile::same_value(&a, &b),
    }
}
