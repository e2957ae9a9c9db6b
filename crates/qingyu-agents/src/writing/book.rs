//! The chapters of a story by their place in the outline, and the texts that tell them.

use std::collections::HashMap;

use qingyu_story::chapters::{self, ChapterName, Chapters, Unresolved};
use qingyu_story::{Document, Names, OutlineNode, PieceKind, Story};
use serde::{Deserialize, Serialize};

/// A story as its chapters, numbered from 1 in reading order.
#[derive(Debug)]
pub struct Book<'s> {
    /// The story.
    pub story: &'s Story,
    names: Names,
    /// Positions of the outline nodes that are chapters.
    chapters: Vec<usize>,
    /// The places of those nodes in [`chapters`](Self::chapters).
    places: HashMap<usize, usize>,
    /// The position of the text of each chapter.
    texts: Vec<Option<usize>>,
}

/// The chapter that is worked on, as it was when it was taken from the queue.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterInHand {
    /// Its number.
    pub number: u32,
    /// How many chapters the book has.
    pub of: u32,
    /// The id of its outline node.
    pub node: String,
    /// Its title.
    pub title: String,
    /// Chinese characters or English words that it is to have.
    pub words: u32,
    /// Its document, if it has one.
    pub base: Option<Base>,
    /// The text it had.
    pub text: String,
    /// Whether a model has read that text.
    pub is_read: bool,
    /// The bytes of [`text`](Self::text) that are to be rewritten, if not all.
    pub part: Option<(usize, usize)>,
    /// What surrounds it in the book.
    pub surroundings: Surroundings,
    /// Tokens and price of the run before it.
    pub spent_before: (u64, u64),
    /// Calls of the run before it.
    pub calls_before: usize,
}

impl ChapterInHand {
    /// The number that prompts use: the one in the heading, so that a prologue does not shift the rest; for a chapter without a
    /// number its place in the book.
    pub(crate) fn told_number(&self) -> u32 {
        chapters::heading(&self.title).map_or(self.number, |heading| heading.number)
    }
}

/// A document as it was when the work on it began.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Base {
    /// Its id.
    pub document: String,
    /// Its version.
    pub version: u32,
}

/// What surrounds a chapter in the book, each within its limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// What the outline says of the chapter, as sections: the node, its scenes, planned events and turns.
    pub outline: Vec<String>,
    /// What comes next in the outline, in a line.
    pub next: String,
    /// What happened before: a line for each arc, then one for each of the last three chapters.
    pub before: Vec<String>,
    /// How the chapter before ends.
    pub ending: String,
    /// Who is said to appear.
    pub participants: Vec<String>,
    /// What must not be given away: the truth of the book and the secrets of those who appear.
    pub hidden: Vec<String>,
    /// How the book itself begins, as an example of its prose.
    pub sample: String,
    /// Comparisons of the last chapters, which are not to come again.
    pub images: Vec<String>,
    /// The outline node of the chapter.
    pub node: OutlineNode,
    /// The scenes that the outline has for it.
    pub scenes: Vec<OutlineNode>,
}

impl<'s> Book<'s> {
    /// The chapters of `story`: the outline nodes that are chapters; all that have no children if there are none.
    pub fn of(story: &'s Story) -> Self {
        let names = Names::of(story);
        let chapters = chapters::nodes(story, &names);
        let places = chapters.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let texts = vec![None; chapters.len()];
        let mut book = Self { story, names, chapters, places, texts };
        for (at, document) in story.documents.iter().enumerate() {
            let Some(node) = document.outline_node.as_deref().and_then(|name| book.position(name)) else { continue };
            let told = [Some(node), book.parent(node)].into_iter().flatten().filter_map(|node| book.places.get(&node));
            for place in told.copied().collect::<Vec<_>>() {
                let known = &mut book.texts[place];
                if known.is_none_or(|known| document.order < story.documents[known].order) {
                    *known = Some(at);
                }
            }
        }
        book
    }

    /// How many chapters there are.
    pub fn len(&self) -> u32 {
        u32::try_from(self.chapters.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chapters.is_empty()
    }

    /// The chapters that `names` mean, in reading order, each once.
    ///
    /// Fails with the first name that means none, several, or a text that has no place in the outline.
    pub fn numbers(&self, names: &[ChapterName]) -> Result<Vec<u32>, Unresolved> {
        let all = Chapters::with(self.story, &self.names);
        let mut numbers = Vec::new();
        for name in names {
            for chapter in all.resolve_list(name.as_str())? {
                let number = chapter.node.and_then(|node| self.number_at(node));
                numbers.push(number.ok_or_else(|| Unresolved::Unknown { given: name.to_string() })?);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// The outline node of a chapter.
    pub fn node(&self, number: u32) -> Option<&'s OutlineNode> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.chapters.get(place).map(|position| &self.story.outline_nodes[*position])
    }

    /// The chapters among `numbers` whose current text no model has read.
    pub fn unread(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let is_unread = |document: &Document| !document.text.trim().is_empty() && document.read_state().is_open();
        numbers.into_iter().filter(|number| self.document(*number).is_some_and(is_unread)).collect()
    }

    /// What a chapter is called.
    pub fn title(&self, number: u32) -> String {
        self.node(number).map(|node| title(node).to_owned()).unwrap_or_default()
    }

    /// The text of a chapter: the first document that tells its node, or a scene of it.
    pub fn document(&self, number: u32) -> Option<&'s Document> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.texts.get(place).copied().flatten().map(|at| &self.story.documents[at])
    }

    /// The number of the chapter that a document tells.
    pub fn number_of(&self, document: &str) -> Option<u32> {
        let document = self.names.resolve(PieceKind::Document, document)?.position;
        let node = self.position(self.story.documents[document].outline_node.as_deref()?)?;
        self.number_at(node).or_else(|| self.number_at(self.parent(node)?))
    }

    /// The number of the chapter that is the outline node at that position.
    pub(crate) fn number_at(&self, node: usize) -> Option<u32> {
        self.places.get(&node).and_then(|place| u32::try_from(place + 1).ok())
    }

    /// The chapters that have a text, and those that have none.
    pub fn written(&self) -> (Vec<u32>, Vec<u32>) {
        let has_text = |number: &u32| self.document(*number).is_some_and(|document| !document.text.trim().is_empty());
        (1..=self.len()).partition(has_text)
    }

    /// The nodes above a chapter, nearest first.
    pub fn above(&self, number: u32) -> Vec<&'s OutlineNode> {
        let Some(place) = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)) else {
            return Vec::new();
        };
        let mut above = Vec::new();
        let mut at = self.chapters.get(place).copied();
        while let Some(parent) = at.and_then(|node| self.parent(node)) {
            if above.contains(&parent) {
                break;
            }
            above.push(parent);
            at = Some(parent);
        }
        above.into_iter().map(|position| &self.story.outline_nodes[position]).collect()
    }

    /// The position of the node that a name means.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.position(self.story.outline_nodes[node].parent.as_deref()?)
    }
}

/// What a node is called.
pub(crate) fn title(node: &OutlineNode) -> &str {
    if node.name.trim().is_empty() { &node.id } else { node.name.trim() }
}
