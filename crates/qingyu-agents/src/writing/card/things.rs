//! Items of a story: in whose hands they are, or where they lie, as of a chapter.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::PieceKind;
use qingyu_story::holdings::{Holdings, Whereabouts};
use qingyu_story::language::has_words;

use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// Returns the whereabouts as a remark.
pub(super) fn remark(place: &Whereabouts, words: &Labels) -> String {
    match place {
        Whereabouts::Held(holder) => words.held_by(holder),
        Whereabouts::At(place) => words.lies_at(place),
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
    whereabouts_and_moved(book, number).0
}

/// Returns the known whereabouts of items, and the names of the items whose whereabouts a fact tells up to the chapter
/// `number`.
pub(super) fn whereabouts_and_moved(
    book: &NumberedBook<'_>,
    number: Option<u32>,
) -> (BTreeMap<String, Whereabouts>, BTreeSet<String>) {
    let name = |thing: usize| book.story.items()[thing].name.clone();
    let Holdings { places, told_by, .. } = holdings(book, number);
    let places = places.into_iter().map(|(thing, place)| (name(thing), place)).collect();
    (places, told_by.into_keys().map(name).collect())
}

/// Words of a description that say where a thing lies.
const LIES: [&str; 30] = [
    "锁在",
    "放在",
    "藏在",
    "搁在",
    "压在",
    "收在",
    "摆在",
    "挂在",
    "埋在",
    "塞在",
    "夹在",
    "装在",
    "揣在",
    "戴在",
    "别在",
    "躺在",
    "留在",
    "押在",
    "locked in",
    "locked away",
    "kept in",
    "kept on",
    "lies in",
    "lies on",
    "lying in",
    "hidden in",
    "hidden under",
    "hangs in",
    "hangs on",
    "stands in",
];
/// Words of a description that say what a thing has in it.
const HOLDS: [&str; 11] =
    ["夹着", "装着", "藏着", "放着", "压着", "裹着", "with", "containing", "holds", "holding", "contains"];

/// Returns the description of a thing that has been moved, without the clauses that say where it lies, and those that say
/// that another of the things in `moved` is in it.
pub(super) fn without_places(description: &str, moved: &BTreeSet<String>) -> String {
    let is_of_place = |clause: &str| {
        let clause = clause.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| has_words(&clause, word));
        says(&LIES) || says(&HOLDS) && moved.iter().any(|name| clause.contains(&name.to_lowercase()))
    };
    let clauses = description.split_inclusive(['，', '。', '；', ',', ';', '.']);
    let kept: String = clauses.filter(|clause| !is_of_place(clause)).collect();
    kept.trim().trim_end_matches(['，', '；', ',', ';']).to_owned()
}

/// Returns the things of a book after the chapter `number`; of the whole book by default.
fn holdings(book: &NumberedBook<'_>, number: Option<u32>) -> Holdings {
    let story = book.story;
    let chapter = |at: usize| {
        let source = story.facts[at].source.as_ref();
        source.and_then(|source| book.number_of(&source.document)).unwrap_or(0)
    };
    // What has no chapter is so from the beginning.
    let order = |at: usize| Some(chapter(at)).filter(|chapter| number.is_none_or(|number| *chapter <= number));
    Holdings::of(story, book.names(), order)
}
