//! QY308: card and event disagree about the time of a death.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy308_death_dates_differ.toml");
    Rule::new("QY308", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for (position, event) in material.narrated() {
        let timeline = &material.truth().timeline;
        let Some(time) = timeline.moment(timeline.of_event(position)) else { continue };
        for card in event.deaths.iter().filter_map(|name| material.character(name)) {
            let Some(date) = card.death.as_deref() else { continue };
            let Some(death) = time::parse(date).moment() else { continue };
            if !death.is_before(time) && !time.is_before(&death) {
                continue;
            }
            let draft = FindingDraft::about([handle(card), handle(event)])
                .say("name", card.name.trim())
                .say("event", event.title.trim())
                .say("time", event.timestamp.trim())
                .say("death", date.trim())
                .affects(card.name.trim())
                .affects(event.title.trim())
                .quote(anchor(PieceKind::Character, card, "death"), date.trim())
                .quote(anchor(PieceKind::Event, event, "timestamp"), event.timestamp.trim())
                .quote(anchor(PieceKind::Event, event, "deaths"), card.name.trim());
            let parameters = target(card, json!({ "death": event.timestamp.trim() }));
            drafts.push(draft.fix("follow", Action::Update, PieceKind::Character, parameters));
        }
    }
    drafts
}
