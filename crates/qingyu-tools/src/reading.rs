//! Reading order of a book: its outline nodes, chapters and texts.

use std::collections::BTreeMap;

use qingyu_story::{Document, Names, OutlineNode, PieceKind, Story, chapters};

/// A story in reading order.
#[derive(Debug)]
pub(crate) struct ReadingOrder<'s> {
    pub(crate) story: &'s Story,
    pub(crate) names: Names,
    /// Positions of the outline nodes, in reading order.
    pub(crate) nodes: Vec<usize>,
    /// Index of each node in reading order.
    places: Vec<usize>,
    /// The texts of each node, in reading order.
    tellers: BTreeMap<usize, Vec<&'s Document>>,
}

impl<'s> ReadingOrder<'s> {
    pub(crate) fn of(story: &'s Story) -> Self {
        let nodes = chapters::outline(story);
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

    /// Returns the position of the node matching `name`.
    pub(crate) fn node(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
    }

    /// Returns the index of a node in reading order, from 0.
    pub(crate) fn place(&self, node: usize) -> usize {
        self.places[node]
    }

    /// Returns the positions of the chapters in reading order; without chapters, of all leaf nodes.
    pub(crate) fn chapters(&self) -> Vec<usize> {
        chapters::nodes(self.story, &self.names)
    }

    /// Returns the ancestors of a node, nearest first.
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

    /// Returns the texts of a node, in reading order.
    pub(crate) fn documents_of(&self, node: usize) -> &[&'s Document] {
        self.tellers.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns the texts of the book in reading order, without notes.
    pub(crate) fn documents(&self) -> Vec<&'s Document> {
        chapters::texts(self.story).into_iter().map(|position| &self.story.documents[position]).collect()
    }

    /// Returns the events told in a node.
    pub(crate) fn events_of(&self, node: usize) -> Vec<usize> {
        let events = self.story.timeline_events.iter().enumerate();
        let told =
            events.filter(|(_, event)| event.outline_node.as_deref().and_then(|name| self.node(name)) == Some(node));
        told.map(|(position, _)| position).collect()
    }

    /// Returns the characters matching the names, without duplicates, in the order of the names.
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

/// Returns the node as a line: title and purpose.
pub(crate) fn title(node: &OutlineNode) -> &str {
    if node.name.trim().is_empty() { &node.id } else { node.name.trim() }
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;

    #[test]
    fn people_are_meant_by_a_part_of_a_name_that_nobody_else_has() {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        let characters = ["沈砚秋", "Mara Voss", "Ned Voss"].map(card).to_vec();
        let story = Story { characters, ..Story::default() };
        let reading = ReadingOrder::of(&story);
        let called = ["砚秋", "Mara", "Voss", "沈砚秋"].map(str::to_owned);
        assert_eq!(reading.characters(&called), [0, 1], "two have the family name");
    }
}
