//! QY203: a character is at two places at the same time.

use std::collections::{BTreeMap, BTreeSet};

use super::material::when;
use super::told::leave_out;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::phrase::in_brackets;
use crate::piece::PieceKind;
use crate::time::Calendar;
use crate::{Category, Language, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy203_two_places.toml");
    Rule::new("QY203", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    overlapping(material).into_iter().filter_map(|(a, b)| draft(material, a, b)).collect()
}

/// Returns the pairs of certainly simultaneous events with a common participant.
pub(super) fn overlapping(material: &RuleMaterial<'_>) -> BTreeSet<(usize, usize)> {
    let stays = stays(material);
    let mut pairs = BTreeSet::new();
    for own in stays.values() {
        for (first, stay) in own.iter().enumerate() {
            let later = own[first + 1..].iter().take_while(|other| other.earliest < stay.earliest + LONGEST);
            let torn = later.filter(|other| other.calendar == stay.calendar && stay.overlaps(other));
            pairs.extend(torn.map(|other| (stay.event.min(other.event), stay.event.max(other.event))));
        }
    }
    pairs
}

/// The maximum length of an unbroken presence, in seconds.
const LONGEST: i64 = 86_400;

/// A character's presence at an event, in seconds on a calendar.
#[derive(Debug, Clone)]
struct EventStay {
    event: usize,
    calendar: Calendar,
    /// The earliest beginning (inclusive), and the latest (exclusive).
    earliest: i64,
    latest: i64,
    /// The certain end.
    until: i64,
    /// Whether the beginning is known to the minute.
    is_exact: bool,
}

impl EventStay {
    /// Returns whether both are certainly simultaneous: each begins before the other ends, or both in the same minute.
    fn overlaps(&self, other: &Self) -> bool {
        let is_same_minute = self.is_exact && other.is_exact && self.earliest == other.earliest;
        is_same_minute || (self.latest <= other.until && other.latest <= self.until)
    }
}

/// Returns the stays of each character at events with a place, by earliest beginning.
fn stays(material: &RuleMaterial<'_>) -> BTreeMap<usize, Vec<EventStay>> {
    let chronology = material.chronology();
    let mut stays: BTreeMap<usize, Vec<EventStay>> = BTreeMap::new();
    for (position, event) in material.narrated() {
        let Some(points) = chronology.event(position) else { continue };
        if event.location.as_ref().is_none_or(|place| place.trim().is_empty()) {
            continue;
        }
        let ends: BTreeMap<_, _> = chronology.stretches(points.end).collect();
        for (calendar, start) in chronology.stretches(points.start) {
            let (Some(earliest), Some(latest)) = start else { continue };
            let until = ends.get(calendar).and_then(|(until, _)| *until).unwrap_or(earliest);
            if until - earliest > LONGEST {
                continue;
            }
            let is_exact = latest - earliest <= 60;
            let calendar = calendar.clone();
            let stay = EventStay { event: position, calendar, earliest, latest, until, is_exact };
            let people: BTreeSet<usize> = people(material, event);
            people.into_iter().for_each(|one| stays.entry(one).or_default().push(stay.clone()));
        }
    }
    stays.values_mut().for_each(|own| own.sort_by_key(|stay| (stay.earliest, stay.event)));
    stays
}

fn people(material: &RuleMaterial<'_>, event: &TimelineEvent) -> BTreeSet<usize> {
    event.participants.iter().filter_map(|name| material.character_position(name)).collect()
}

/// Returns the draft for two simultaneous events, if a character is in both and the places are certainly apart.
fn draft(material: &RuleMaterial<'_>, a: usize, b: usize) -> Option<FindingDraft> {
    let mut events = [&material.story.timeline_events[a], &material.story.timeline_events[b]];
    events.sort_by_key(|event| (std::cmp::Reverse(event.importance), handle(*event)));
    let [first, second] = events;
    let (here, there) = (first.location.as_deref()?.trim(), second.location.as_deref()?.trim());
    if material.is_one_place(here, there) {
        return None;
    }
    let torn: BTreeSet<usize> = people(material, first).intersection(&people(material, second)).copied().collect();
    let mut names: Vec<String> =
        torn.iter().map(|one| material.story.characters[*one].name.trim().to_owned()).collect();
    names.sort();
    let is_torn = |name: &&String| material.character_position(name).is_some_and(|one| torn.contains(&one));
    let leaving: Vec<&String> = second.participants.iter().filter(is_torn).collect();
    let language = material.story.language;
    let mut handles = [handle(first), handle(second)];
    handles.sort();
    let mut draft = FindingDraft::about(handles)
        .list("names", names.clone())
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .say("here", here)
        .say("there", there)
        .say("this_time", time(first, language))
        .say("that_time", time(second, language))
        .affects(first.title.trim())
        .affects(second.title.trim());
    for event in [first, second] {
        let place = event.location.as_deref().unwrap_or_default();
        let quote = format!("{}, {place}: {}", time(event, language), event.participants.join(", "));
        draft = draft.quote(anchor(PieceKind::Event, event, "participants"), quote);
    }
    for name in names {
        draft = draft.affects(name);
    }
    Some(leave_out(draft, material, second, "remove_participants", &leaving))
}

/// Returns time and duration of the event, as written.
fn time(event: &TimelineEvent, language: Language) -> String {
    let (_, when) = when(event);
    match event.duration.trim() {
        "" => when,
        duration => format!("{when}{}", in_brackets(duration, language)),
    }
}
