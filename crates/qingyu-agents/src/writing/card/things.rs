//! Items of a story: in whose hands they are, or where they lie, as of a chapter.

use std::collections::BTreeMap;

use qingyu_story::PieceKind;
use qingyu_story::holdings::{Holdings, Whereabouts};

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
    let story = book.story;
    let chapter = |at: usize| {
        let source = story.facts[at].source.as_ref();
        source.and_then(|source| book.number_of(&source.document)).unwrap_or(0)
    };
    // What has no chapter is so from the beginning.
    let order = |at: usize| Some(chapter(at)).filter(|chapter| number.is_none_or(|number| *chapter <= number));
    let places = Holdings::of(story, book.names(), order).places;
    places.into_iter().map(|(thing, place)| (story.items()[thing].name.clone(), place)).collect()
}
