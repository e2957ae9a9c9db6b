//! QY301: events in a cyclic order.

use serde_json::json;

use super::graph::cycles;
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy301_event_cycle.toml");
    Rule::new("QY301", (Severity::High, Category::Rationality, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let keys: Vec<String> = material.story.timeline_events.iter().map(handle).collect();
    cycles(&material.after, &keys).iter().map(|cycle| draft(material, cycle)).collect()
}

fn draft(material: &RuleMaterial<'_>, cycle: &[usize]) -> FindingDraft {
    let events: Vec<&TimelineEvent> = cycle.iter().map(|position| &material.story.timeline_events[*position]).collect();
    let last = events[events.len() - 1];
    let first = cycle[0];
    let is_first =
        |name: &&String| material.names.resolve(PieceKind::Event, name).is_some_and(|named| named.position == first);
    let cut: Vec<&String> = last.after.iter().filter(is_first).collect();
    let mut draft = FindingDraft::about(events.iter().map(|event| handle(*event)))
        .list("events", events.iter().map(|event| event.title.trim().to_owned()))
        .say("last", last.title.trim())
        .say("first", events[0].title.trim());
    for event in &events {
        draft =
            draft.affects(event.title.trim()).quote(anchor(PieceKind::Event, *event, "after"), event.after.join(", "));
    }
    draft.fix("cut", Action::Update, PieceKind::Event, target(last, json!({ "remove_after": cut })))
}
