//! Compares events as told with those as planned.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::record::Differs;
use crate::names::fold;
use crate::{Document, Language, Story, TimelineEvent, time};

impl Differs {
    /// Returns whether `event` still differs in the story.
    pub(crate) fn is_open(&self, event: &TimelineEvent) -> bool {
        match self.field.as_str() {
            "timestamp" => are_other_times(&event.timestamp, &self.told),
            "description" => are_other_words(&event.description, &self.told),
            "participants" => event.participants.contains(&self.told),
            "deaths" => event.deaths.contains(&self.told),
            _ => event.location.as_deref().is_some_and(|planned| are_other_places(planned, &self.told)),
        }
    }

    /// Returns whether the difference is a contradiction to be decided, and not only another wording.
    pub fn is_contradiction(&self) -> bool {
        self.field != "description"
    }

    /// Changes the planned event to what the document tells.
    fn tell(&self, event: &mut TimelineEvent) {
        let told = self.told.trim();
        match self.field.as_str() {
            "timestamp" => told.clone_into(&mut event.timestamp),
            "description" => told.clone_into(&mut event.description),
            "participants" => event.participants.retain(|name| *name != self.told),
            "deaths" => event.deaths.retain(|name| *name != self.told),
            _ => event.location = Some(told.to_owned()),
        }
    }
}

/// Returns what the texts tell otherwise than planned and nobody has decided: the document, the position of the event,
/// and the difference.
pub fn open_differences(story: &Story) -> Vec<(&Document, usize, &Differs)> {
    let mut all = story.documents.iter().flat_map(|document| {
        document.settled.iter().flat_map(|settled| &settled.differs).map(move |differs| (document, differs))
    });
    let Some(first) = all.next() else { return Vec::new() };
    let places: FxHashMap<&str, usize> =
        story.timeline_events.iter().enumerate().map(|(at, event)| (event.id.as_str(), at)).collect();
    let open = |(document, differs): (&'_ Document, &'_ Differs), at: usize| {
        differs.is_open(&story.timeline_events[at]) && document.text.contains(differs.quote.trim())
    };
    std::iter::once(first)
        .chain(all)
        .filter_map(|(document, differs)| Some((document, *places.get(differs.event.as_str())?, differs)))
        .filter(|(document, at, differs)| open((document, differs), *at))
        .collect()
}

/// Returns the events of `story` in list order, each as the texts tell it: where a text tells a planned event otherwise,
/// the text counts. Events that no text tells stay as planned.
pub fn told_events(story: &Story) -> Vec<Cow<'_, TimelineEvent>> {
    let mut events: Vec<Cow<'_, TimelineEvent>> = story.timeline_events.iter().map(Cow::Borrowed).collect();
    // A chapter may tell an event in several sentences.
    let mut described: FxHashSet<usize> = FxHashSet::default();
    for (_, at, differs) in open_differences(story) {
        let event = events[at].to_mut();
        if differs.field == "description" && !described.insert(at) {
            let space = if story.language == Language::Zh { "" } else { " " };
            event.description = format!("{}{space}{}", event.description, differs.told.trim());
        } else {
            differs.tell(event);
        }
    }
    events
}

/// Returns the planned events that a text contradicts and nobody has decided about, by position, each as told: with the
/// time, the place, the people and the deaths of the text.
pub(crate) fn told_otherwise(story: &Story) -> Vec<(usize, TimelineEvent)> {
    let mut told: BTreeMap<usize, TimelineEvent> = BTreeMap::new();
    for (_, at, differs) in open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction()) {
        differs.tell(told.entry(at).or_insert_with(|| story.timeline_events[at].clone()));
    }
    told.into_iter().collect()
}

/// Returns the story with the planned events that a text contradicts as the text tells them, until the author decides.
pub fn as_told(story: &Story) -> Cow<'_, Story> {
    let told = told_otherwise(story);
    if told.is_empty() {
        return Cow::Borrowed(story);
    }
    let mut story = story.clone();
    for (at, event) in told {
        story.timeline_events[at] = event;
    }
    Cow::Owned(story)
}

/// Returns whether both texts say something, in other words.
pub(crate) fn are_other_words(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && planned != told
}

/// Returns whether two times certainly differ. A time without a year takes the planned time's year.
pub(crate) fn are_other_times(planned: &str, told: &str) -> bool {
    let other = time::parse(&with_year(planned, told)).moment();
    time::parse(planned).moment().zip(other).is_some_and(|(one, other)| one.is_before(&other) || other.is_before(&one))
}

/// Returns the told time, with the planned time's year if not parsable without.
pub(crate) fn with_year(planned: &str, told: &str) -> String {
    let told = told.trim();
    let year = planned.find('年').map_or("", |at| &planned[..at + '年'.len_utf8()]);
    let dated = format!("{year}{told}");
    match time::parse(told).moment().is_none() && time::parse(&dated).moment().is_some() {
        true => dated,
        false => told.to_owned(),
    }
}

/// Returns whether two place names have nothing in common; a room is part of its house.
pub(crate) fn are_other_places(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && !planned.contains(&told) && !told.contains(&planned)
}
