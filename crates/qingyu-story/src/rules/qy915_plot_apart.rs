//! QY915: a plot node in a chapter without any of its events.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, PlotNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy915_plot_apart.toml");
    Rule::new("QY915", (Severity::Low, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.story.plot_nodes.iter().filter_map(|node| draft(material, node)).collect()
}

fn draft(material: &RuleMaterial<'_>, node: &PlotNode) -> Option<FindingDraft> {
    let story = material.story;
    let find = |name: &str| material.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    let own = find(node.outline_node.as_deref()?)?;
    let events =
        node.events.iter().map(|name| material.names.resolve(PieceKind::Event, name).map(|named| named.position));
    let events: Vec<_> =
        events.collect::<Option<Vec<_>>>()?.into_iter().map(|event| &story.timeline_events[event]).collect();
    let told: Vec<usize> = events.iter().map(|event| find(event.outline_node.as_deref()?)).collect::<Option<_>>()?;
    let meets = |other: &usize| around(material, *other).contains(&own) || around(material, own).contains(other);
    if told.is_empty() || told.iter().any(meets) {
        return None;
    }
    let chapters: BTreeSet<&str> = told.iter().map(|chapter| story.outline_nodes[*chapter].name.trim()).collect();
    let mut draft = FindingDraft::about([handle(node)])
        .say("plot", node.title.trim())
        .say("node", story.outline_nodes[own].name.trim())
        .list("chapters", chapters.into_iter().map(str::to_owned))
        .affects(node.title.trim())
        .affects(story.outline_nodes[own].name.trim())
        .quote(anchor(PieceKind::PlotNode, node, "outline_node"), story.outline_nodes[own].name.trim());
    for event in &events {
        draft = draft
            .quote(anchor(PieceKind::Event, *event, "outline_node"), event.outline_node.as_deref().unwrap_or_default());
    }
    let nearest = told
        .iter()
        .map(|chapter| &story.outline_nodes[*chapter])
        .min_by_key(|chapter| (chapter.order, handle(*chapter)));
    let place = nearest.map_or(Value::Null, |chapter| handle(chapter).into());
    Some(draft.fix("move", Action::Update, PieceKind::PlotNode, target(node, json!({ "outline_node": place }))))
}

/// Returns the node and its ancestors.
fn around(material: &RuleMaterial<'_>, node: usize) -> BTreeSet<usize> {
    let mut nodes = BTreeSet::new();
    let mut next = Some(node);
    while let Some(node) = next.filter(|node| nodes.insert(*node)) {
        let parent = material.story.outline_nodes[node].parent.as_deref();
        next = parent.and_then(|name| material.names.resolve(PieceKind::OutlineNode, name)).map(|named| named.position);
    }
    nodes
}
