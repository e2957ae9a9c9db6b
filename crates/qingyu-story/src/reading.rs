//! The reading progress of a book's chapters.
//!
//! A model's reading stores a [`ReadMark`] in the document, with a digest of the text. Whether the reading is current
//! is computed from the digest, so no edit, restore, merge or import can hide a stale reading.

mod mark;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settlement::{Settled, digest};
use crate::{Document, Story};

pub use mark::{Dispute, ReadMark, Remark};

impl ReadMark {
    /// Returns the mark of a reading of the current `document` by `model`.
    pub fn new(document: &Document, model: impl Into<String>) -> Self {
        Self { version: document.version, digest: digest(&document.text), model: model.into() }
    }
}

/// How far the current text of a chapter has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadState {
    /// Nobody has read it.
    #[default]
    Unread,
    /// Only rules have read it: they understand little, and find no contradiction between meanings.
    RulesOnly,
    /// A model read an earlier text of it.
    Changed,
    /// A model read the current text.
    Read,
}

impl ReadState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Unread, Self::RulesOnly, Self::Changed, Self::Read];

    /// Returns the name in JSON and locale keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::RulesOnly => "rules_only",
            Self::Changed => "changed",
            Self::Read => "read",
        }
    }

    /// Returns whether no model has read the current text.
    pub fn is_open(self) -> bool {
        self != Self::Read
    }
}

/// A chapter, and how far its current text has been read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterCoverage {
    /// Its place in reading order, counted from 1.
    pub chapter: u32,
    /// The id of its document.
    pub document: String,
    /// Its title.
    pub title: String,
    /// The version of its current text.
    pub version: u32,
    /// How far that text has been read.
    pub state: ReadState,
    /// The newest reading by a model, be it of this text or of an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadMark>,
}

impl Document {
    /// Returns the reading state of the text.
    pub fn read_state(&self) -> ReadState {
        match (&self.read, &self.settled) {
            (Some(mark), _) if mark.digest == digest(&self.text) => ReadState::Read,
            (Some(_), _) => ReadState::Changed,
            (None, Some(_)) => ReadState::RulesOnly,
            (None, None) => ReadState::Unread,
        }
    }

    /// Returns the record of the settlement of the current text; `None` if no text or an earlier one was settled.
    pub fn current_settlement(&self) -> Option<&Settled> {
        self.settled.as_ref().filter(|record| record.digest == digest(&self.text))
    }
}

/// Returns the chapters of `story` with a text, in reading order, with the reading state of each.
///
/// Takes time linear in the length of the texts.
pub fn chapter_coverage(story: &Story) -> Vec<ChapterCoverage> {
    let chapters = story.documents.iter().filter(|document| document.order > 0 && !document.text.trim().is_empty());
    let mut readings: Vec<_> = chapters
        .map(|document| ChapterCoverage {
            chapter: document.order,
            document: document.id.clone(),
            title: document.title.clone(),
            version: document.version,
            state: document.read_state(),
            read: document.read.clone(),
        })
        .collect();
    readings.sort_by_key(|reading| reading.chapter);
    readings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settlement::Settled;

    fn document(text: &str) -> Document {
        Document { order: 1, version: 1, text: text.into(), ..Document::default() }
    }

    #[test]
    fn a_reading_holds_for_the_text_that_was_read() {
        let mut chapter = document("雨停了。");
        assert_eq!(chapter.read_state(), ReadState::Unread);
        chapter.settled = Some(Settled::default());
        assert_eq!(chapter.read_state(), ReadState::RulesOnly);
        chapter.read = Some(ReadMark::new(&chapter, "mine/strong"));
        assert_eq!(chapter.read_state(), ReadState::Read);
        chapter.text = "雨没有停。".into();
        assert_eq!(chapter.read_state(), ReadState::Changed);
        // An equal version does not suffice: a merge may insert another text with the same number.
        chapter.version = chapter.read.as_ref().map_or(0, |mark| mark.version);
        assert_eq!(chapter.read_state(), ReadState::Changed);
        chapter.text = "雨停了。".into();
        assert_eq!(chapter.read_state(), ReadState::Read, "the text that was read is back");
    }

    #[test]
    fn only_chapters_with_a_text_are_listed() {
        let aside = Document { order: 0, ..document("备忘") };
        let empty = Document { order: 2, ..document(" \n") };
        let last = Document { order: 3, title: "末章".into(), ..document("天亮了。") };
        let story = Story { documents: vec![last, aside, empty, document("雨停了。")], ..Story::default() };
        let listed: Vec<u32> = chapter_coverage(&story).iter().map(|reading| reading.chapter).collect();
        assert_eq!(listed, [1, 3]);
    }
}
