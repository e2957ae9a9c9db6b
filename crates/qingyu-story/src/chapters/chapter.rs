//! A chapter of a book.

use std::collections::BTreeSet;

use super::heading::HeadingLevel;

/// A chapter of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// The ordinal position in the book, from 1.
    pub place: u32,
    /// The number in the chapter's heading; in a book without numbered headings, the place.
    pub number: Option<u32>,
    /// The name of the enclosing volume.
    pub volume: Option<String>,
    /// The title.
    pub title: String,
    /// The index of the outline node.
    pub node: Option<usize>,
    /// The indices of the chapter's texts, in reading order.
    pub documents: Vec<usize>,
    /// The ids of the node and the texts.
    pub(super) ids: Vec<String>,
    /// All titles of the node and the texts, folded.
    pub(super) titles: BTreeSet<String>,
    /// The parsed beginning of the heading.
    pub(super) head: Option<HeadingKey>,
    /// The number of the volume.
    pub(super) volume_number: Option<u32>,
}

/// The heading of a chapter in comparable form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeadingKey {
    pub(super) rank: HeadingLevel,
    pub(super) number: u32,
    pub(super) class: &'static str,
    pub(super) rest: String,
}
