//! Items of a story: in whose hands they are, or where they lie, as of a chapter.

use std::collections::BTreeMap;

use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{Fact, Mode, PieceKind};

use super::dates::number_of;
use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// The whereabouts of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whereabouts {
    /// In the hands of a person or organisation.
    Held(String),
    /// At a place.
    At(String),
}

impl Whereabouts {
    /// Returns the whereabouts as a remark.
    pub(super) fn text(&self, words: &Labels) -> String {
        match self {
            Self::Held(holder) => words.held_by(holder),
            Self::At(place) => words.lies_at(place),
        }
    }
}

/// Returns the positions of the items that one of `people` holds before the chapter `number`.
pub(crate) fn at_hand(book: &NumberedBook<'_>, number: u32, people: &[String]) -> Vec<usize> {
    let names = book.names();
    let card = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
    let here: Vec<usize> = people.iter().filter_map(|name| card(name)).collect();
    let things = whereabouts(book, Some(number.saturating_sub(1)));
    let is_held = |name: &str| match things.get(name) {
        Some(Whereabouts::Held(holder)) => card(holder).is_some_and(|holder| here.contains(&holder)),
        _ => false,
    };
    let items = book.story.items().iter().enumerate();
    items.filter(|(_, item)| is_held(&item.name)).map(|(position, _)| position).collect()
}

/// Returns the known whereabouts of items by name, as told up to the chapter `number`; of the whole book by default.
///
/// Only what is narrated as happening counts; the holder on an item's card is its holder at the beginning.
pub(super) fn whereabouts(book: &NumberedBook<'_>, number: Option<u32>) -> BTreeMap<String, Whereabouts> {
    let (story, names) = (book.story, book.names());
    let called = |name: &str| {
        let kinds = [PieceKind::Character, PieceKind::Organisation];
        let named = kinds.iter().find_map(|kind| names.resolve(*kind, name));
        named.map_or_else(|| name.trim().to_owned(), |named| named.name.clone())
    };
    let item = |name: &str| names.resolve(PieceKind::Item, name).map(|named| named.name.clone());
    let mut found: BTreeMap<String, Whereabouts> = BTreeMap::new();
    for card in story.items() {
        if let Some(holder) = card.holder.as_deref().filter(|holder| !holder.trim().is_empty()) {
            found.insert(card.name.clone(), Whereabouts::Held(called(holder)));
        }
    }
    let chapter = |fact: &Fact| fact.source.as_ref().and_then(|source| book.number_of(&source.document)).unwrap_or(0);
    let mut told: Vec<&Fact> = story.facts.iter().filter(|fact| fact.mode == Mode::Narrated).collect();
    told.retain(|fact| number.is_none_or(|number| chapter(fact) <= number));
    told.sort_by_key(|fact| (chapter(fact), number_of(&fact.id)));
    for fact in told {
        let Some(word) = predicate::find(&fact.predicate) else { continue };
        let text = fact.value.as_str().unwrap_or_default();
        let other = fact.object.as_deref().filter(|object| !object.trim().is_empty()).unwrap_or(text).trim();
        let is_held_by = word.name == "held_by";
        let (thing, who) = match word.role {
            Some(PredicateRole::Holding) if is_held_by => (item(&fact.subject), other),
            Some(PredicateRole::Place | PredicateRole::Destruction) => (item(&fact.subject), other),
            _ => (item(other), fact.subject.as_str()),
        };
        let Some(thing) = thing else { continue };
        match word.role {
            Some(PredicateRole::Holding | PredicateRole::Getting)
                if fact.until.trim().is_empty() && !who.is_empty() =>
            {
                found.insert(thing, Whereabouts::Held(called(who)));
            }
            Some(PredicateRole::Place) if !who.is_empty() => {
                found.insert(thing, Whereabouts::At(who.to_owned()));
            }
            // A thing lost from its place is nowhere known.
            Some(PredicateRole::Parting)
                if found.get(&thing).is_some_and(|known| match known {
                    Whereabouts::Held(holder) => *holder == called(who),
                    Whereabouts::At(_) => true,
                }) =>
            {
                found.remove(&thing);
            }
            Some(PredicateRole::Destruction) => {
                found.remove(&thing);
            }
            _ => {}
        }
    }
    found
}
