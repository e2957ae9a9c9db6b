//! How many chapters the volumes and arcs of a book have: what the author says, otherwise what fits the book.

use serde::{Deserialize, Serialize};

use crate::length::{PartLengths, part_lengths};
use crate::{Language, Story};

/// The least usual arc of a long book, in chapters; a volume with fewer is one arc.
const ARC_LEAST: u32 = 10;
/// The largest arc that an author has not asked for, in chapters.
const ARC_MOST: u32 = 40;

/// A number of chapters, at least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PartSize {
    /// At least.
    pub least: u32,
    /// At most.
    pub most: u32,
    /// Whether the premise says so, so that other sizes are refused.
    pub is_said: bool,
}

/// The sizes of the volumes and arcs of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelSizes {
    /// Of a volume.
    pub volume: PartSize,
    /// Of an arc.
    pub arc: PartSize,
    /// The number of volumes, if the author says it.
    pub volumes: Option<u32>,
}

impl Default for LevelSizes {
    /// Returns the sizes of a long book.
    fn default() -> Self {
        Self::usual(1_000)
    }
}

impl LevelSizes {
    /// Returns the sizes for a book of `length` chapters. The premise comes first, then the author's notes: texts that are
    /// no part of the book. A note may be about another book, so that its lengths are suggested and not required.
    pub fn of(story: &Story, length: u32) -> Self {
        let notes =
            story.documents.iter().filter(|document| document.order == 0).map(|document| document.text.as_str());
        let texts = std::iter::once((story.premise.as_str(), true)).chain(notes.map(|text| (text, false)));
        let said: Vec<_> = texts.map(|(text, is_premise)| (part_lengths(text, story.language), is_premise)).collect();
        let size = |part: fn(&PartLengths) -> Option<(u32, u32)>| {
            said.iter().find_map(|(said, is_premise)| {
                part(said).map(|(least, most)| PartSize { least, most, is_said: *is_premise })
            })
        };
        let mut sizes = Self::usual(length);
        sizes.volumes = said.iter().find_map(|(said, _)| said.volumes);
        if let Some(volume) = size(|said| said.volume) {
            sizes.volume = volume;
        } else if let Some(count) = sizes.volumes {
            let each = (length / count).max(1);
            sizes.volume = PartSize { least: (each * 2 / 3).max(1), most: (each * 4).div_ceil(3), is_said: false };
        }
        sizes.arc = match size(|said| said.arc) {
            Some(arc) => arc,
            // An arc is not longer than its volume.
            None => {
                let most = sizes.arc.most.min(sizes.volume.most);
                PartSize { least: sizes.arc.least.min(most).min(sizes.volume.least), most, is_said: false }
            }
        };
        sizes
    }

    /// Returns the usual sizes in a book of `length` chapters: a short book has short parts.
    fn usual(length: u32) -> Self {
        let length = length.max(1);
        let arc_least = (length / 6).clamp(1, ARC_LEAST);
        let arc_most = (length / 3).clamp(6, ARC_MOST).min(length).max(arc_least);
        let most = length.min(150);
        let volume = PartSize { least: (length / 3).clamp(arc_least, 50).min(most), most, is_said: false };
        Self { volume, arc: PartSize { least: arc_least, most: arc_most, is_said: false }, volumes: None }
    }

    /// Returns the least and the most chapters of a volume that is accepted; the last may have fewer. A volume has at least
    /// one arc.
    pub fn volume_limits(&self) -> (u32, u32) {
        if self.volume.is_said { (self.volume.least, self.volume.most) } else { (self.arc_limits().0, u32::MAX) }
    }

    /// Returns the least and the most chapters of an arc that is accepted; the last of a volume may have fewer.
    pub fn arc_limits(&self) -> (u32, u32) {
        let PartSize { least, most, is_said } = self.arc;
        if is_said { (least, most) } else { (least.min(ARC_LEAST), most.max(ARC_MOST)) }
    }
}

/// Returns the most chapters of an arc, or else of a volume, that a text asks for.
pub fn said_part_length(text: &str, language: Language) -> Option<u32> {
    let said = part_lengths(text, language);
    said.arc.or(said.volume).map(|(_, most)| most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn said(premise: &str) -> Story {
        Story { premise: premise.into(), language: Language::Zh, ..Story::default() }
    }

    fn range(size: PartSize) -> (u32, u32) {
        (size.least, size.most)
    }

    #[test]
    fn parts_of_every_length_fit_their_book() {
        for length in 1..=2_000 {
            let sizes = LevelSizes::of(&said("悬疑"), length);
            let (volume, arc) = (sizes.volume, sizes.arc);
            assert!(1 <= arc.least && arc.least <= arc.most && arc.most <= length, "{length}: {sizes:?}");
            assert!(
                arc.least <= volume.least && volume.least <= volume.most && volume.most <= length,
                "{length}: {sizes:?}"
            );
        }
        let of = |length| {
            let sizes = LevelSizes::of(&said("悬疑"), length);
            (range(sizes.volume), range(sizes.arc))
        };
        assert_eq!(of(12), ((4, 12), (2, 6)));
        assert_eq!(of(60), ((20, 60), (10, 20)));
        assert_eq!(of(500), ((50, 150), (10, 40)));
    }

    #[test]
    fn what_the_author_says_counts() {
        let sizes = LevelSizes::of(&said("每卷二十章，每幕5章"), 500);
        assert_eq!((sizes.volume_limits(), sizes.arc_limits()), ((20, 20), (5, 5)));
        let sizes = LevelSizes::of(&said("每卷八章"), 500);
        assert_eq!((sizes.volume_limits(), range(sizes.arc)), ((8, 8), (8, 8)), "an arc is not longer than its volume");
        let sizes = LevelSizes::of(&said("分三卷"), 60);
        assert_eq!((sizes.volumes, range(sizes.volume), sizes.volume_limits()), (Some(3), (13, 27), (10, u32::MAX)));
        let note = Document { text: "每幕五到八章".into(), order: 0, ..Document::default() };
        let story = Story { documents: vec![note], ..said("写六十章") };
        let sizes = LevelSizes::of(&story, 60);
        assert_eq!((range(sizes.arc), sizes.arc_limits()), ((5, 8), (5, ARC_MOST)), "a note suggests");
        let note = Document { text: "《长夜》每卷30章，每幕15章".into(), order: 0, ..Document::default() };
        let story = Story { documents: vec![note], ..said("写五百章") };
        let sizes = LevelSizes::of(&story, 500);
        assert_eq!((range(sizes.volume), range(sizes.arc)), ((30, 30), (15, 15)));
        assert_eq!((sizes.volume_limits(), sizes.arc_limits()), ((10, u32::MAX), (10, ARC_MOST)), "another book");
    }
}
