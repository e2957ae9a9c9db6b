//! The order in which chapters tell their events, for times that leave it open: a night beside half past eleven.

use rustc_hash::FxHashMap;

use super::civil::DAY;
use super::moment::Moment;
use super::story_calendar::StoryCalendar;
use crate::piece::PieceKind;
use crate::{Document, Mode, Story};

/// Returns pairs of narrated events, by position, of which a chapter tells the first before the second, whose time is a part of a
/// day without an hour: `夜里`. Pairs of a chapter are in the order in which it tells the second ones.
pub(super) fn told_before_parts(story: &Story, calendar: &StoryCalendar) -> Vec<(usize, usize)> {
    let is_part = |moment: &Moment| {
        let is_shorter = moment.day().is_some_and(|(_, window)| window != (0, DAY));
        is_shorter && !moment.is_exact()
    };
    let parts: Vec<bool> = story
        .timeline_events
        .iter()
        .map(|event| calendar.moment(event.timestamp.trim()).is_some_and(|moment| is_part(&moment)))
        .collect();
    if !parts.contains(&true) {
        return Vec::new();
    }
    let narrated = story.timeline_events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated);
    let places: FxHashMap<&str, usize> = narrated.map(|(at, event)| (event.id.as_str(), at)).collect();
    let mut pairs = Vec::new();
    for document in &story.documents {
        let told = told(document, &places);
        for (index, position) in told.iter().enumerate().filter(|(_, position)| parts[**position]) {
            let before = told[..index].iter().filter(|before| *before != position);
            pairs.extend(before.map(|before| (*before, *position)));
        }
    }
    pairs
}

/// Returns the events that a document tells, in the order of their words.
fn told(document: &Document, places: &FxHashMap<&str, usize>) -> Vec<usize> {
    let Some(settled) = &document.settled else { return Vec::new() };
    let made = settled.made.iter().filter(|made| made.kind == PieceKind::Event);
    let made = made.map(|made| (made.id.as_str(), made.quote.trim()));
    let known = settled.events.iter().flatten().map(|told| (told.event.as_str(), told.quote.trim()));
    let found = made.chain(known).filter(|(_, quote)| !quote.is_empty()).filter_map(|(id, quote)| {
        let position = places.get(id)?;
        Some((document.text.find(quote)?, *position))
    });
    let mut told: Vec<(usize, usize)> = found.collect();
    told.sort_unstable();
    told.into_iter().map(|(_, position)| position).collect()
}
