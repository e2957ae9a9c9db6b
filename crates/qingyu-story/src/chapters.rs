//! The chapters of a book, and the single parser of chapter names.
//!
//! A chapter is an outline node with the texts telling the node, or a text without a node. The *number* comes from the
//! chapter's own heading: a prologue has no number, and where each volume restarts numbering, several chapters share a
//! number. The *place* is the ordinal position in the book, written `#4`.
//!
//! ```
//! use qingyu_story::{Document, Story, chapters::Chapters};
//!
//! let text = |title: &str, order| Document { title: title.into(), order, ..Document::default() };
//! let story = Story { documents: vec![text("楔子", 1), text("第一章 雨夜", 2)], ..Story::default() };
//! let chapters = Chapters::of(&story);
//! for name in ["1", "第1章", "第 一 章", "Chapter 1", "第一章 雨夜", "雨夜", "@第一章", "#2"] {
//!     assert_eq!(chapters.resolve(name).unwrap().place, 2, "{name}");
//! }
//! assert_eq!(chapters.resolve("楔子").unwrap().number, None);
//! ```
//!
//! `list` imports `heading` and `chapter`; [`Chapters`] imports these, and is imported by the edits of pieces, which
//! the edits of chapters import.

mod chapter;
mod edit;
mod heading;
mod list;
mod lookup;
mod name;
#[cfg(test)]
mod tests;
pub mod unnumbered;

pub use chapter::Chapter;
pub use edit::{ChapterEdit, ChapterEditError, ChapterRow, SameNumber, edit_chapters, rows, same_numbers};
pub use heading::{ChapterHeading, HeadingLevel, heading, mention, mention_at};
pub use list::{nodes, outline, texts};
pub use lookup::{ChapterLookupError, Chapters};
pub use name::{ChapterName, one_or_several, one_or_several_schema};
