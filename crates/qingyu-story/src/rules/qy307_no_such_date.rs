//! QY307: a date not in the calendar.

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::time::{ParsedTime, parse};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy307_no_such_date.toml");
    Rule::new("QY307", (Severity::Medium, Category::Rationality, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for event in material.story.timeline_events.iter().filter(|event| parse(&event.timestamp) == ParsedTime::Impossible)
    {
        let draft = draft(&handle(event), &event.title, anchor(PieceKind::Event, event, "timestamp"), &event.timestamp);
        let parameters = target(event, json!({ "timestamp": Value::Null }));
        drafts.push(draft.in_work_of(PieceKind::Event).fix("correct", Action::Update, PieceKind::Event, parameters));
    }
    for card in &material.story.characters {
        for (field, date) in [("birth", &card.birth), ("death", &card.death)] {
            let Some(date) = date.as_deref().filter(|date| parse(date) == ParsedTime::Impossible) else { continue };
            let draft = draft(&handle(card), &card.name, anchor(PieceKind::Character, card, field), date);
            let parameters = target(card, json!({ field: Value::Null }));
            drafts.push(draft.in_work_of(PieceKind::Character).fix(
                "correct",
                Action::Update,
                PieceKind::Character,
                parameters,
            ));
        }
    }
    drafts
}

fn draft(handle: &str, name: &str, anchor: String, date: &str) -> FindingDraft {
    FindingDraft::about([handle.to_owned(), anchor.clone()])
        .say("name", name.trim())
        .say("date", date.trim())
        .affects(name.trim())
        .quote(anchor, date.trim())
}
