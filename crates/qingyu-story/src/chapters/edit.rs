//! Edits of chapters from the author's view: the outline node together with its text.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chapter::Chapter;
use super::list::{outline, texts};
use super::lookup::{ChapterLookupError, Chapters};
use super::name::ChapterName;
use crate::edit::{self, Edit, EditTarget};
use crate::ids;
use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::{Document, OutlineNode, OutlineNodeKind, Story};

/// A change of the chapters of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum ChapterEdit {
    /// Gives a chapter another title.
    Rename {
        /// Which.
        chapter: ChapterName,
        /// The title, with its number if it is to have one.
        title: String,
    },
    /// Puts a chapter behind another, into its volume.
    Move {
        /// Which.
        chapter: ChapterName,
        /// Behind which; to the beginning of the book without it.
        #[serde(default)]
        after: Option<ChapterName>,
        /// The volume or arc that takes it, by name or id: behind `after` if that stands in it, else at its beginning; the
        /// one of `after` without it. A chapter that is only a text stands in no volume.
        #[serde(default)]
        into: Option<String>,
    },
    /// Adds a chapter.
    Insert {
        /// Behind which; at the beginning of the book without it.
        #[serde(default)]
        after: Option<ChapterName>,
        /// The title, with its number if it is to have one.
        title: String,
        /// The text; without it the chapter is only planned.
        #[serde(default)]
        text: String,
    },
    /// Makes two chapters of one.
    Split {
        /// Which.
        chapter: ChapterName,
        /// The words with which the second begins; they must stand in the text exactly once.
        at: String,
        /// The title of the second.
        title: String,
    },
    /// Adds the next chapter to the end of a chapter.
    Join {
        /// The first of the two.
        chapter: ChapterName,
    },
    /// Takes a chapter out: its node, the scenes below it, and its texts.
    Delete {
        /// Which.
        chapter: ChapterName,
    },
}

/// A chapter in the list that an edit leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterRow {
    /// Its place in the book, from 1; `#4` names the fourth.
    pub place: u32,
    /// The number in its heading.
    pub number: Option<u32>,
    /// The volume it stands in.
    pub volume: Option<String>,
    /// Its title.
    pub title: String,
    /// The id of its outline node.
    pub node: Option<String>,
    /// The ids of its texts.
    pub documents: Vec<String>,
}

/// Another chapter of the same volume has the same number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SameNumber {
    /// The number.
    pub number: u32,
    /// A name for each of them that means it alone.
    pub chapters: Vec<String>,
}

