//! The next step of a plan, computed from the outline.

use qingyu_story::levels::said_part_length;
use qingyu_story::{Language, Levels, Names, Story, book_length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A book with more chapters is planned on levels; a shorter one at once, unless its author says how long its parts are.
const LONG: u32 = 40;
/// The most chapters of a book.
pub(crate) const LENGTH_MOST: u32 = 10_000;
/// The most chapters asked for in one call.
const BATCH: usize = 10;

/// Up to where a book is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlanTarget {
    /// The next arc that has chapters still to be planned.
    #[default]
    Next,
    /// An arc, with all before it.
    Arc {
        /// Its ordinal in the book, from 1.
        number: u32,
    },
    /// The arc of a chapter, with all before it. A chapter beyond the end makes the book longer.
    Chapter {
        /// Its number.
        number: u32,
    },
}

/// One step: what one model call is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "level", rename_all = "snake_case")]
pub(crate) enum LevelStep {
    /// The book, if it has no plan yet, and volumes for these chapters.
    Book {
        /// Number of the first chapter.
        first: u32,
        /// Number of the last chapter.
        last: u32,
    },
    /// Arcs of a volume for these chapters.
    Arcs {
        /// Id of the volume's outline node; its name if it has no id.
        volume: String,
        /// Number of the first chapter.
        first: u32,
        /// Number of the last chapter.
        last: u32,
    },
    /// Chapters of an arc.
    Chapters {
        /// Id of the arc's outline node; its name if it has no id.
        arc: String,
        /// Their numbers.
        numbers: Vec<u32>,
    },
}

impl LevelStep {
    /// Returns the numbers of the first and the last chapter.
    pub(crate) fn range(&self) -> (u32, u32) {
        match self {
            Self::Book { first, last } | Self::Arcs { first, last, .. } => (*first, *last),
            Self::Chapters { numbers, .. } => {
                (numbers.first().copied().unwrap_or_default(), numbers.last().copied().unwrap_or_default())
            }
        }
    }

    /// Returns the step in words: `分章（第 11～20 章）`.
    pub(crate) fn text(&self, language: Language) -> String {
        let (first, last) = self.range();
        let (zh, en) = match self {
            Self::Book { .. } => ("分卷", "volumes"),
            Self::Arcs { .. } => ("分幕", "arcs"),
            Self::Chapters { .. } => ("分章", "outline"),
        };
        match language {
            Language::Zh => format!("{zh}（第 {first}～{last} 章）"),
            Language::En => format!("{en} of chapters {first} to {last}"),
        }
    }

    /// Returns the name of the step, stable for equal work: `chapters/11-20`.
    pub(crate) fn name(&self) -> String {
        let (first, last) = self.range();
        let level = match self {
            Self::Book { .. } => "book",
            Self::Arcs { .. } => "arcs",
            Self::Chapters { .. } => "chapters",
        };
        format!("{level}/{first}-{last}")
    }
}

/// Returns the number of chapters of a book that is to be planned on levels: a long book, or one with more chapters than
/// the author wants in an arc or a volume.
pub fn planned_length(requirement: &str, language: Language) -> Option<u32> {
    let length = book_length(requirement, language).chapters?;
    let has_parts = said_part_length(requirement, language).is_some_and(|part| part < length);
    (length > LONG || has_parts).then_some(length.min(LENGTH_MOST))
}

/// Returns the next step on the way to whole levels for `length` chapters; `None` if volumes and arcs are whole.
pub(crate) fn next_level(story: &Story, length: u32) -> Option<LevelStep> {
    let names = Names::of(story);
    let Some(levels) = Levels::with(story, &names) else {
        let made = u32::try_from(qingyu_story::chapters::nodes(story, &names).len()).unwrap_or(u32::MAX);
        return (made < length).then(|| LevelStep::Book { first: made + 1, last: length });
    };
    let length = length.max(levels.length);
    if levels.without_volume() <= length {
        return Some(LevelStep::Book { first: levels.without_volume(), last: length });
    }
    let volume = levels.volumes.iter().find(|volume| volume.without_arc() <= volume.last)?;
    Some(LevelStep::Arcs { volume: handle(story, volume.node), first: volume.without_arc(), last: volume.last })
}

/// Returns the number of the last chapter of `target`; `None` if there is no such arc or nothing is open. The levels must
/// be whole.
pub(crate) fn last_chapter(story: &Story, target: PlanTarget) -> Option<u32> {
    let levels = Levels::of(story)?;
    match target {
        PlanTarget::Next => levels.next_open().map(|(_, arc)| arc.last),
        PlanTarget::Arc { number } => levels.arcs().find(|(_, arc)| arc.ordinal == number).map(|(_, arc)| arc.last),
        PlanTarget::Chapter { number } => levels.arc_of(number).map(|(_, arc)| arc.last),
    }
}

/// Returns the next chapters to be planned on the way to chapter `to`; `None` if all are planned.
pub(crate) fn next_chapters(story: &Story, to: u32) -> Option<LevelStep> {
    let levels = Levels::of(story)?;
    let (_, arc) = levels.next_open().filter(|(_, arc)| *arc.open().start() <= to)?;
    Some(LevelStep::Chapters { arc: handle(story, arc.node), numbers: arc.open().take(BATCH).collect() })
}

fn handle(story: &Story, node: usize) -> String {
    let node = &story.outline_nodes[node];
    if node.id.trim().is_empty() { node.name.clone() } else { node.id.clone() }
}

/// Returns the index of the outline node with this id or name.
pub(super) fn position(story: &Story, handle: &str) -> Option<usize> {
    let nodes = || story.outline_nodes.iter();
    nodes().position(|node| node.id == handle).or_else(|| nodes().position(|node| node.name == handle))
}

#[cfg(test)]
mod tests;
