//! The levels of a long book: volumes, arcs and chapters, by number.
//!
//! A book has levels if a volume or an arc of its outline says how many chapters it is planned to have. Volumes and arcs
//! exist from the start, chapters only up to the arc that is written next. Chapters are numbered by their place in the
//! book, from 1.

mod sizes;

use std::collections::BTreeMap;

use crate::chapters;
use crate::chapters::unnumbered::is_name;
use crate::names::Names;
use crate::numerals::chinese;
use crate::piece::PieceKind;
use crate::{Language, OutlineNodeKind, Story};

pub use self::sizes::{LevelSizes, PartSize, said_part_length};

/// The levels of a book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Levels {
    /// Index of the node of the whole book.
    pub book: Option<usize>,
    /// The volumes in reading order.
    pub volumes: Vec<VolumeLevel>,
    /// The number of chapters of the whole book, as planned.
    pub length: u32,
    /// The number of chapters in the outline, without those behind the first volume that belong to none.
    pub planned: u32,
    /// The number of chapters before the first volume with a planned number of chapters.
    pub before: u32,
}

/// A volume with a planned number of chapters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VolumeLevel {
    /// Index of the outline node.
    pub node: usize,
    /// Its ordinal among the volumes, from 1.
    pub ordinal: u32,
    /// Number of the first chapter.
    pub first: u32,
    /// Number of the last chapter.
    pub last: u32,
    /// The arcs in reading order.
    pub arcs: Vec<ArcLevel>,
}

/// An arc with a planned number of chapters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArcLevel {
    /// Index of the outline node.
    pub node: usize,
    /// Its ordinal in the book, from 1.
    pub ordinal: u32,
    /// Its ordinal in its volume, from 1.
    pub in_volume: u32,
    /// Number of the first chapter.
    pub first: u32,
    /// Number of the last chapter.
    pub last: u32,
    /// Number of chapters in the outline. They are its first ones: chapters are planned in order.
    pub made: u32,
}

impl ArcLevel {
    /// Returns the numbers of the chapters still to be planned.
    pub fn open(&self) -> std::ops::RangeInclusive<u32> {
        self.first + self.made..=self.last
    }
}

impl VolumeLevel {
    /// Returns the number of the first chapter that belongs to no arc; above [`last`](Self::last) if there is none.
    pub fn without_arc(&self) -> u32 {
        self.arcs.last().map_or(self.first, |arc| arc.last + 1)
    }
}

impl Levels {
    /// Returns the levels of `story`; `None` for a book without any.
    pub fn of(story: &Story) -> Option<Self> {
        Self::with(story, &Names::of(story))
    }

    /// Same as `of`, with a prebuilt name index.
    pub fn with(story: &Story, names: &Names) -> Option<Self> {
        let nodes = &story.outline_nodes;
        let has = |kind: OutlineNodeKind| {
            let mut having: Vec<usize> =
                (0..nodes.len()).filter(|at| nodes[*at].kind == kind && nodes[*at].chapters.is_some()).collect();
            having.sort_by_key(|at| (nodes[*at].order, *at));
            having
        };
        let (books, acts, arcs) = (has(OutlineNodeKind::Book), has(OutlineNodeKind::Act), has(OutlineNodeKind::Arc));
        if books.is_empty() && acts.is_empty() && arcs.is_empty() {
            return None;
        }
        let parent = |at: usize| Some(names.resolve(PieceKind::OutlineNode, nodes[at].parent.as_deref()?)?.position);
        // The chapters of each volume and arc.
        let mut made: BTreeMap<usize, u32> = BTreeMap::new();
        let all = chapters::nodes(story, names);
        let mut loose = 0;
        for chapter in &all {
            let mut at = *chapter;
            let mut is_counted = false;
            for _ in 0..4 {
                let Some(above) = parent(at) else { break };
                *made.entry(above).or_default() += 1;
                is_counted |= acts.contains(&above);
                at = above;
            }
            // A chapter without a volume behind the first one is the author's, and no part of the plan.
            let is_before = acts.first().is_none_or(|act| nodes[*chapter].order < nodes[*act].order);
            loose += u32::from(!is_counted && is_before);
        }
        let count = |at: usize| nodes[at].chapters.unwrap_or_default();
        let made_in = |at: usize| made.get(&at).copied().unwrap_or_default();
        // An arc after which chapters are planned is closed: it has the chapters that it has.
        let last_begun = arcs.iter().rposition(|arc| made_in(*arc) > 0);
        let volumes_of_arcs: Vec<Option<usize>> = arcs.iter().map(|arc| parent(*arc)).collect();
        let mut next = loose + 1;
        let (mut volumes, mut ordinal) = (Vec::new(), 0);
        for (number, volume) in (1..).zip(&acts) {
            let first = next;
            let mut own = Vec::new();
            let mut planned = 0;
            for (at, arc) in arcs.iter().enumerate().filter(|(at, _)| volumes_of_arcs[*at] == Some(*volume)) {
                ordinal += 1;
                let made = made_in(*arc);
                let is_closed = Some(at) < last_begun && made > 0;
                let size = if is_closed { made } else { count(*arc).max(made).max(1) };
                let in_volume = u32::try_from(own.len() + 1).unwrap_or(u32::MAX);
                own.push(ArcLevel { node: *arc, ordinal, in_volume, first: next, last: next + size - 1, made });
                planned += count(*arc);
                next += size;
            }
            // Chapters of the volume that belong to none of its arcs come after them.
            let in_arcs: u32 = own.iter().map(|arc| arc.made).sum();
            let rest = count(*volume).saturating_sub(planned).max(made_in(*volume).saturating_sub(in_arcs));
            next += rest;
            volumes.push(VolumeLevel { node: *volume, ordinal: number, first, last: next - 1, arcs: own });
        }
        let book = books.first().copied();
        // If chapters were deleted, the book is shorter than planned, and not open.
        let said = book.map(count).unwrap_or_default();
        let divided = loose + acts.iter().map(|volume| count(*volume)).sum::<u32>();
        let length = if divided >= said { next - 1 } else { said.max(next - 1) };
        let planned = loose + acts.iter().map(|volume| made_in(*volume)).sum::<u32>();
        Some(Self { book, volumes, length, planned, before: loose })
    }

