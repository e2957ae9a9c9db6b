//! Short lists of people, things and open promises, by which the planner of a chapter knows whom and what the outline and the
//! author mean.

use std::collections::BTreeSet;

use qingyu_story::names::fold;
use qingyu_story::{Character, PieceKind, RoleType};

use super::cut::{clip, first_sentence};
use super::sections::CardSections;
use super::things;
use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// Maximum tokens of what is said about one entry.
const LINE: u64 = 24;
/// Maximum tokens of each list.
const PEOPLE: u64 = 260;
const THINGS: u64 = 220;
const PROMISES: u64 = 220;

/// Returns the lists before chapter `number`, each as a section: those named in `near` or in the text `told` first.
pub(super) fn listed(book: &NumberedBook<'_>, number: u32, near: &[String], told: &str, words: &Labels) -> Vec<String> {
    let mut sections = CardSections::of(words);
    let mentions = book.names().mentions(told);
    let named = mentions.iter().flat_map(|mention| &mention.bearers).map(|named| (named.kind, named.position));
    let named: BTreeSet<(PieceKind, usize)> = named.collect();
    sections.add(words.people_list, people(book, near, &named, words), PEOPLE);
    sections.add(words.thing_list, items(book, number, &named, words), THINGS);
    sections.add(words.promise_list, promises(book, number, told, words), PROMISES);
    sections.list()
}

/// Returns the people, a line each: name, other names, and who it is.
fn people(
    book: &NumberedBook<'_>,
    near: &[String],
    named: &BTreeSet<(PieceKind, usize)>,
    words: &Labels,
) -> Vec<String> {
    let near: Vec<usize> = near
        .iter()
        .filter_map(|name| book.names().resolve(PieceKind::Character, name))
        .map(|named| named.position)
        .collect();
    let mut cast: Vec<(usize, &Character)> = book.story.characters.iter().enumerate().collect();
    cast.sort_by_key(|(at, card)| {
        let is_near = near.contains(at) || named.contains(&(PieceKind::Character, *at));
        (!is_near, card.role_type != RoleType::Protagonist)
    });
    let line = |(_, card): (usize, &Character)| {
        let name = match card.alias.as_slice() {
            [] => card.name.trim().to_owned(),
            alias => format!("{}{}", card.name.trim(), words.remark(&alias.join(words.comma))),
        };
        let says = [&card.occupation, &card.personality, &card.background, &card.goals];
        labelled_line(&name, says.into_iter().find(|text| !text.trim().is_empty()).map_or("", String::as_str), words)
    };
    cast.into_iter().map(line).collect()
}

/// Returns the things, a line each: where it was before the chapter, and what it is.
pub(super) fn items(
    book: &NumberedBook<'_>,
    number: u32,
    named: &BTreeSet<(PieceKind, usize)>,
    words: &Labels,
) -> Vec<String> {
    let whereabouts = things::whereabouts(book, Some(number.saturating_sub(1)));
    let mut items: Vec<_> = book.story.items().iter().enumerate().collect();
    items.sort_by_key(|(at, _)| !named.contains(&(PieceKind::Item, *at)));
    let line = |(_, item): (usize, &qingyu_story::Item)| {
        let place = whereabouts.get(&item.name).map(|place| words.remark(&place.text(words))).unwrap_or_default();
        labelled_line(&format!("{}{place}", item.name.trim()), &item.description, words)
    };
    items.into_iter().map(line).collect()
}

/// Returns the places, a line each.
pub(super) fn places(book: &NumberedBook<'_>, words: &Labels) -> Vec<String> {
    let places = book.story.locations().iter();
    places.map(|place| labelled_line(place.name.trim(), &place.description, words)).collect()
}

/// Returns what was planted before the chapter and is not paid before it, a line each.
fn promises(book: &NumberedBook<'_>, number: u32, text: &str, words: &Labels) -> Vec<String> {
    let place = |name: &String| {
        book.number_of(name).or_else(|| book.position(name).and_then(|position| book.number_at(position)))
    };
    let is_before = |name: &String| place(name).is_some_and(|place| place < number);
    let mut told: Vec<(bool, String)> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for promise in &book.story.promises {
        known.insert(fold(&promise.name));
        if promise.is_open_after(is_before) {
            told.push((
                !text.contains(promise.name.trim()),
                labelled_line(promise.name.trim(), &promise.description, words),
            ));
        }
    }
    let nodes = || (1..number).filter_map(|before| book.node(before));
    let paid: BTreeSet<String> = nodes().flat_map(|node| &node.pays).map(|name| fold(name)).collect();
    for plant in nodes().flat_map(|node| &node.plants).filter(|plant| !plant.trim().is_empty()) {
        if !paid.contains(&fold(plant)) && known.insert(fold(plant)) {
            told.push((true, plant.trim().to_owned()));
        }
    }
    told.sort_by_key(|(is_other, _)| *is_other);
    told.into_iter().map(|(_, line)| line).collect()
}

/// Returns a name with the first sentence of what is said about it.
fn labelled_line(name: &str, text: &str, words: &Labels) -> String {
    match first_sentence(text) {
        "" => name.to_owned(),
        first => words.labelled(name, &clip(first, LINE)),
    }
}
