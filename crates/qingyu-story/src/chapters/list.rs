//! Collects the chapters of a story in order.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{Chapter, HeadingKey};
use super::heading::heading;
use super::unnumbered;
use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::{Document, OutlineNode, OutlineNodeKind, Story};

/// Returns the indices of all outline nodes, in reading order; of equal orders, the first comes first.
pub fn outline(story: &Story) -> Vec<usize> {
    let mut nodes: Vec<usize> = (0..story.outline_nodes.len()).collect();
    nodes.sort_by_key(|position| (story.outline_nodes[*position].order, *position));
    nodes
}

/// Returns the indices of the texts of the book, without notes, in reading order; of equal orders, by id.
pub fn texts(story: &Story) -> Vec<usize> {
    let all = &story.documents;
    let mut texts: Vec<usize> = (0..all.len()).filter(|position| all[*position].order > 0).collect();
    texts.sort_by(|a, b| (all[*a].order, &all[*a].id, a).cmp(&(all[*b].order, &all[*b].id, b)));
    texts
}

/// Returns the indices of the outline nodes of kind chapter, in reading order; if none exist, of all nodes without
/// children.
pub fn nodes(story: &Story, names: &Names) -> Vec<usize> {
    let all = &story.outline_nodes;
    let order = outline(story);
    let is_chapter = |position: &usize| all[*position].kind == OutlineNodeKind::Chapter;
    let mut chapters: Vec<usize> = order.iter().copied().filter(is_chapter).collect();
    if chapters.is_empty() {
        let node = |name: &str| names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
        let parents: BTreeSet<usize> = all.iter().filter_map(|other| node(other.parent.as_deref()?)).collect();
        // A volume or arc with a planned number of chapters is still to be divided.
        let is_open = |node: &OutlineNode| node.kind.is_group() && node.chapters.is_some();
        let is_leaf = |position: &usize| !parents.contains(position) && !is_open(&all[*position]);
        chapters = order.into_iter().filter(is_leaf).collect();
    }
    chapters
}

/// Returns the chapters in reading order; the caller assigns places and numbers.
pub(super) fn list(story: &Story, names: &Names) -> Vec<Chapter> {
    let positions = nodes(story, names);
    let mut chapters: Vec<Chapter> = positions.iter().map(|node| of_node(story, names, *node)).collect();
    let places: BTreeMap<usize, usize> = positions.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let told = |document: &Document| {
        // A text without a node belongs to the node with the same name.
        let named = document.outline_node.as_deref().and_then(|node| position(names, node));
        let node = named.or_else(|| position(names, &document.title))?;
        let parent = || position(names, story.outline_nodes[node].parent.as_deref()?);
        places.get(&node).or_else(|| places.get(&parent()?)).copied()
    };
    // The texts without a node, after the chapter of the preceding text.
    let mut between: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    let mut last = None;
    for document in texts(story) {
        match told(&story.documents[document]) {
            Some(place) => {
                append_text(&mut chapters[place], story, document);
                last = Some(place);
            }
            None => between.entry(last).or_default().push(document),
        }
    }
    let alone = |document: &usize| {
        let mut chapter = empty(&story.documents[*document].title);
        append_text(&mut chapter, story, *document);
        chapter
    };
    let mut all: Vec<Chapter> = between.get(&None).into_iter().flatten().map(alone).collect();
    for (place, chapter) in chapters.into_iter().enumerate() {
        all.push(chapter);
        all.extend(between.get(&Some(place)).into_iter().flatten().map(alone));
    }
    all
}

fn of_node(story: &Story, names: &Names, position: usize) -> Chapter {
    let node = &story.outline_nodes[position];
    let title = if node.name.trim().is_empty() { node.id.trim() } else { node.name.trim() };
    let mut chapter = empty(title);
    chapter.node = Some(position);
    name(&mut chapter, title);
    add_id(&mut chapter, &node.id);
    if let Some(volume) = volume(story, names, position) {
        chapter.volume_number = heading(&volume).map(|head| head.number).or(chapter.volume_number);
        chapter.volume = Some(volume);
    }
    chapter
}

/// Returns the name of the act above a node.
fn volume(story: &Story, names: &Names, node: usize) -> Option<String> {
    const DEEPEST: usize = 8;
    let mut at = node;
    for _ in 0..DEEPEST {
        at = position(names, story.outline_nodes[at].parent.as_deref()?)?;
        if story.outline_nodes[at].kind == OutlineNodeKind::Act {
            return Some(story.outline_nodes[at].name.trim().to_owned());
        }
    }
    None
}

fn position(names: &Names, name: &str) -> Option<usize> {
    names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
}

fn empty(title: &str) -> Chapter {
    Chapter {
        place: 0,
        number: None,
        volume: None,
        title: title.trim().to_owned(),
        node: None,
        documents: Vec::new(),
        ids: Vec::new(),
        titles: Default::default(),
        head: None,
        volume_number: None,
    }
}

/// Appends a text to its chapter.
fn append_text(chapter: &mut Chapter, story: &Story, document: usize) {
    chapter.documents.push(document);
    add_id(chapter, &story.documents[document].id);
    name(chapter, &story.documents[document].title);
    if chapter.title.is_empty() {
        story.documents[document].id.trim().clone_into(&mut chapter.title);
    }
}

fn add_id(chapter: &mut Chapter, id: &str) {
    let id = id.trim();
    if !id.is_empty() && !chapter.ids.iter().any(|known| known == id) {
        chapter.ids.push(id.to_owned());
    }
}

/// Adds the full title, and the part after the number or after the word of an unnumbered chapter.
fn name(chapter: &mut Chapter, title: &str) {
    let title = title.trim();
    if title.is_empty() {
        return;
    }
    chapter.titles.insert(fold(title));
    let Some(head) = heading(title) else {
        chapter.titles.extend(unnumbered::parts(title).into_iter().flat_map(|(word, rest)| [fold(word), fold(rest)]));
        return;
    };
    if !head.rest.is_empty() {
        chapter.titles.insert(fold(head.rest));
    }
    chapter.volume_number = chapter.volume_number.or(head.volume);
    chapter.head.get_or_insert_with(|| HeadingKey {
        rank: head.rank,
        number: head.number,
        class: head.class(),
        rest: fold(head.rest),
    });
}
