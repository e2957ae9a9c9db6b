//! Promises of the story and the places where they are kept alive.

use super::Material;
use crate::piece::PieceKind;
use crate::{OutlineNode, Promise, says_something};

/// The place in reading order of an outline node or document.
pub(super) fn order(material: &Material<'_>, name: &str) -> Option<u32> {
    let node = material.outline_node(name).or_else(|| {
        let document = material.names.resolve(PieceKind::Document, name)?;
        material.outline_node(material.story.documents[document.position].outline_node.as_deref()?)
    });
    node.filter(|node| is_place_clear(material, node)).map(|node| node.order)
}

/// Whether the node has a place in reading order of its own.
pub(super) fn is_place_clear(material: &Material<'_>, node: &OutlineNode) -> bool {
    node.order > 0 && material.story.outline_nodes.iter().filter(|other| other.order == node.order).count() == 1
}

/// The places of all names; none if one of them is open.
pub(super) fn orders(material: &Material<'_>, names: &[String]) -> Option<Vec<u32>> {
    names.iter().filter(|name| !name.trim().is_empty()).map(|name| order(material, name)).collect()
}

/// How far the book is told: to the last node that has a text; to the end, if there are no texts yet. None without an
/// outline.
pub(super) fn told_until(material: &Material<'_>) -> Option<u32> {
    let nodes = material.story.outline_nodes.iter().map(|node| node.order);
    let texts = material.story.documents.iter().filter(|text| text.order > 0 && says_something(&text.text));
    let written = texts.filter_map(|text| material.outline_node(text.outline_node.as_deref()?)).map(|node| node.order);
    written.max().or(nodes.max())
}

/// Whether the text is told to the end of the outline.
pub(super) fn is_whole(material: &Material<'_>) -> bool {
    let last = material.reading_order().last().map(|node| node.order);
    last.is_some_and(|last| told_until(material).is_some_and(|told| told >= last))
}

/// Promises with a name.
pub(super) fn promises<'s>(material: &Material<'s>) -> impl Iterator<Item = &'s Promise> {
    material.story.promises.iter().filter(|promise| !promise.name.trim().is_empty())
}

/// What is not empty among the names.
pub(super) fn named(names: &[String]) -> impl Iterator<Item = &str> {
    names.iter().map(|name| name.trim()).filter(|name| !name.is_empty())
}
