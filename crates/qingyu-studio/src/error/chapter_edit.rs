//! Why an edit of chapters is refused.

use serde::Serialize;

/// The reason of [`Error::BadChapterEdit`](super::Error::BadChapterEdit), by its name on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChapterEditRefusal {
    /// The title is empty.
    NoTitle,
    /// The words of a split do not occur exactly once, or nothing precedes them.
    NotOnce,
    /// No chapter follows the one to be joined.
    NoNext,
    /// A chapter of that name exists.
    NameTaken,
    /// The message says which.
    Other,
}
