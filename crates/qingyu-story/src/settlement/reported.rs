//! Deaths that a sentence only reports: claims of their tellers, even if a reader takes them for told as happening.

use std::borrow::Cow;

use super::compare::is_same_name;
use super::extraction::{Extraction, ToldFact};
use super::reader::BookReader;
use crate::edit::Error;
use crate::names::Names;
use crate::predicate::{self, PredicateRole};
use crate::{Mode, Story};

/// Returns `extraction` with each narrated death whose sentence, by the rules, only reports it as a claim of its teller.
///
/// Returns [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the id or title.
pub(super) fn with_tellers<'e>(
    story: &Story,
    document: &str,
    extraction: &'e Extraction,
) -> Result<Cow<'e, Extraction>, Error> {
    if !extraction.facts.iter().any(|fact| fact.mode == Mode::Narrated && is_death(fact)) {
        return Ok(Cow::Borrowed(extraction));
    }
    let mut reported = BookReader::default().extract_with(story, document, &extraction.entities)?.facts;
    reported.retain(|fact| fact.mode != Mode::Narrated && is_death(fact));
    if reported.is_empty() {
        return Ok(Cow::Borrowed(extraction));
    }
    let names = Names::of(story);
    let mut told = extraction.clone();
    for fact in told.facts.iter_mut().filter(|fact| fact.mode == Mode::Narrated && is_death(fact)) {
        let is_it = |other: &&ToldFact| {
            is_same_name(&names, &other.subject, &fact.subject) && is_one_sentence(&other.quote, &fact.quote)
        };
        if let Some(reported) = reported.iter().find(is_it) {
            fact.mode = reported.mode;
            fact.by.clone_from(&reported.by);
        }
    }
    Ok(Cow::Owned(told))
}

fn is_death(fact: &ToldFact) -> bool {
    let word = predicate::find(&fact.predicate);
    fact.value != false && word.is_some_and(|word| word.role == Some(PredicateRole::Death))
}

fn is_one_sentence(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    !one.is_empty() && !other.is_empty() && (one.contains(other) || other.contains(one))
}
