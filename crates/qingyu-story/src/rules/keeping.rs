//! Promises of the story, and the nodes keeping each alive.

use super::RuleMaterial;
use crate::piece::PieceKind;
use crate::{OutlineNode, Promise, says_something};

/// Returns the position of an outline node or document in reading order.
pub(super) fn order(material: &RuleMaterial<'_>, name: &str) -> Option<u32> {
    let node = material.outline_node(name).or_else(|| {
        let document = material.names.resolve(PieceKind::Document, name)?;
        material.outline_node(material.story.documents[document.position].outline_node.as_deref()?)
    });
    node.filter(|node| is_place_clear(material, node)).map(|node| node.order)
}

/// Returns whether the node has a unique position in reading order.
pub(super) fn is_place_clear(material: &RuleMaterial<'_>, node: &OutlineNode) -> bool {
    node.order > 0 && material.story.outline_nodes.iter().filter(|other| other.order == node.order).count() == 1
}

/// Returns the positions of all names; `None` if any is unknown.
pub(super) fn orders(material: &RuleMaterial<'_>, names: &[String]) -> Option<Vec<u32>> {
    names.iter().filter(|name| !name.trim().is_empty()).map(|name| order(material, name)).collect()
}

/// Returns the order of the last node with a text, or of the last node if there are no texts; `None` without an
/// outline.
pub(super) fn told_until(material: &RuleMaterial<'_>) -> Option<u32> {
    let nodes = material.story.outline_nodes.iter().map(|node| node.order);
    let texts = material.story.documents.iter().filter(|text| text.order > 0 && says_something(&text.text));
    let written = texts.filter_map(|text| material.outline_node(text.outline_node.as_deref()?)).map(|node| node.order);
    written.max().or(nodes.max())
}

/// Returns whether the texts reach the end of the outline.
pub(super) fn is_whole(material: &RuleMaterial<'_>) -> bool {
    let last = material.reading_order().last().map(|node| node.order);
    last.is_some_and(|last| told_until(material).is_some_and(|told| told >= last))
        && !crate::levels::is_open(material.story)
}

/// Iterates over the named promises.
pub(super) fn promises<'s>(material: &RuleMaterial<'s>) -> impl Iterator<Item = &'s Promise> {
    material.story.promises.iter().filter(|promise| !promise.name.trim().is_empty())
}

/// Iterates over the non-empty names, trimmed.
pub(super) fn named(names: &[String]) -> impl Iterator<Item = &str> {
    names.iter().map(|name| name.trim()).filter(|name| !name.is_empty())
}
