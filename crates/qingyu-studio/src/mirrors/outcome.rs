//! Outcomes of updates, commits and readings of a mirror; the last of each is noted in its manifest.

use std::path::PathBuf;

use jiff::Timestamp;
use qingyu_formats::UnreadField;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Outcome of the update of a mirror.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorUpdate {
    /// The folder of the book.
    pub folder: PathBuf,
    /// The version of the project in it.
    pub version: u64,
    /// The files written.
    pub written: Vec<String>,
    /// The files deleted, since the book has them no longer.
    pub removed: Vec<String>,
    /// The files left as they are, since they were changed outside; chapters and cards among them can be read back.
    pub kept: Vec<String>,
    /// Outcome of the commit.
    #[serde(flatten)]
    pub commit: MirrorCommit,
}

/// An update of a mirror, as noted in its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct MirrorUpdateRecord {
    /// The time.
    pub(crate) at: Timestamp,
    /// The number of files written.
    pub(crate) written: usize,
    /// The number of files deleted.
    pub(crate) removed: usize,
    /// The files left as they were, since they were changed outside.
    pub(crate) kept: Vec<String>,
    /// Outcome of the commit.
    #[serde(flatten)]
    pub(crate) commit: MirrorCommit,
}

/// A reading of edits from a mirror, as noted in its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct MirrorReadingRecord {
    /// The time.
    pub(crate) at: Timestamp,
    /// Its outcome.
    pub(crate) reading: MirrorReading,
}

/// Outcome of the commit of a mirror.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "commit", rename_all = "snake_case")]
pub enum MirrorCommit {
    /// No repository was wanted.
    #[default]
    Off,
    /// Nothing has changed since the last commit.
    Unchanged,
    /// The changes were committed.
    Committed,
    /// The program `git` is not installed.
    Missing,
    /// `git` failed.
    Failed {
        /// Its message; empty for callers with a key.
        message: String,
    },
}

/// A chapter edited by reading it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorEdit {
    /// The file.
    pub path: String,
    /// The title of the chapter.
    pub title: String,
    /// The new version of the chapter.
    pub version: u32,
    /// The number of the change; `None` if only the layout of the file differed.
    pub change: Option<u64>,
}

/// A card edited by reading it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorCardEdit {
    /// The file.
    pub path: String,
    /// The name of the character, place, organisation or item.
    pub name: String,
    /// The names of the changed fields in the file; the text without a name is empty.
    pub fields: Vec<String>,
    /// The number of the change; `None` if only the layout of the file differed.
    pub change: Option<u64>,
}

/// A file that was not read back, since the chapter or card changed in the studio as well, or is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorConflict {
    /// The file; it stays as it is.
    pub path: String,
    /// The file with the studio's text, put beside it. To settle the conflict, bring both together in the first file,
    /// delete this one, and read again. Empty if the chapter or card is gone.
    pub beside: String,
    /// Whether that file was edited, so that it was not replaced by the studio's present text.
    #[serde(default)]
    pub is_beside_kept: bool,
    /// The title of the chapter or the name of the card; empty if it is gone.
    pub title: String,
}

/// A file that was not or not completely read back for a reason of its own; it stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorRefusal {
    /// The file.
    pub path: String,
    /// The reason.
    #[serde(flatten)]
    pub reason: MirrorRefusalReason,
}

/// Reason for which a file is not read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum MirrorRefusalReason {
    /// The file is not UTF-8.
    NotUtf8,
    /// Another chapter has the title in the file.
    TitleTaken {
        /// The title in the file.
        title: String,
    },
    /// The text is no chapter, so that it is not renamed by its file.
    NotAChapter {
        /// The title in the file.
        title: String,
    },
    /// Some changes of a card cannot be read; the others were.
    UnreadFields {
        /// Those changes.
        fields: Vec<UnreadField>,
    },
    /// The studio writes this file only: the table of contents, or a card without an id.
    WrittenOnly,
    /// The text cannot have the title in the file.
    BadTitle {
        /// The title in the file.
        title: String,
        /// The reason in words.
        message: String,
    },
}

/// Outcome of reading a mirror back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorReading {
    /// The chapters that were edited.
    pub edited: Vec<MirrorEdit>,
    /// The cards that were edited.
    #[serde(default)]
    pub cards: Vec<MirrorCardEdit>,
    /// The chapters and cards that were not.
    pub conflicts: Vec<MirrorConflict>,
    /// The files that were not or not completely read back for a reason of their own.
    #[serde(default)]
    pub refused: Vec<MirrorRefusal>,
    /// The deleted files, which delete nothing in the book; the next update writes them again.
    #[serde(default)]
    pub deleted: Vec<String>,
}

impl MirrorReading {
    /// Returns whether something waits for the author.
    pub fn is_waiting(&self) -> bool {
        !self.conflicts.is_empty() || !self.refused.is_empty()
    }
}

impl MirrorConflict {
    /// Returns the conflict of a file whose chapter or card is gone.
    pub(super) fn gone(path: String) -> Self {
        Self { path, beside: String::new(), is_beside_kept: false, title: String::new() }
    }
}
