//! QY316: a chapter tells a planned event with another time or place.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::settlement::Differs;
use crate::{Action, Category, Document, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy316_told_otherwise.toml");
    Rule::new("QY316", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let story = material.story;
    let mut drafts = Vec::new();
    for document in &story.documents {
        for differs in document.settled.iter().flat_map(|settled| &settled.differs) {
            let event = story.timeline_events.iter().find(|event| event.id == differs.event);
            let stands = document.text.contains(differs.quote.trim());
            if let Some(event) = event.filter(|event| stands && differs.is_open(event)) {
                drafts.push(draft(document, event, differs));
            }
        }
    }
    drafts
}

fn draft(document: &Document, event: &TimelineEvent, differs: &Differs) -> FindingDraft {
    let (field, planned) = match differs.field.as_str() {
        "timestamp" => ("timestamp", event.timestamp.trim()),
        _ => ("location", event.location.as_deref().unwrap_or_default().trim()),
    };
    FindingDraft::about([handle(event), handle(document), field.to_owned()])
        .say("event", event.title.trim())
        .say("chapter", document.title.trim())
        .say("planned", planned)
        .say("told", differs.told.trim())
        .affects(event.title.trim())
        .affects(document.title.trim())
        .quote(anchor(PieceKind::Event, event, field), planned)
        .quote(anchor(PieceKind::Document, document, "text"), differs.quote.trim())
        .fix("follow", Action::Update, PieceKind::Event, target(event, json!({ field: differs.told.trim() })))
        .fix_text("rewrite", document, &[])
}
