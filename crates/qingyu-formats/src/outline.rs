//! Outlines in Markdown: reads cast, places and chapters from their form, without a model.
//!
//! - `blocks`: the headings, paragraphs, list items and tables of a text, with their ranges
//! - `tables`: tables by their headers, such as `姓名 | 职业` and `chapter | title | summary`
//! - `lines`: list items such as `第一章 来客：雨下了一夜` and `林青：守塔人`
//!
//! Only tables, list items, and chapter headings with the paragraphs below are taken; all other text is the rest, in
//! the author's own words.

mod blocks;
mod lines;
mod tables;

use qingyu_story::{Character, Location, OutlineNode, OutlineNodeKind};

use crate::headings;
use crate::spaces::tidy;
use blocks::{Block, Content};

/// The pieces of a story found in an outline.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outline {
    /// The cast, in order; names are unique.
    pub characters: Vec<Character>,
    /// The places, in order; names are unique.
    pub locations: Vec<Location>,
    /// The volumes and chapters, in order; names are unique.
    pub nodes: Vec<OutlineNode>,
    /// The text below a heading such as `世界观`, still part of the rest; empty if there is none.
    pub setting: String,
    /// The text without the pieces.
    pub rest: String,
}

impl Outline {
    /// Returns whether the text has no pieces.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.locations.is_empty() && self.nodes.is_empty()
    }

    /// Returns the number of chapters.
    pub fn chapters(&self) -> usize {
        self.nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).count()
    }
}

/// Reads the pieces of a story from an outline in Markdown.
///
/// Linear in the length of the text, apart from the lookup of names. A text without headings, tables and lists is all
/// rest. Places are read only beside a setting: alone they would stand for the whole world of the story.
pub fn read_outline(text: &str) -> Outline {
    let mut blocks = blocks::read(text);
    let outline = read(text, &mut blocks, true);
    if outline.setting.is_empty() && !outline.locations.is_empty() { read(text, &mut blocks, false) } else { outline }
}

/// Reads the pieces from the blocks of a text, and marks the blocks that became pieces.
fn read(text: &str, blocks: &mut [Block], takes_places: bool) -> Outline {
    let mut reader = OutlineReader {
        outline: Outline::default(),
        section: Section::Other,
        level: 0,
        is_below_chapter: false,
        takes_places,
    };
    for block in &mut *blocks {
        block.is_taken = reader.take(&block.content);
    }
    drop_empty_headings(blocks);
    let mut rest = String::new();
    let mut at = 0;
    for block in blocks.iter().filter(|block| block.is_taken) {
        if block.range.start < at {
            continue;
        }
        rest.push_str(&text[at..block.range.start]);
        at = block.range.end;
    }
    rest.push_str(&text[at..]);
    Outline { rest: without_gaps(&rest), ..reader.outline }
}

/// The kind of the text below a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Cast,
    Places,
    Chapters,
    Setting,
    Other,
}

impl Section {
    /// Returns the section that a heading names, such as `人物`, `二、大纲` or `Characters`.
    fn named(heading: &str) -> Option<Self> {
        const NAMES: &[(Section, &[&str])] = &[
            (
                Section::Cast,
                &[
                    "人物",
                    "角色",
                    "人物表",
                    "角色表",
                    "人物设定",
                    "角色设定",
                    "主要人物",
                    "cast",
                    "characters",
                    "people",
                ],
            ),
            (Section::Places, &["地点", "场景", "地点设定", "主要地点", "places", "locations"]),
            (
                Section::Chapters,
                &["大纲", "章节", "章纲", "分章大纲", "章节大纲", "故事大纲", "outline", "chapters", "chapter outline"],
            ),
            (
                Section::Setting,
                &["世界观", "世界观设定", "世界设定", "背景设定", "设定", "setting", "world", "worldbuilding"],
            ),
        ];
        let heading = tidy(heading).to_lowercase();
        let heading = heading.trim_end_matches([':', '：']);
        // A number before the words, such as `二、` or `2.`.
        let words = heading.split_once(['、', '.', '．']).map_or(heading, |(_, words)| words).trim();
        NAMES.iter().find(|(_, names)| names.contains(&words) || names.contains(&heading)).map(|(section, _)| *section)
    }
}

struct OutlineReader {
    outline: Outline,
    section: Section,
    /// The level of the heading of the section.
    level: u8,
    /// Whether paragraphs belong to the last chapter.
    is_below_chapter: bool,
    takes_places: bool,
}

impl OutlineReader {
    /// Reads a block; returns whether its text is taken into a piece.
    fn take(&mut self, content: &Content) -> bool {
        match content {
            Content::Heading { level, text } => self.heading(*level, text),
            Content::Paragraph(text) if self.is_below_chapter => {
                if let Some(node) = self.outline.nodes.last_mut() {
                    append(&mut node.description, text);
                }
                true
            }
            Content::Paragraph(text) => self.leave(text),
            Content::Item(text) => self.item(text) || self.leave(text),
            Content::Table(table) => {
                if let Some(nodes) = tables::chapters(table, self.section) {
                    nodes.into_iter().for_each(|node| self.add_node(node));
                } else if let Some(characters) = tables::cast(table, self.section) {
                    characters.into_iter().for_each(|character| self.add_character(character));
                } else if self.takes_places
                    && let Some(locations) = tables::places(table, self.section)
                {
                    locations.into_iter().for_each(|location| self.add_location(location));
                } else {
                    return false;
                }
                true
            }
            Content::Other => false,
        }
    }

