//! QY203: somebody is at two places in the same minute.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy203_two_places.toml");
    Rule::new("QY203", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut by_minute: BTreeMap<String, Vec<&TimelineEvent>> = BTreeMap::new();
    for (position, event) in material.narrated() {
        if let Some(time) = material.times[position].as_ref().filter(|time| time.is_exact())
            && event.location.as_ref().is_some_and(|place| !place.trim().is_empty())
        {
            by_minute.entry(format!("{time:?}")).or_default().push(event);
        }
    }
    let mut drafts = Vec::new();
    for mut events in by_minute.into_values() {
        events.sort_by_key(|event| (std::cmp::Reverse(event.importance), handle(*event)));
        for (index, first) in events.iter().enumerate() {
            drafts.extend(events[index + 1..].iter().filter_map(|second| draft(material, first, second)));
        }
    }
    drafts
}

/// The finding for two events of one minute, if somebody is in both and the places are certainly apart.
fn draft(material: &Material<'_>, first: &TimelineEvent, second: &TimelineEvent) -> Option<Draft> {
    let (here, there) = (first.location.as_deref()?.trim(), second.location.as_deref()?.trim());
    if is_one_place(material, here, there) {
        return None;
    }
    let people = |event: &TimelineEvent| -> BTreeSet<usize> {
        event.participants.iter().filter_map(|name| material.character_position(name)).collect()
    };
    let torn: BTreeSet<usize> = people(first).intersection(&people(second)).copied().collect();
    let mut names: Vec<String> =
        torn.iter().map(|one| material.story.characters[*one].name.trim().to_owned()).collect();
    names.sort();
    if names.is_empty() {
        return None;
    }
    let is_torn = |name: &&String| material.character_position(name).is_some_and(|one| torn.contains(&one));
    let leaving: Vec<&String> = second.participants.iter().filter(is_torn).collect();
    let mut handles = [handle(first), handle(second)];
    handles.sort();
    let mut draft = Draft::about(handles)
        .list("names", names.clone())
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .say("here", here)
        .say("there", there)
        .say("time", first.timestamp.trim())
        .affects(first.title.trim())
        .affects(second.title.trim());
    for event in [first, second] {
        let place = event.location.as_deref().unwrap_or_default();
        let quote = format!("{}, {place}: {}", event.timestamp.trim(), event.participants.join(", "));
        draft = draft.quote(anchor(PieceKind::Event, event, "participants"), quote);
    }
    for name in names {
        draft = draft.affects(name);
    }
    Some(draft.fix(
        "leave_out",
        Action::Update,
        PieceKind::Event,
        target(second, json!({ "remove_participants": leaving })),
    ))
}

/// Whether two names mean one place, or one of them may lie in the other.
pub(super) fn is_one_place(material: &Material<'_>, a: &str, b: &str) -> bool {
    let (folded_a, folded_b) = (fold(a), fold(b));
    let resolve = |name: &str| material.names.resolve(PieceKind::Location, name);
    let same = resolve(a).is_some_and(|place| resolve(b) == Some(place));
    let describes = |place: &str, other: &str| {
        resolve(place).is_some_and(|named| {
            let description = &material.story.locations()[named.position].description;
            fold(description).contains(&fold(other))
        })
    };
    same || folded_a.contains(&folded_b) || folded_b.contains(&folded_a) || describes(a, b) || describes(b, a)
}
