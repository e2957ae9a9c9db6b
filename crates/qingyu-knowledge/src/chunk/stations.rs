//! Where in its text a chapter tells events, and at which places, by its settlement.

use qingyu_story::{Document, Mode, PieceKind, Story, TimelineEvent};
use rustc_hash::FxHashMap;

/// The places of the events of a story that really happen, by id of the event.
#[derive(Debug, Default)]
pub(super) struct EventPlaces(FxHashMap<String, EventPlace>);

/// The place of an event, and the chapter that it belongs to.
#[derive(Debug)]
struct EventPlace {
    location: Option<String>,
    chapter: Option<u32>,
}

/// An event of a text: its words, and its place if that is known.
pub(super) type Station<'d> = (&'d str, Option<&'d str>);

impl EventPlaces {
    /// Reads the events of `story`. `chapter_of` returns the chapter that an event belongs to.
    pub(super) fn of(story: &Story, chapter_of: impl Fn(&TimelineEvent) -> Option<u32>) -> Self {
        let place = |event: &TimelineEvent| {
            let location = event.location.as_deref().map(str::trim).filter(|name| !name.is_empty());
            EventPlace { location: location.map(str::to_owned), chapter: chapter_of(event) }
        };
        let happen = story.timeline_events.iter().filter(|event| event.mode == Mode::Narrated && !event.id.is_empty());
        Self(happen.map(|event| (event.id.clone(), place(event))).collect())
    }

    /// Returns the events that happen in the text of a document of the chapter, unordered. Events of other chapters are not
    /// among them unless they were settled from the document: a text looks back at those.
    pub(super) fn stations<'d>(&'d self, document: &'d Document, chapter: Option<u32>) -> Vec<Station<'d>> {
        let Some(record) = &document.settled else { return Vec::new() };
        let made = record.made.iter().filter(|made| made.kind == PieceKind::Event);
        let made = made.filter_map(|made| Some((self.0.get(&made.id)?, made.id.as_str(), made.quote.trim())));
        let known = record.events.iter().flatten().filter_map(|here| {
            let place = self.0.get(&here.event).filter(|place| chapter.is_some() && place.chapter == chapter)?;
            Some((place, here.event.as_str(), here.quote.trim()))
        });
        // Where the text tells another place than planned, the text counts.
        let told = |event: &str| {
            let mut differs = record.differs.iter().filter(|one| one.event == event && one.field == "location");
            differs.find(|one| document.text.contains(one.quote.trim())).map(|one| one.told.trim())
        };
        let all = made.chain(known).filter(|(.., quote)| !quote.is_empty());
        all.map(|(place, event, quote)| (quote, told(event).or(place.location.as_deref()))).collect()
    }
}
