//! The chapters of a story by their position in the outline, with their texts.

use std::collections::{BTreeSet, HashMap};

use qingyu_story::chapters::{self, ChapterLookupError, ChapterName, Chapters};
use qingyu_story::document::AnsweredQuestion;
use qingyu_story::{AuthorInstruction, Document, Levels, Names, OutlineNode, PieceKind, Story, levels, numerals};
use serde::{Deserialize, Serialize};

/// A story as a list of chapters, numbered from 1 in reading order.
#[derive(Debug)]
pub struct NumberedBook<'s> {
    /// The story.
    pub story: &'s Story,
    names: Names,
    /// Indexes of the chapters' outline nodes.
    chapters: Vec<usize>,
    /// Index in [`chapters`](Self::chapters), by index of the outline node.
    places: HashMap<usize, usize>,
    /// Index of each chapter's document.
    texts: Vec<Option<usize>>,
}

/// The current chapter, as taken from the queue.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterInHand {
    /// Number of the chapter.
    pub(crate) number: u32,
    /// Number of chapters in the book.
    pub(crate) of: u32,
    /// Id of the outline node.
    pub(crate) node: String,
    /// Title of the chapter.
    pub(crate) title: String,
    /// Target length in Chinese characters or English words.
    pub(crate) words: u32,
    /// Existing document, if any.
    pub(crate) base: Option<BaseDocument>,
    /// Text of the existing document.
    pub(crate) text: String,
    /// Whether a model has read this text.
    pub(crate) is_read: bool,
    /// Instructions of the author for this text from earlier runs.
    pub(crate) instructions: Vec<AuthorInstruction>,
    /// Answers of the author to questions about this text.
    pub(crate) answers: Vec<AnsweredQuestion>,
    /// Byte range of [`text`](Self::text) to rewrite; `None` for all.
    pub(crate) part: Option<(usize, usize)>,
    /// Context of the chapter within the book.
    pub(crate) surroundings: ChapterSurroundings,
    /// Tokens and price of the run before this chapter.
    pub(crate) spent_before: (u64, u64),
    /// Number of the run's calls before this chapter.
    pub(crate) calls_before: usize,
}

impl ChapterInHand {
    /// Returns the number used in prompts: from the heading, so a prologue does not shift the rest; the default is the
    /// position in the book.
    pub(crate) fn told_number(&self) -> u32 {
        chapters::heading(&self.title).map_or(self.number, |heading| heading.number)
    }
}

impl ChapterSurroundings {
    /// Returns the outline nodes of the chapter: its scenes, then itself.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &OutlineNode> {
        self.scenes.iter().chain([&self.node])
    }
}

/// A document, as of the start of the work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct BaseDocument {
    /// Id of the document.
    pub(crate) document: String,
    /// Version of the document.
    pub(crate) version: u32,
}

/// The context of a chapter within the book, each part within its limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterSurroundings {
    /// Sections from the outline: the node, its scenes, planned events and turns.
    pub outline: Vec<String>,
    /// Short lists of people, things and open promises, a section each, for the plan of the chapter.
    pub known: Vec<String>,
    /// The next chapter in the outline, in one line.
    pub next: String,
    /// What written later chapters say of its events and people: not to be told before, nor to be contradicted.
    pub later: Vec<String>,
    /// The story so far: a line for each arc, then one for each of the last three chapters.
    pub before: Vec<String>,
    /// End of the previous chapter.
    pub ending: String,
    /// Names of the participants.
    pub participants: Vec<String>,
    /// Names of people that the chapter is about and who do not take part.
    pub absent: Vec<String>,
    /// Facts to keep from the reader: the truth of the book, and secrets of the participants and of those it is about.
    pub hidden: Vec<String>,
    /// Beginning of the book, as a sample of its prose.
    pub sample: String,
    /// Comparisons used in the last chapters, not to be repeated.
    pub images: Vec<String>,
    /// Outline node of the chapter.
    pub node: OutlineNode,
    /// Scenes of the chapter in the outline.
    pub scenes: Vec<OutlineNode>,
}

impl<'s> NumberedBook<'s> {
    /// Returns the chapters of `story`: the outline nodes of kind chapter; by default all nodes without children.
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

    /// Returns the names of the story.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the number of chapters.
    pub fn len(&self) -> u32 {
        u32::try_from(self.chapters.len()).unwrap_or(u32::MAX)
    }

    /// Returns whether the book has no chapters.
    pub fn is_empty(&self) -> bool {
        self.chapters.is_empty()
    }

