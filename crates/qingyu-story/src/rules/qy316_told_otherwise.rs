//! QY316: a chapter tells a planned event with another time or place, without somebody planned, or without a planned death.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::settlement::{Differs, open_differences};
use crate::{Action, Category, Document, Language, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy316_told_otherwise.toml");
    Rule::new("QY316", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let story = material.story;
    let contradictions = open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction());
    contradictions
        .map(|(document, at, differs)| draft(document, &story.timeline_events[at], differs, story.language))
        .collect()
}

fn draft(document: &Document, event: &TimelineEvent, differs: &Differs, language: Language) -> FindingDraft {
    let name = differs.told.trim();
    let (field, subject) = match differs.field.as_str() {
        field @ ("participants" | "deaths") => (field, format!("{field} {name}")),
        field => (field, field.to_owned()),
    };
    let (planned, told) = match (field, language) {
        ("participants", Language::Zh) => (format!("有{name}"), format!("没有{name}")),
        ("participants", Language::En) => (format!("with {name}"), format!("without {name}")),
        ("deaths", Language::Zh) => (format!("{name}死去"), format!("{name}没有死去")),
        ("deaths", Language::En) => (format!("the death of {name}"), format!("no death of {name}")),
        ("timestamp", _) => (event.timestamp.trim().to_owned(), name.to_owned()),
        _ => (event.location.as_deref().unwrap_or_default().trim().to_owned(), name.to_owned()),
    };
    let (evidence, change) = match field {
        "participants" => (name, json!({ "remove_participants": [differs.told] })),
        "deaths" => (name, json!({ "remove_deaths": [differs.told] })),
        field => (planned.as_str(), json!({ field: name })),
    };
    FindingDraft::about([handle(event), handle(document), subject])
        .say("event", event.title.trim())
        .say("chapter", document.title.trim())
        .say("planned", &planned)
        .say("told", &told)
        .affects(event.title.trim())
        .affects(document.title.trim())
        .quote(anchor(PieceKind::Event, event, field), evidence)
        .quote(anchor(PieceKind::Document, document, "text"), differs.quote.trim())
        .fix("follow", Action::Update, PieceKind::Event, target(event, change))
        .fix_text("rewrite", document, &[])
}
