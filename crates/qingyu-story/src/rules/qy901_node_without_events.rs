//! QY901: a chapter or scene without timeline events.

use std::collections::BTreeSet;

use serde_json::json;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, OutlineNodeKind, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy901_node_without_events.toml");
    Rule::new("QY901", (Severity::Low, Category::Completeness, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let links = material.story.timeline_events.iter().filter_map(|event| event.outline_node.as_deref());
    let told: BTreeSet<usize> =
        links.flat_map(|name| material.names.find(PieceKind::OutlineNode, name)).map(|named| named.position).collect();
    let nodes = &material.story.outline_nodes;
    if told.is_empty() || nodes.iter().any(|node| node.kind.is_group() && node.chapters.is_some()) {
        return Vec::new(); // The timeline is not tied to the outline yet, or grows with the text.
    }
    let parents = material.parents();
    let mut empty: BTreeSet<usize> = (0..material.story.outline_nodes.len()).collect();
    empty.retain(|position| {
        let node = &material.story.outline_nodes[*position];
        let in_told_chapter =
            node.kind == OutlineNodeKind::Scene && parent_of(material, node).is_some_and(|one| told.contains(&one));
        !node.kind.is_group() && !parents.contains(position) && !told.contains(position) && !in_told_chapter
    });
    empty.into_iter().map(|position| draft(material, &material.story.outline_nodes[position])).collect()
}

fn parent_of(material: &RuleMaterial<'_>, node: &OutlineNode) -> Option<usize> {
    material.names.resolve(PieceKind::OutlineNode, node.parent.as_deref()?).map(|named| named.position)
}

fn draft(material: &RuleMaterial<'_>, node: &OutlineNode) -> FindingDraft {
    let draft = FindingDraft::about([handle(node)])
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "name"), node.name.trim());
    if node.name.trim().is_empty() || material.names.knows(PieceKind::Event, &node.name) {
        return draft;
    }
    let parameters = json!({
        "title": node.name.trim(), "outline_node": handle(node), "description": node.description,
        "participants": node.participants, "location": node.location, "importance": 5,
    });
    draft.fix("create", Action::Create, PieceKind::Event, parameters)
}
