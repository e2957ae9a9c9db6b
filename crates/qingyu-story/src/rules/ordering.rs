//! The places of outline nodes, numbered.

use serde_json::json;

use super::material::{handle, target};
use super::{Draft, Material};
use crate::piece::PieceKind;
use crate::{Action, OutlineNode};

/// All nodes in their order, those of one place by id; none if no node has a place.
pub(super) fn given<'s>(material: &Material<'s>) -> Vec<&'s OutlineNode> {
    let mut nodes: Vec<&OutlineNode> = material.story.outline_nodes.iter().collect();
    nodes.sort_by_cached_key(|node| (node.order, handle(*node), node.name.clone(), node.description.clone()));
    if nodes.iter().all(|node| node.order == 0) { Vec::new() } else { nodes }
}

/// Adds the remedies that number `nodes` from 1.
pub(super) fn renumber(nodes: &[&OutlineNode], mut draft: Draft) -> Draft {
    for (node, place) in nodes.iter().zip(1_u32..).filter(|(node, place)| node.order != *place) {
        draft = draft
            .fix("renumber", Action::Update, PieceKind::OutlineNode, target(*node, json!({ "order": place })))
            .fix_says("node", node.name.trim())
            .fix_says("order", place.to_string());
    }
    draft
}