/// An error of a chapter edit.
#[derive(Debug, thiserror::Error)]
pub enum ChapterEditError {
    /// The name does not match exactly one chapter.
    #[error(transparent)]
    Unresolved(#[from] ChapterLookupError),
    /// The piece edit failed.
    #[error(transparent)]
    Edit(#[from] edit::Error),
    /// The title is empty.
    #[error("a chapter needs a title")]
    NoTitle,
    /// The words at the split point do not occur exactly once, or nothing precedes them.
    #[error("\"{at}\" must stand in the chapter once, with text before it; it stands there {count} times")]
    NotOnce {
        /// The words.
        at: String,
        /// The number of occurrences.
        count: usize,
    },
    /// No chapter follows the last chapter.
    #[error("no chapter follows \"{title}\"")]
    NoNext {
        /// The title of the last chapter.
        title: String,
    },
}

/// Returns the chapters of `story` as list rows.
pub fn rows(story: &Story, chapters: &Chapters) -> Vec<ChapterRow> {
    let row = |chapter: &Chapter| ChapterRow {
        place: chapter.place,
        number: chapter.number,
        volume: chapter.volume.clone(),
        title: chapter.title.clone(),
        node: chapter.node.map(|node| story.outline_nodes[node].id.clone()),
        documents: chapter.documents.iter().map(|document| story.documents[*document].id.clone()).collect(),
    };
    chapters.all().iter().map(row).collect()
}

/// Returns the chapters with the number and volume of an earlier chapter.
pub fn same_numbers(chapters: &Chapters) -> Vec<SameNumber> {
    let mut all: BTreeMap<(Option<&str>, u32, &str), Vec<&Chapter>> = BTreeMap::new();
    for chapter in chapters.all() {
        if let Some(head) = &chapter.head {
            all.entry((chapter.volume.as_deref(), head.number, head.class)).or_default().push(chapter);
        }
    }
    let several = all.into_iter().filter(|(_, several)| several.len() > 1);
    let same = several.map(|((_, number, _), several)| SameNumber {
        number,
        chapters: several.into_iter().map(|chapter| chapters.told(chapter)).collect(),
    });
    same.collect()
}

/// Applies `edit`. On an error the story is unchanged.
///
/// Updating the data settled from the texts is left to the caller.
pub fn edit_chapters(story: &mut Story, edit: &ChapterEdit) -> Result<(), ChapterEditError> {
    let mut edited = story.clone();
    match edit {
        ChapterEdit::Rename { chapter, title } => rename(&mut edited, chapter, title)?,
        ChapterEdit::Move { chapter, after, into } => {
            put_behind(&mut edited, chapter, after.as_ref(), into.as_deref())?;
        }
        ChapterEdit::Insert { after, title, text } => {
            let after = find(&edited, after.as_ref())?;
            insert(&mut edited, after.as_ref(), title, text, &OutlineNode::default())?;
        }
        ChapterEdit::Split { chapter, at, title } => split(&mut edited, chapter, at, title)?,
        ChapterEdit::Join { chapter } => join(&mut edited, chapter)?,
        ChapterEdit::Delete { chapter } => {
            let chapter = resolved(&edited, chapter)?;
            take_out(&mut edited, &chapter);
        }
    }
    *story = edited;
    Ok(())
}

fn resolved(story: &Story, name: &ChapterName) -> Result<Chapter, ChapterLookupError> {
    Chapters::of(story).resolve(name.as_str()).cloned()
}

fn find(story: &Story, name: Option<&ChapterName>) -> Result<Option<Chapter>, ChapterLookupError> {
    name.map(|name| resolved(story, name)).transpose()
}

fn rename(story: &mut Story, chapter: &ChapterName, title: &str) -> Result<(), ChapterEditError> {
    let title = titled(title)?;
    let chapter = resolved(story, chapter)?;
    if let Some(node) = chapter.node {
        let kind = PieceKind::OutlineNode;
        set(story, kind, target(&story.outline_nodes[node].id, &story.outline_nodes[node].name), "name", title)?;
    }
    // A text with the node's name has already been renamed with the node.
    if let Some(document) = chapter.documents.first().map(|document| &story.documents[*document])
        && document.title != title
    {
        set(story, PieceKind::Document, target(&document.id, &document.title), "title", title)?;
    }
    Ok(())
}

fn titled(title: &str) -> Result<&str, ChapterEditError> {
    Some(title.trim()).filter(|title| !title.is_empty()).ok_or(ChapterEditError::NoTitle)
}

fn target(id: &str, name: &str) -> EditTarget {
    EditTarget::Named(if id.trim().is_empty() { name.to_owned() } else { id.to_owned() })
}

fn set(story: &mut Story, kind: PieceKind, target: EditTarget, field: &str, value: &str) -> Result<(), edit::Error> {
    let fields = BTreeMap::from([(field.to_owned(), Value::from(value))]);
    edit::apply(story, Edit::Update { kind, target, fields }).map(|_| ())
}

/// Returns the indices of the node and all its descendants.
fn block(story: &Story, node: usize) -> BTreeSet<usize> {
    let names = Names::of(story);
    let parents: Vec<Option<usize>> = story
        .outline_nodes
        .iter()
        .map(|node| Some(names.resolve(PieceKind::OutlineNode, node.parent.as_deref()?)?.position))
        .collect();
    let mut block = BTreeSet::from([node]);
    loop {
        let below = (0..parents.len()).filter(|at| parents[*at].is_some_and(|parent| block.contains(&parent)));
        let found: Vec<usize> = below.filter(|at| !block.contains(at)).collect();
        if found.is_empty() {
            return block;
        }
        block.extend(found);
    }
}

/// Returns the last chapter at or before `place` for which `has` is true.
fn before(chapters: &Chapters, place: u32, has: impl Fn(&Chapter) -> bool) -> Option<&Chapter> {
    chapters.all().iter().take(usize::try_from(place).unwrap_or(usize::MAX)).rev().find(|chapter| has(chapter))
}

/// Moves the nodes of `moved` after the chapter and into its volume, or before all chapters.
fn place_nodes(story: &mut Story, chapters: &Chapters, moved: &BTreeSet<usize>, after: Option<&Chapter>) {
    let is_other = |chapter: &Chapter| chapter.node.is_some_and(|node| !moved.contains(&node));
    let anchor = after.and_then(|after| before(chapters, after.place, is_other)).and_then(|chapter| chapter.node);
    let mut order: Vec<usize> = outline(story).into_iter().filter(|node| !moved.contains(node)).collect();
    let inner: Vec<usize> = outline(story).into_iter().filter(|node| moved.contains(node)).collect();
    let place = match anchor {
        Some(anchor) => {
            let above = block(story, anchor);
            order.iter().rposition(|node| above.contains(node)).map_or(0, |at| at + 1)
        }
        None => {
            let first = chapters.all().iter().filter(|chapter| is_other(chapter)).find_map(|chapter| chapter.node);
            first.and_then(|first| order.iter().position(|node| *node == first)).unwrap_or(order.len())
        }
    };
    let next = chapters.all().iter().filter(|chapter| is_other(chapter)).find_map(|chapter| chapter.node);
    let parent = anchor.or(next).and_then(|node| story.outline_nodes[node].parent.clone());
    if let Some(head) = inner.first() {
        story.outline_nodes[*head].parent = parent;
    }
    order.splice(place..place, inner);
    number_nodes(story, order);
}

/// Numbers the nodes in the given order.
fn number_nodes(story: &mut Story, order: Vec<usize>) {
    let orders = orders(order.iter().map(|node| story.outline_nodes[*node].order));
    order.into_iter().zip(orders).for_each(|(node, place)| story.outline_nodes[node].order = place);
}

/// Moves the texts of `moved` after the chapter's texts, or before all texts.
fn place_documents(story: &mut Story, chapters: &Chapters, moved: &[usize], after: Option<&Chapter>) {
    let is_other = |document: &usize| !moved.contains(document);
    let anchor =
        after.and_then(|after| before(chapters, after.place, |chapter| chapter.documents.iter().any(&is_other)));
    let anchor = anchor.and_then(|chapter| chapter.documents.iter().rfind(|document| is_other(document)).copied());
    let mut order: Vec<usize> = texts(story).into_iter().filter(is_other).collect();
    let place = anchor.and_then(|anchor| order.iter().position(|document| *document == anchor)).map_or(0, |at| at + 1);
    order.splice(place..place, moved.iter().copied());
    let orders = orders(order.iter().map(|document| story.documents[*document].order));
    order.into_iter().zip(orders).for_each(|(document, place)| story.documents[document].order = place);
}

/// Returns as many increasing orders as input items: the given orders, and further orders after them where missing.
fn orders(given: impl Iterator<Item = u32>) -> Vec<u32> {
    let given: Vec<u32> = given.collect();
    let mut orders: Vec<u32> = given.iter().copied().filter(|order| *order > 0).collect();
    orders.sort_unstable();
    orders.dedup();
    while orders.len() < given.len() {
        orders.push(orders.last().copied().unwrap_or(0).saturating_add(1));
    }
    orders
}

/// Returns the index of the volume or arc with that name or id.
fn group_named(story: &Story, name: &str) -> Result<usize, ChapterEditError> {
    let named = Names::of(story).resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    let not_found = || edit::Error::NotFound { kind: PieceKind::OutlineNode, target: name.to_owned() };
    Ok(named.filter(|node| story.outline_nodes[*node].kind.is_group()).ok_or_else(not_found)?)
}

/// Moves a chapter's node and texts into a volume or arc: behind the node `after` if that stands in it, else to its
/// beginning.
fn put_into(story: &mut Story, node: usize, group: usize, after: Option<usize>) {
    let (moved, inside) = (block(story, node), block(story, group));
    let after = after.filter(|after| *after != node && inside.contains(after));
    let above = after.map_or_else(|| BTreeSet::from([group]), |after| block(story, after));
    let (inner, mut order): (Vec<usize>, Vec<usize>) = outline(story).into_iter().partition(|at| moved.contains(at));
    let place = order.iter().rposition(|at| above.contains(at)).map_or(0, |at| at + 1);
    order.splice(place..place, inner);
    let OutlineNode { id, name, .. } = &story.outline_nodes[group];
    let parent = if id.trim().is_empty() { name.clone() } else { id.clone() };
    story.outline_nodes[node].parent = Some(parent);
    number_nodes(story, order);
    let chapters = Chapters::of(story);
    let Some(chapter) = chapters.of_node(node).cloned() else { return };
    let before = chapters.at(chapter.place.saturating_sub(1));
    place_documents(story, &chapters, &chapter.documents, before);
}

fn put_behind(
    story: &mut Story,
    chapter: &ChapterName,
    after: Option<&ChapterName>,
    into: Option<&str>,
) -> Result<(), ChapterEditError> {
    let (chapter, after) = (resolved(story, chapter)?, find(story, after)?);
    let group = into.map(|name| group_named(story, name)).transpose()?;
    if let (Some(node), Some(group)) = (chapter.node, group) {
        put_into(story, node, group, after.and_then(|after| after.node));
        return Ok(());
    }
    if after.as_ref().is_some_and(|after| after.place == chapter.place) {
        return Ok(());
    }
    let chapters = Chapters::of(story);
    if let Some(node) = chapter.node {
        let moved = block(story, node);
        place_nodes(story, &chapters, &moved, after.as_ref());
    }
    place_documents(story, &chapters, &chapter.documents, after.as_ref());
    Ok(())
}

/// Inserts a chapter after another; `like` supplies the other fields of the node. A book without an outline receives
/// only a text.
fn insert(
    story: &mut Story,
    after: Option<&Chapter>,
    title: &str,
    text: &str,
    like: &OutlineNode,
) -> Result<(), ChapterEditError> {
    let title = titled(title)?;
    let taken = |kind: PieceKind| Err(edit::Error::NameTaken { kind, name: title.to_owned() }.into());
    if story.documents.iter().any(|document| fold(&document.title) == fold(title)) {
        return taken(PieceKind::Document);
    }
    if story.outline_nodes.iter().any(|node| fold(&node.name) == fold(title)) {
        return taken(PieceKind::OutlineNode);
    }
    let chapters = Chapters::of(story);
    let has_outline = !story.outline_nodes.is_empty();
    if has_outline || text.trim().is_empty() {
        let (id, order) = (String::new(), 0);
        let kind = OutlineNodeKind::Chapter;
        story.outline_nodes.push(OutlineNode { id, order, kind, name: title.to_owned(), ..like.clone() });
        ids::assign(story);
        let node = story.outline_nodes.len() - 1;
        place_nodes(story, &chapters, &BTreeSet::from([node]), after);
    }
    if !text.trim().is_empty() {
        let node = story.outline_nodes.last().filter(|_| has_outline);
        let outline_node = node.map(|node| node.id.clone());
        let (title, text) = (title.to_owned(), text.to_owned());
        story.documents.push(Document { title, outline_node, version: 1, text, ..Document::default() });
        ids::assign(story);
        let document = story.documents.len() - 1;
        place_documents(story, &chapters, &[document], after);
    }
    Ok(())
}

fn split(story: &mut Story, chapter: &ChapterName, at: &str, title: &str) -> Result<(), ChapterEditError> {
    let chapter = resolved(story, chapter)?;
    let at = at.trim();
    let texts = chapter.documents.iter().map(|document| &story.documents[*document].text);
    let count = if at.is_empty() { 0 } else { texts.map(|text| text.matches(at).count()).sum() };
    let is_in = |document: &&usize| story.documents[**document].text.contains(at);
    let not_once = || ChapterEditError::NotOnce { at: at.to_owned(), count };
    let document = chapter.documents.iter().find(is_in).copied().filter(|_| count == 1).ok_or_else(not_once)?;
    let text = story.documents[document].text.clone();
    let (first, second) = text.split_at(text.find(at).unwrap_or_default());
    if first.trim().is_empty() {
        return Err(not_once());
    }
    let like = chapter.node.map(|node| named_in(story, &story.outline_nodes[node], second));
    let own = &mut story.documents[document];
    first.trim_end().clone_into(&mut own.text);
    own.version = own.version.saturating_add(1);
    insert(story, Some(&chapter), title, second, &like.unwrap_or_default())
}

/// Returns a node with those of the cast and the place of `node` that the text names.
fn named_in(story: &Story, node: &OutlineNode, text: &str) -> OutlineNode {
    let names = Names::of(story);
    let named = names.named_in(text);
    let is_named = |kind: PieceKind, name: &str| {
        let card = names.resolve(kind, name);
        card.map_or_else(|| text.contains(name), |card| named.contains(&(kind, card.position)))
    };
    let participants = node.participants.iter().filter(|name| is_named(PieceKind::Character, name));
    let location = node.location.clone().filter(|name| is_named(PieceKind::Location, name));
    OutlineNode { participants: participants.cloned().collect(), location, ..OutlineNode::default() }
}

fn join(story: &mut Story, chapter: &ChapterName) -> Result<(), ChapterEditError> {
    let chapters = Chapters::of(story);
    let first = chapters.resolve(chapter.as_str())?.clone();
    let no_next = || ChapterEditError::NoNext { title: first.title.clone() };
    let mut second = chapters.at(first.place.saturating_add(1)).cloned().ok_or_else(no_next)?;
    let texts: Vec<String> = second.documents.iter().map(|document| story.documents[*document].text.clone()).collect();
    let text = texts.into_iter().filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n\n");
    match first.documents.last() {
        Some(document) if !text.is_empty() => {
            let own = &mut story.documents[*document];
            own.text = format!("{}\n\n{}", own.text.trim_end(), text).trim_start_matches('\n').to_owned();
            own.version = own.version.saturating_add(1);
        }
        None if !text.is_empty() => {
            // The first chapter is only planned, so the second chapter's text becomes its text.
            let document = second.documents[0];
            let (node, title) = (first.node, first.title.clone());
            let own = &mut story.documents[document];
            own.text = text;
            own.title = title;
            own.version = own.version.saturating_add(1);
            own.outline_node = node.map(|node| story.outline_nodes[node].id.clone());
            second.documents.remove(0);
        }
        _ => {}
    }
    join_nodes(story, &first, &second);
    take_out(story, &second);
    Ok(())
}

/// Merges the second chapter's node into the first, and redirects references to the first.
fn join_nodes(story: &mut Story, first: &Chapter, second: &Chapter) {
    let (Some(node), Some(other)) = (first.node, second.node) else { return };
    let gone = story.outline_nodes[other].clone();
    let kept = &mut story.outline_nodes[node];
    for (text, more) in [(&mut kept.description, &gone.description), (&mut kept.goal, &gone.goal)] {
        if !more.trim().is_empty() {
            *text = format!("{text}\n{more}").trim().to_owned();
        }
    }
    for (list, more) in
        [(&mut kept.participants, gone.participants), (&mut kept.plants, gone.plants), (&mut kept.pays, gone.pays)]
    {
        let fresh: Vec<String> = more.into_iter().filter(|one| !list.contains(one)).collect();
        list.extend(fresh);
    }
    kept.words = match (kept.words, gone.words) {
        (Some(words), Some(more)) => Some(words.saturating_add(more)),
        (words, more) => words.or(more),
    };
    let to = if kept.id.is_empty() { kept.name.clone() } else { kept.id.clone() };
    for kind in PieceKind::ALL {
        for position in 0..story.count(kind) {
            let Some(mut piece) = story.piece(kind, position) else { continue };
            let mut is_changed = false;
            for (kinds, name) in piece.references_mut() {
                let means_it = *name == gone.id || fold(name) == fold(&gone.name);
                if kinds.contains(&PieceKind::OutlineNode) && means_it && !name.is_empty() {
                    name.clone_from(&to);
                    is_changed = true;
                }
            }
            if is_changed {
                story.replace(position, piece);
            }
        }
    }
}

fn take_out(story: &mut Story, chapter: &Chapter) {
    let nodes = chapter.node.map(|node| block(story, node)).unwrap_or_default();
    let mut at = 0..;
    story.outline_nodes.retain(|_| at.next().is_none_or(|at| !nodes.contains(&at)));
    let mut at = 0..;
    story.documents.retain(|_| at.next().is_none_or(|at| !chapter.documents.contains(&at)));
}
