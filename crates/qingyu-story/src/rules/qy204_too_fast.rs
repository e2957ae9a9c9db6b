//! QY204: a character travels between events faster than possible in the world.

use std::collections::BTreeMap;

use super::journeys::{TravelLengths, place, way, ways};
use super::material::when;
use super::qy203_two_places::overlapping;
use super::telling::LEAPS;
use super::told::leave_out;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::time::chronology::TravelConflict;
use crate::truth::Entity;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy204_too_fast.toml");
    Rule::new("QY204", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let happens = material.narrated().filter_map(|(_, event)| place(material, event.location.as_deref()?));
    let ways = ways(material, &happens.collect());
    if ways.is_empty() {
        return Vec::new();
    }
    let travel = ways.iter().map(|(way, (length, _))| (*way, *length)).collect();
    let together = overlapping(material);
    let hurries = material.chronology().hurries(material.story, &material.names, &travel);
    let mut pairs: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for TravelConflict { character, first, second } in hurries {
        // Simultaneous events are checked by QY203.
        let is_torn = together.contains(&(first.min(second), first.max(second)));
        if !is_torn && !leaps(material, character, first, second) {
            pairs.entry(in_order(material, first, second)).or_default().push(character);
        }
    }
    pairs.into_iter().filter_map(|(pair, people)| draft(material, &ways, pair, &people)).collect()
}

/// Returns the events in certain order; otherwise sorted by id.
fn in_order(material: &RuleMaterial<'_>, first: usize, second: usize) -> (usize, usize) {
    let key = |event: usize| handle(&material.story.timeline_events[event]);
    let is_turned =
        material.is_earlier(second, first) || !material.is_earlier(first, second) && key(second) < key(first);
    if is_turned { (second, first) } else { (first, second) }
}

/// Returns whether instant travel is possible: mentioned by an event, or by a thing in use.
fn leaps(material: &RuleMaterial<'_>, character: usize, first: usize, second: usize) -> bool {
    let truth = material.truth();
    let told = [first, second].into_iter().any(|event| {
        let event = &material.story.timeline_events[event];
        has_any(&format!("{} {}", event.title, event.description), LEAPS)
    });
    let who = Entity { kind: Some(PieceKind::Character), index: character };
    let (start, end) = (truth.timeline.of_event(first), truth.timeline.of_event(second));
    let mut used = truth.of_role_by(who, PredicateRole::Use).filter(|one| {
        one.span.from.is_none_or(|from| !truth.timeline.is_before(from, start) && !truth.timeline.is_before(end, from))
    });
    told || used.any(|one| {
        let thing = one.object.map(|thing| truth.registry.name(thing)).unwrap_or_default();
        has_any(thing, LEAPS) || has_any(truth.quote(one), LEAPS)
    })
}

fn draft(
    material: &RuleMaterial<'_>,
    ways: &TravelLengths<'_>,
    (first, second): (usize, usize),
    people: &[usize],
) -> Option<FindingDraft> {
    let [first, second] = [first, second].map(|event| &material.story.timeline_events[event]);
    let (here, there) = (place(material, first.location.as_deref()?)?, place(material, second.location.as_deref()?)?);
    let (_, takes) = way(ways, here, there)?;
    let mut names: Vec<&str> = people.iter().map(|one| material.story.characters[*one].name.trim()).collect();
    names.sort_unstable();
    let is_one = |name: &&String| material.character_position(name).is_some_and(|one| people.contains(&one));
    let leaving: Vec<&String> = second.participants.iter().filter(is_one).collect();
    let named = |at: usize| material.story.locations()[at].name.trim();
    let mut draft = FindingDraft::about([handle(first), handle(second)])
        .list("names", names.iter().map(|name| (*name).to_owned()))
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .say("here", named(here))
        .say("there", named(there))
        .say("takes", takes)
        .say("this_time", when(first).1)
        .say("that_time", when(second).1)
        .affects(first.title.trim())
        .affects(second.title.trim());
    for event in [first, second] {
        let at = event.location.as_deref().unwrap_or_default();
        let quote = format!("{}, {at}: {}", when(event).1, event.participants.join(", "));
        draft = draft.quote(anchor(PieceKind::Event, event, "participants"), quote);
    }
    for name in names {
        draft = draft.affects(name);
    }
    let told = [here, there].map(|at| &material.story.locations()[at]);
    let told = told.into_iter().find(|place| !place.travel.is_empty());
    let draft = match told {
        Some(place) => draft.quote(anchor(PieceKind::Location, place, "travel"), takes),
        None => draft,
    };
    Some(leave_out(draft, material, second, "remove_participants", &leaving))
}
