//! QY304: a character takes part in an event before birth.

use super::material::when;
use super::told::leave_out;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Category, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy304_before_birth.toml");
    Rule::new("QY304", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for (position, event) in material.narrated() {
        let chronology = material.chronology();
        let Some(points) = chronology.event(position) else { continue };
        let (field, when) = when(event);
        for character in event.participants.iter().filter_map(|name| material.character_position(name)) {
            let card = &material.story.characters[character];
            let Some(birth) = card.birth.as_deref().filter(|birth| time::parse(birth).moment().is_some()) else {
                continue;
            };
            if !chronology.is_ordered(points.end, chronology.birth(character)) {
                continue;
            }
            let is_they = |name: &&String| material.is_same_character(name, &card.name);
            let participants: Vec<&String> = event.participants.iter().filter(is_they).collect();
            let draft = FindingDraft::about([handle(card), handle(event)])
                .say("name", card.name.trim())
                .say("event", event.title.trim())
                .say("time", &when)
                .say("birth", birth.trim())
                .affects(card.name.trim())
                .affects(event.title.trim())
                .quote(anchor(PieceKind::Character, card, "birth"), birth.trim())
                .quote(anchor(PieceKind::Event, event, field), &when)
                .quote(anchor(PieceKind::Event, event, "participants"), card.name.trim());
            drafts.push(leave_out(draft, material, event, "remove_participants", &participants));
        }
    }
    drafts
}