    /// Returns the number of the first chapter that belongs to no volume; above [`length`](Self::length) if there is
    /// none.
    pub fn without_volume(&self) -> u32 {
        self.volumes.last().map_or(self.before + 1, |volume| volume.last + 1)
    }

    /// Returns all arcs in reading order, each with its volume.
    pub fn arcs(&self) -> impl Iterator<Item = (&VolumeLevel, &ArcLevel)> {
        self.volumes.iter().flat_map(|volume| volume.arcs.iter().map(move |arc| (volume, arc)))
    }

    /// Returns the number of the first chapter of a volume or arc, given by the index of its node.
    pub fn first(&self, node: usize) -> Option<u32> {
        let volume = self.volumes.iter().find(|volume| volume.node == node).map(|volume| volume.first);
        volume.or_else(|| self.arcs().find(|(_, arc)| arc.node == node).map(|(_, arc)| arc.first))
    }

    /// Returns the first arc with chapters still to be planned, with its volume.
    pub fn next_open(&self) -> Option<(&VolumeLevel, &ArcLevel)> {
        self.arcs().find(|(_, arc)| !arc.open().is_empty())
    }

    /// Returns the arc of a chapter, with its volume.
    pub fn arc_of(&self, chapter: u32) -> Option<(&VolumeLevel, &ArcLevel)> {
        self.arcs().find(|(_, arc)| (arc.first..=arc.last).contains(&chapter))
    }

    /// Returns the place of a chapter in words: `第 37 章 / 约 500 章，第二卷第三幕`.
    pub fn place(&self, chapter: u32, language: Language) -> String {
        let of = self.length;
        let volume = self.volumes.iter().find(|volume| (volume.first..=volume.last).contains(&chapter));
        // 0 outside the volumes, and where the arcs are not planned yet.
        let volume = volume.map_or(0, |volume| volume.ordinal);
        let arc = self.arc_of(chapter).map_or(0, |(_, arc)| arc.in_volume);
        match (language, volume, arc) {
            (Language::Zh, 0, _) => format!("第 {chapter} 章 / 约 {of} 章"),
            (Language::Zh, _, 0) => format!("第 {chapter} 章 / 约 {of} 章，第{}卷", chinese(volume)),
            (Language::Zh, ..) => {
                format!("第 {chapter} 章 / 约 {of} 章，第{}卷第{}幕", chinese(volume), chinese(arc))
            }
            (Language::En, 0, _) => format!("chapter {chapter} of about {of}"),
            (Language::En, _, 0) => format!("chapter {chapter} of about {of}, volume {volume}"),
            (Language::En, ..) => format!("chapter {chapter} of about {of}, volume {volume}, arc {arc}"),
        }
    }

    /// Returns the number of chapters still to be planned.
    pub fn open(&self) -> u32 {
        self.length.saturating_sub(self.planned)
    }
}

/// Returns whether chapters of `story` are still to be planned.
pub fn is_open(story: &Story) -> bool {
    let counts = story.outline_nodes.iter().any(|node| node.kind.is_group() && node.chapters.is_some());
    counts && Levels::of(story).is_some_and(|levels| levels.open() > 0)
}

/// Returns by how much the place of the last chapter is greater than the number in its heading: the number of chapters
/// without a number, such as a prologue.
pub fn unnumbered(story: &Story) -> u32 {
    let names = Names::of(story);
    let all = chapters::nodes(story, &names);
    let numbered = (1_u32..).zip(&all).filter_map(|(place, node)| {
        let head = chapters::heading(&story.outline_nodes[*node].name)?;
        Some(place.saturating_sub(head.number))
    });
    let is_unnumbered = |node: &&usize| {
        let name = story.outline_nodes[**node].name.trim();
        let word = name.split([' ', ':', '：', '·', '—', '\u{3000}']).next().unwrap_or_default();
        is_name(word)
    };
    // Before the first number, only chapters such as a prologue are known to have none.
    let named = || u32::try_from(all.iter().filter(is_unnumbered).count()).unwrap_or(u32::MAX);
    numbered.last().unwrap_or_else(named)
}

#[cfg(test)]
mod tests;
