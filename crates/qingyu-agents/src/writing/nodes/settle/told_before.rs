//! Planned events that an earlier chapter tells and that a chapter may tell again.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use qingyu_story::settlement::{likely_items, told_description};
use qingyu_story::telling::{Tellings, first_teller};
use qingyu_story::{Document, PieceKind, Story, TimelineEvent};

use crate::labels;
use crate::writing::book::NumberedBook;

/// Maximum number of such events named to the reader.
const TOLD: usize = 6;
/// Minimum number of pieces that the text and an event both name.
const SHARED: usize = 2;

/// Returns the planned events told by a chapter before `number` of which the text may speak, each with its first text: the
/// text names a thing of the event, or its place if the chapter is not `set_at` it, and one more of its people, places and
/// things. Those with most in common come first.
pub(super) fn told_before<'s>(
    book: &NumberedBook<'_>,
    (story, tellings): (&'s Story, &Tellings<'_>),
    (number, text): (u32, &str),
    set_at: &BTreeSet<(PieceKind, usize)>,
) -> Vec<(&'s TimelineEvent, &'s Document)> {
    let names = book.names();
    let mut in_text = names.named_in(text);
    in_text.extend(likely_items(story, text).into_iter().map(|position| (PieceKind::Item, position)));
    let is_made = |event: &TimelineEvent| {
        let mut records = story.documents.iter().filter_map(|document| document.settled.as_ref());
        records.any(|record| record.made(PieceKind::Event, &event.id).is_some())
    };
    let shared = |event: &TimelineEvent| -> Vec<(PieceKind, usize)> {
        let mut own = names.named_in(&format!("{}\n{}", event.title, event.description));
        let place = event.location.as_deref().and_then(|name| names.resolve(PieceKind::Location, name));
        let people = event.participants.iter().filter_map(|name| names.resolve(PieceKind::Character, name));
        own.extend(place.into_iter().chain(people).map(|named| (named.kind, named.position)));
        own.intersection(&in_text).filter(|(kind, _)| PieceKind::CARDS.contains(kind)).copied().collect()
    };
    let mut told: Vec<(usize, &TimelineEvent, &Document)> = Vec::new();
    for event in story.timeline_events.iter().filter(|event| tellings.is_told(event) && !is_made(event)) {
        let teller = first_teller(story, event);
        let teller = teller.filter(|one| book.number_of(&one.id).is_some_and(|place| place < number));
        let shared = shared(event);
        let has_thing = shared.iter().any(|piece| match piece.0 {
            PieceKind::Item => true,
            PieceKind::Location => !set_at.contains(piece),
            _ => false,
        });
        if let Some(teller) = teller.filter(|_| has_thing && shared.len() >= SHARED) {
            told.push((shared.len(), event, teller));
        }
    }
    told.sort_by_key(|(shared, ..)| Reverse(*shared));
    told.into_iter().take(TOLD).map(|(_, event, teller)| (event, teller)).collect()
}

/// Returns the description of an event in the words of the texts that tell it, or else of the plan, and which text tells it.
pub(super) fn told_note(story: &Story, event: &TimelineEvent, teller: &Document) -> [String; 2] {
    let description = told_description(story, event).map_or_else(|| event.description.clone(), Cow::into_owned);
    let title = teller.title.trim();
    [description, labels::worded(story.language, format!("《{title}》已写过"), format!("told in \"{title}\""))]
}