    /// Resolves `names` to chapter numbers, in reading order, without duplicates.
    ///
    /// Returns an error for the first name with no match, several matches, or a text outside the outline.
    pub fn numbers(&self, names: &[ChapterName]) -> Result<Vec<u32>, ChapterLookupError> {
        let all = Chapters::with(self.story, &self.names);
        let mut numbers = Vec::new();
        for name in names {
            for chapter in all.resolve_list(name.as_str())? {
                let number = chapter.node.and_then(|node| self.number_at(node));
                numbers.push(number.ok_or_else(|| ChapterLookupError::Unknown { given: name.to_string() })?);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// Returns the chapters of `names` without a text, by place, if they reach beyond the chapters of the outline and within
    /// the planned length of the book; `None` otherwise.
    pub fn ahead(&self, names: &[ChapterName]) -> Option<Vec<u32>> {
        let levels = Levels::with(self.story, &self.names)?;
        let shift = levels::unnumbered(self.story);
        let mut places = BTreeSet::new();
        for name in names {
            match self.numbers(std::slice::from_ref(name)) {
                Ok(numbers) => places.extend(numbers),
                Err(_) => {
                    for (first, last) in ranges(name.as_str())? {
                        places.extend(first.saturating_add(shift)..=last.saturating_add(shift).min(levels.length + 1));
                    }
                }
            }
        }
        let last = *places.last()?;
        if last <= self.len() || last > levels.length {
            return None;
        }
        let (written, _) = self.written();
        Some(places.into_iter().filter(|place| !written.contains(place)).collect())
    }

    /// Returns the outline node of a chapter.
    pub fn node(&self, number: u32) -> Option<&'s OutlineNode> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.chapters.get(place).map(|position| &self.story.outline_nodes[*position])
    }

    /// Returns the chapters of `numbers` whose current text no model has read.
    pub fn unread(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let is_unread = |document: &Document| !document.text.trim().is_empty() && document.read_state().is_open();
        numbers.into_iter().filter(|number| self.document(*number).is_some_and(is_unread)).collect()
    }

    /// Returns the title of a chapter.
    pub fn title(&self, number: u32) -> String {
        self.node(number).map(|node| title(node).to_owned()).unwrap_or_default()
    }

    /// Returns the document of a chapter: the first one for its node or a scene of it.
    pub fn document(&self, number: u32) -> Option<&'s Document> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.texts.get(place).copied().flatten().map(|at| &self.story.documents[at])
    }

    /// Returns the number of the chapter told by a document.
    pub fn number_of(&self, document: &str) -> Option<u32> {
        let document = self.names.resolve(PieceKind::Document, document)?.position;
        let node = self.position(self.story.documents[document].outline_node.as_deref()?)?;
        self.number_at(node).or_else(|| self.number_at(self.parent(node)?))
    }

    /// Returns the number of the chapter at this index of the outline.
    pub(crate) fn number_at(&self, node: usize) -> Option<u32> {
        self.places.get(&node).and_then(|place| u32::try_from(place + 1).ok())
    }

    /// Returns the number of the chapter that `name`, a document or an outline node, belongs to.
    pub(crate) fn number_named(&self, name: &str) -> Option<u32> {
        self.number_of(name).or_else(|| self.number_at(self.position(name)?))
    }

    /// Returns the chapters with a text, and the chapters without.
    pub fn written(&self) -> (Vec<u32>, Vec<u32>) {
        let has_text = |number: &u32| self.document(*number).is_some_and(|document| !document.text.trim().is_empty());
        (1..=self.len()).partition(has_text)
    }

    /// Returns the ancestors of a chapter's node, nearest first.
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

    /// Returns the index of the node with this name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.position(self.story.outline_nodes[node].parent.as_deref()?)
    }
}

/// Returns the title of a node.
pub(crate) fn title(node: &OutlineNode) -> &str {
    if node.name.trim().is_empty() { &node.id } else { node.name.trim() }
}

/// Parses chapters given by numbers: `3`, `1-200`, `第1到200章`, `1-3,7`.
fn ranges(given: &str) -> Option<Vec<(u32, u32)>> {
    let number =
        |text: &str| numerals::read(text.trim().trim_start_matches('第').trim_end_matches(['章', '回']).trim());
    let range = |part: &str| match part.split_once(['-', '–', '—', '~', '～', '到', '至']) {
        Some((first, last)) => Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last),
        None => number(part).map(|number| (number, number)),
    };
    given.trim_start_matches('@').split([',', '，', '、', ';', '；']).map(range).collect()
}
