//! QY202: somebody dies in two events.

use std::collections::BTreeSet;

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy202_dies_twice.toml");
    Rule::new("QY202", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let twice = material.deaths.iter().filter(|(_, events)| events.len() > 1);
    twice.map(|(character, events)| draft(material, *character, events)).collect()
}

fn draft(material: &Material<'_>, character: usize, events: &BTreeSet<usize>) -> Draft {
    let card = &material.story.characters[character];
    let mut ordered: Vec<(usize, &TimelineEvent)> =
        events.iter().map(|position| (*position, &material.story.timeline_events[*position])).collect();
    // The first death counts: what certainly has no other before it, then the least id.
    ordered.sort_by_key(|(position, event)| {
        (
            events.iter().filter(|other| material.is_earlier(**other, *position)).count(),
            handle(*event),
            event.description.clone(),
        )
    });
    let mut draft = Draft::about([handle(card)])
        .say("name", card.name.trim())
        .list("events", ordered.iter().map(|(_, event)| event.title.trim().to_owned()))
        .affects(card.name.trim());
    for (_, event) in &ordered {
        draft = draft.affects(event.title.trim()).quote(anchor(PieceKind::Event, *event, "deaths"), card.name.trim());
    }
    for (_, event) in ordered.iter().skip(1) {
        let is_they = |name: &&String| material.is_same_character(name, &card.name);
        let deaths: Vec<&String> = event.deaths.iter().filter(is_they).collect();
        draft = draft
            .fix("survive", Action::Update, PieceKind::Event, target(*event, json!({ "remove_deaths": deaths })))
            .fix_says("event", event.title.trim());
    }
    draft
}
