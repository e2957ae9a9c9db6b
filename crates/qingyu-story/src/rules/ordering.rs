//! Numbering of outline nodes.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, RuleMaterial};
use crate::part::handle;
use crate::piece::PieceKind;
use crate::{Action, OutlineNode, OutlineNodeKind};

/// Returns all nodes in order, duplicates of an order sorted by id; empty if no node has an order.
pub(super) fn given<'s>(material: &RuleMaterial<'s>) -> Vec<&'s OutlineNode> {
    let mut nodes: Vec<&OutlineNode> = material.story.outline_nodes.iter().collect();
    nodes.sort_by_cached_key(|node| (node.order, handle(*node), node.name.clone(), node.description.clone()));
    if nodes.iter().all(|node| node.order == 0) { Vec::new() } else { nodes }
}

/// Returns the chapters of the outline in order.
pub(super) fn chapters<'s>(material: &RuleMaterial<'s>) -> Vec<&'s OutlineNode> {
    let mut chapters: Vec<&OutlineNode> =
        material.story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect();
    chapters.sort_by_key(|node| (node.order, handle(*node)));
    chapters
}

/// Appends the fixes numbering `nodes` from 1.
pub(super) fn renumber(nodes: &[&OutlineNode], mut draft: FindingDraft) -> FindingDraft {
    for (node, place) in nodes.iter().zip(1_u32..).filter(|(node, place)| node.order != *place) {
        draft = draft
            .fix("renumber", Action::Update, PieceKind::OutlineNode, target(*node, json!({ "order": place })))
            .fix_says("node", node.name.trim())
            .fix_says("order", place.to_string());
    }
    draft
}
