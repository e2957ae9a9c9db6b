//! QY902: an event or plot node belongs to a missing outline node.

use serde_json::json;

use super::material::target;
use super::promises::name_likeness;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::PieceData;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy902_unknown_outline_node.toml");
    Rule::new("QY902", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if material.story.outline_nodes.is_empty() {
        return Vec::new();
    }
    let events = material.story.timeline_events.iter();
    let events = events.filter_map(|event| draft(material, PieceKind::Event, event, event.outline_node.as_deref()?));
    let nodes = material.story.plot_nodes.iter();
    let nodes = nodes.filter_map(|node| draft(material, PieceKind::PlotNode, node, node.outline_node.as_deref()?));
    let texts = material.story.documents.iter();
    let texts = texts.filter_map(|text| draft(material, PieceKind::Document, text, text.outline_node.as_deref()?));
    events.chain(nodes).chain(texts).collect()
}

fn draft<P: PieceData>(material: &RuleMaterial<'_>, kind: PieceKind, part: &P, name: &str) -> Option<FindingDraft> {
    if name.trim().is_empty() || material.names.knows(PieceKind::OutlineNode, name) {
        return None;
    }
    let draft = FindingDraft::about([kind.name().to_owned(), handle(part)])
        .in_work_of(kind)
        .say("piece", part.name().trim())
        .say("node", name.trim())
        .affects(part.name().trim())
        .quote(anchor(kind, part, "outline_node"), name.trim());
    let nearest = nearest(material, name);
    let remedy = if nearest.is_some() { "point" } else { "clear" };
    let parameters = target(part, json!({ "outline_node": nearest }));
    Some(draft.fix(remedy, Action::Update, kind, parameters).fix_says("nearest", nearest.unwrap_or_default()))
}

/// Returns the name of the node most similar to `name`, or `None` without a similar node.
fn nearest<'s>(material: &RuleMaterial<'s>, name: &str) -> Option<&'s str> {
    let likeness = |other: &&str| (name_likeness(other, name) * 1000.0) as u32;
    let names = material.story.outline_nodes.iter().map(|node| node.name.trim());
    let alike = names.filter(|other| likeness(other) >= 400);
    alike.max_by(|a, b| likeness(a).cmp(&likeness(b)).then_with(|| b.cmp(a)))
}