    fn heading(&mut self, level: u8, text: &str) -> bool {
        self.is_below_chapter = false;
        if let Some(section) = Section::named(text) {
            (self.section, self.level) = (section, level);
            return false;
        }
        if level <= self.level {
            (self.section, self.level) = (Section::Other, 0);
        }
        if !matches!(self.section, Section::Chapters | Section::Other) {
            return false;
        }
        let Some(heading) = headings::read(text) else { return false };
        let kind = if heading.chapter.is_some() { OutlineNodeKind::Chapter } else { OutlineNodeKind::Act };
        self.is_below_chapter = kind == OutlineNodeKind::Chapter;
        self.add_node(OutlineNode { name: tidy(text), kind, ..OutlineNode::default() });
        true
    }

    fn item(&mut self, text: &str) -> bool {
        match self.section {
            Section::Cast => match lines::character(text) {
                Some(character) => self.add_character(character),
                None => return false,
            },
            Section::Places => match lines::location(text).filter(|_| self.takes_places) {
                Some(location) => self.add_location(location),
                None => return false,
            },
            Section::Setting => return false,
            Section::Chapters | Section::Other => match lines::chapter(text, self.section) {
                Some(node) => {
                    self.is_below_chapter = false;
                    self.add_node(node);
                }
                None => return false,
            },
        }
        true
    }

    /// Leaves a text to the rest, and notes the setting.
    fn leave(&mut self, text: &str) -> bool {
        /// Maximum length of the setting, in characters.
        const LONGEST: usize = 2_000;
        if self.section == Section::Setting && self.outline.setting.chars().count() < LONGEST {
            append(&mut self.outline.setting, text);
        }
        false
    }

    fn add_character(&mut self, character: Character) {
        match self.outline.characters.iter_mut().find(|known| known.name == character.name) {
            Some(known) => append(&mut known.background, &character.background),
            None => self.outline.characters.push(character),
        }
    }

    fn add_location(&mut self, location: Location) {
        match self.outline.locations.iter_mut().find(|known| known.name == location.name) {
            Some(known) => append(&mut known.description, &location.description),
            None => self.outline.locations.push(location),
        }
    }

    /// Appends a node below the last volume, unless the node names its own.
    fn add_node(&mut self, mut node: OutlineNode) {
        let nodes = &mut self.outline.nodes;
        if let Some(volume) = &node.parent
            && !nodes.iter().any(|known| known.kind == OutlineNodeKind::Act && known.name == *volume)
        {
            let order = place(nodes.len());
            let (name, kind) = (volume.clone(), OutlineNodeKind::Act);
            nodes.push(OutlineNode { name, kind, order, ..OutlineNode::default() });
        }
        if let Some(known) = nodes.iter_mut().find(|known| known.name == node.name && known.kind == node.kind) {
            return append(&mut known.description, &node.description);
        }
        if node.kind == OutlineNodeKind::Chapter && node.parent.is_none() {
            node.parent =
                nodes.iter().rfind(|known| known.kind == OutlineNodeKind::Act).map(|volume| volume.name.clone());
        }
        node.order = place(nodes.len());
        nodes.push(node);
    }
}

/// Returns the order of the node after `count` nodes.
fn place(count: usize) -> u32 {
    u32::try_from(count + 1).unwrap_or(u32::MAX)
}

/// Appends words to a text, on a line of their own.
fn append(text: &mut String, words: &str) {
    if !text.is_empty() && !words.is_empty() {
        text.push('\n');
    }
    text.push_str(words);
}

/// Takes the headings whose text below is all taken, but for the title of the work: a first heading of level 1.
fn drop_empty_headings(blocks: &mut [Block]) {
    for at in 0..blocks.len() {
        let Content::Heading { level, .. } = blocks[at].content else { continue };
        if at == 0 && level == 1 {
            continue;
        }
        let ends = |block: &&Block| matches!(block.content, Content::Heading { level: next, .. } if next <= level);
        let below: Vec<&Block> = blocks[at + 1..].iter().take_while(|block| !ends(block)).collect();
        let is_heading = |block: &&&Block| matches!(block.content, Content::Heading { .. });
        let mut texts = below.iter().filter(|block| !is_heading(block)).peekable();
        let is_taken = texts.peek().is_some() && texts.all(|block| block.is_taken);
        blocks[at].is_taken |= is_taken;
    }
}

/// Returns the text with at most one blank line between lines.
fn without_gaps(text: &str) -> String {
    let mut kept = String::new();
    let mut blanks = 0;
    for line in text.trim().lines() {
        blanks = if line.trim().is_empty() { blanks + 1 } else { 0 };
        if blanks < 2 {
            kept.push_str(line.trim_end());
            kept.push('\n');
        }
    }
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests;
