//! QY201: somebody takes part in an event after their death.

use std::collections::BTreeSet;

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, Severity, TimelineEvent, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy201_acts_after_death.toml");
    Rule::new("QY201", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

/// Words that say that the dead take part as the dead, or not in person.
const REMAINS: [&str; 25] = [
    "尸",
    "遗体",
    "遗像",
    "遗嘱",
    "遗物",
    "葬",
    "墓",
    "追悼",
    "祭",
    "鬼",
    "亡灵",
    "幽灵",
    "魂",
    "复活",
    "投影",
    "录像",
    "corpse",
    "body",
    "funeral",
    "grave",
    "ghost",
    "spirit",
    "burial",
    "hologram",
    "recording",
];

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (late, event) in material.narrated().filter(|(_, event)| !speaks_of_remains(event)) {
        let dying: BTreeSet<_> = event.deaths.iter().filter_map(|name| material.character_position(name)).collect();
        let present: BTreeSet<_> =
            event.participants.iter().filter_map(|name| material.character_position(name)).collect();
        for position in present.difference(&dying) {
            let card = &material.story.characters[*position];
            if let Some((anchor, quote)) = death_before(material, *position, late) {
                drafts.push(draft(material, card, event, (anchor, quote)));
            }
        }
    }
    drafts
}

fn speaks_of_remains(event: &TimelineEvent) -> bool {
    let text = format!("{} {}", event.title, event.description).to_lowercase();
    REMAINS.iter().any(|word| text.contains(word))
}

/// Where it is said that the character died certainly before the event.
fn death_before(material: &Material<'_>, position: usize, late: usize) -> Option<(String, String)> {
    let card = &material.story.characters[position];
    let deaths =
        material.deaths.get(&position).into_iter().flatten().filter(|early| material.is_earlier(**early, late));
    let mut events: Vec<&TimelineEvent> = deaths.map(|early| &material.story.timeline_events[*early]).collect();
    events.sort_by_key(|event| handle(*event));
    if let Some(event) = events.first() {
        let when = if event.timestamp.is_empty() { String::new() } else { format!(" ({})", event.timestamp) };
        return Some((anchor(PieceKind::Event, *event, "deaths"), format!("{}{when}: {}", event.title, card.name)));
    }
    time::parse(card.death.as_deref()?).moment()?;
    let chronology = material.chronology();
    let is_over = chronology.event(late).is_some_and(|event| chronology.is_ordered(chronology.death(position), event.start));
    is_over.then(|| (anchor(PieceKind::Character, card, "death"), card.death.clone().unwrap_or_default()))
}

fn draft(material: &Material<'_>, card: &Character, event: &TimelineEvent, death: (String, String)) -> Draft {
    let dead = |name: &&String| material.is_same_character(name, &card.name);
    let participants: Vec<&String> = event.participants.iter().filter(dead).collect();
    let when = if event.timestamp.is_empty() { String::new() } else { format!(" ({})", event.timestamp) };
    Draft::about([handle(card), handle(event)])
        .say("name", card.name.trim())
        .say("event", event.title.trim())
        .say("death", &death.1)
        .affects(card.name.trim())
        .affects(event.title.trim())
        .quotes([death])
        .quote(anchor(PieceKind::Event, event, "participants"), format!("{}{when}: {}", event.title, card.name))
        .fix(
            "leave_out",
            Action::Update,
            PieceKind::Event,
            target(event, json!({ "remove_participants": participants })),
        )
}
