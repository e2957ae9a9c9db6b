//! How far the chapters of a book have been read.
//!
//! A model's reading leaves a [`ReadMark`] on the document, with a digest of the text that was read. Whether the reading
//! is current is worked out from the digest, so that no edit, restore, merge or import can leave a stale reading
//! unnoticed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settlement::digest;
use crate::{Document, Severity, Story};

/// A model's reading of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadMark {
    /// The version of the document that was read.
    pub version: u32,
    /// The digest of the text that was read.
    pub digest: String,
    /// The model that read it.
    pub model: String,
}

impl ReadMark {
    /// The mark of a reading of `document` as it stands by `model`.
    pub fn new(document: &Document, model: impl Into<String>) -> Self {
        Self { version: document.version, digest: digest(&document.text), model: model.into() }
    }
}

/// Something that a model found wrong in a text. It stands until its words are gone from the text, the author waives it, or
/// another reading takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Remark {
    /// How bad it is.
    pub severity: Severity,
    /// In a line.
    pub title: String,
    /// The words of the text that show it.
    pub quote: String,
    /// Why it is wrong.
    pub why: String,
    /// What would mend it.
    pub fix: String,
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Unread, Self::RulesOnly, Self::Changed, Self::Read];

    /// The name in JSON and locale keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::RulesOnly => "rules_only",
            Self::Changed => "changed",
            Self::Read => "read",
        }
    }

    /// Whether a model has yet to read the current text.
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
    /// How far the text has been read.
    pub fn read_state(&self) -> ReadState {
        match (&self.read, &self.settled) {
            (Some(mark), _) if mark.digest == digest(&self.text) => ReadState::Read,
            (Some(_), _) => ReadState::Changed,
            (None, Some(_)) => ReadState::RulesOnly,
            (None, None) => ReadState::Unread,
        }
    }
}

/// The chapters of `story` that have a text, in reading order, and how far each has been read.
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
        // The version alone does not make it read: a merge may bring another text of the same number.
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
