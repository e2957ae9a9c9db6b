//! Disagreements between a reader's extraction and the rules' findings in the same text.

use super::extraction::{Extraction, ToldFact};
use super::{Config, rules};
use crate::edit::Error;
use crate::names::{Names, fold};
use crate::part::ENTITIES;
use crate::predicate::{self, PredicateRole, word};
use crate::{Fact, Mode, Story};

/// Returns the extraction of a document with what the rules find in it: statements that it lacks, with the rules' confidence,
/// and different statements, with a confidence so low that the author is asked. Ages, births, numbers and deaths are
/// compared.
///
/// Returns [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the id or title.
pub fn complete(story: &Story, document: &str, extraction: Extraction, config: Config) -> Result<Extraction, Error> {
    let disagreements = check_extraction(story, document, &extraction)?;
    Ok(merge(extraction, &disagreements, config))
}

/// A statement found by the rules, missing or different in an extraction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExtractionDisagreement {
    /// The statement found by the rules.
    pub(super) fact: ToldFact,
    /// The index of the extraction's different fact; `None` if missing.
    pub(super) against: Option<usize>,
}

/// Returns the ages, births, numbers and deaths found by the rules in a document, and missing or different in
/// `extraction`.
///
/// Returns [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the id or title.
pub(super) fn check_extraction(
    story: &Story,
    document: &str,
    extraction: &Extraction,
) -> Result<Vec<ExtractionDisagreement>, Error> {
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
        (!agrees).then_some(ExtractionDisagreement { fact, against })
    });
    Ok(disagreements.collect())
}

/// Appends missing statements with the rules' confidence, and different statements with a confidence so low that the author
/// is asked.
pub(super) fn merge(
    mut extraction: Extraction,
    disagreements: &[ExtractionDisagreement],
    config: Config,
) -> Extraction {
    for ExtractionDisagreement { fact, against } in disagreements {
        let confidence = if against.is_some() { config.ask / 2.0 } else { fact.confidence };
        extraction.facts.push(ToldFact { confidence, ..fact.clone() });
    }
    extraction
}

fn is_checked(fact: &ToldFact) -> bool {
    let word = predicate::find(&fact.predicate);
    let is_number = fact.value.is_number();
    word.is_some_and(|word| {
        is_number || word.name == "birth" || matches!(word.role, Some(PredicateRole::Death | PredicateRole::Age))
    })
}

pub(super) fn is_same_name(names: &Names, a: &str, b: &str) -> bool {
    fold(a) == fold(b)
        || ENTITIES.iter().any(|kind| names.resolve(*kind, a).is_some_and(|a| names.resolve(*kind, b) == Some(a)))
}

/// Returns whether the extraction tells the death as an event.
fn is_dead(extraction: &Extraction, names: &Names, fact: &ToldFact) -> bool {
    let is_death = predicate::find(&fact.predicate).is_some_and(|word| word.role == Some(PredicateRole::Death));
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
        // Two dates agree if either contains the other.
        Some((one, other)) => {
            let moments = crate::time::parse(one).moment().zip(crate::time::parse(other).moment());
            moments.map_or(fold(one) == fold(other), |(one, other)| !one.is_before(&other) && !other.is_before(&one))
        }
        None => super::reconcile::same_value(&a, &b),
    }
}
