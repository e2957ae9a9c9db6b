//! The order in which a book is read: its outline nodes, its chapters, and the texts that tell them.

use std::collections::BTreeMap;

use qingyu_story::{Document, Names, OutlineNode, PieceKind, Story, chapters};

/// A story as a reader meets it.
#[derive(Debug)]
pub(crate) struct Reading<'s> {
    pub(crate) story: &'s Story,
    pub(crate) names: Names,
    /// Positions of the outline nodes, in reading order.
    pub(crate) nodes: Vec<usize>,
    /// The place of each node in that order.
    places: Vec<usize>,
    /// The texts that tell each node, in reading order.
    tellers: BTreeMap<usize, Vec<&'s Document>>,
}

impl<'s> Reading<'s> {
    pub(crate) fn of(story: &'s Story) -> Self {
        let mut nodes: Vec<usize> = (0..story.outline_nodes.len()).collect();
        nodes.sort_by_key(|position| (story.outline_nodes[*position].order, *position));
        let mut places = vec![0; nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            places[*node] = place;
        }
        let mut reading = Self { story, names: Names::of(story), nodes, places, tellers: BTreeMap::new() };
        for document in &story.documents {
            if let Some(node) = document.outline_node.as_deref().and_then(|name| reading.node(name)) {
                reading.tellers.entry(node).or_default().push(document);
            }
        }
        for documents in reading.tellers.values_mut() {
            documents.sort_by_key(|document| document.order);
        }
        reading
    }

    /// The position of the node that `name` means.
    pub(crate) fn node(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
    }

    /// The place of a node in reading order, from 0.
    pub(crate) fn place(&self, node: usize) -> usize {
        self.places[node]
    }

    /// The chapters in reading order, as positions; all nodes that have no children if nothing is called a chapter.
    pub(crate) fn chapters(&self) -> Vec<usize> {
        chapters::nodes(self.story, &self.names)
    }

    /// The nodes above a node, nearest first.
    pub(crate) fn above(&self, node: usize) -> Vec<usize> {
        let mut above = Vec::new();
        let mut at = node;
        while let Some(parent) = self.story.outline_nodes[at].parent.as_deref().and_then(|name| self.node(name)) {
            if parent == node || above.contains(&parent) {
                break;
            }
            above.push(parent);
            at = parent;
        }
        above
    }

    /// The texts that tell a node, in reading order.
    pub(crate) fn documents_of(&self, node: usize) -> &[&'s Document] {
        self.tellers.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The texts of the book in reading order; notes are none of it.
    pub(crate) fn documents(&self) -> Vec<&'s Document> {
        let mut documents: Vec<&Document> = self.story.documents.iter().filter(|document| document.order > 0).collect();
        documents.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        documents
    }

    /// The events that a node tells.
    pub(crate) fn events_of(&self, node: usize) -> Vec<usize> {
        let events = self.story.timeline_events.iter().enumerate();
        let told =
            events.filter(|(_, event)| event.outline_node.as_deref().and_then(|name| self.node(name)) == Some(node));
        told.map(|(position, _)| position).collect()
    }

    /// The characters that the names mean, each once, in the order of the names.
    pub(crate) fn characters<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Vec<usize> {
        let mut found = Vec::new();
        for name in names {
            if let Some(named) = self.names.resolve(PieceKind::Character, name)
                && !found.contains(&named.position)
            {
                found.push(named.position);
            }
        }
        found
    }
}

/// The last `count` characters of a text, without the white space around it.
pub(crate) fn ending(text: &str, count: usize) -> &str {
    let text = text.trim();
    let start = text.char_indices().rev().nth(count.saturating_sub(1)).map_or(0, |(at, _)| at);
    if count == 0 { "" } else { &text[start..] }
}

/// The node as a line: title, and what it is for.
pub(crate) fn title(node: &OutlineNode) -> &str {
    if node.name.trim().is_empty() { &node.id } else { node.name.trim() }
}
