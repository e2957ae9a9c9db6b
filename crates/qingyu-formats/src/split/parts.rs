//! The parts of a manuscript: chapters, headings, and text outside the book.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::read::Origin;

/// A kind of heading that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeadingForm {
    /// The first heading of the kind.
    pub example: String,
    /// How many chapters begin with one.
    pub count: usize,
}

/// A chapter of a manuscript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitChapter {
    /// The volume of the chapter, as its full heading.
    pub volume: Option<String>,
    /// The number in the heading, if any.
    pub number: Option<u32>,
    /// The full heading; empty without a heading.
    pub title: String,
    /// The prose: a line is a paragraph, an empty line a gap.
    #[serde(skip)]
    pub text: String,
    /// Number of non-blank characters.
    pub characters: usize,
    /// The beginning of the chapter.
    pub origin: Origin,
}

/// A contiguous part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextPart {
    /// Byte range in the text.
    pub(crate) range: Range<usize>,
    /// The kind of the part.
    pub(crate) kind: PartKind,
    /// Index of the chapter, from 0.
    pub(crate) chapter: Option<usize>,
}

/// The kind of a part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// The title of the book, and its author.
    Title,
    /// Text before the first chapter.
    Front,
    /// A table of contents.
    Contents,
    /// The heading of a volume or a chapter.
    Heading,
    /// Prose.
    Text,
    /// Separators between scenes, such as `***`; kept in the prose.
    Separator,
    /// Text outside the book.
    Apart,
    /// Spaces only.
    Blank,
}

/// Text that was set apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Apart {
    /// Why.
    pub kind: ApartKind,
    /// How many lines.
    pub lines: usize,
    /// How many characters, spaces not counted.
    pub characters: usize,
    /// The beginning of the first of them.
    pub sample: String,
    /// Where that stands.
    pub origin: Origin,
}

/// Why a stretch of text is no part of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApartKind {
    /// The licence and the file notice of a book archive such as Project Gutenberg.
    Licence,
    /// Who made the file.
    Credits,
    /// When a site published a chapter, and how long it is.
    Update,
    /// Who asks for votes, or where else one may read.
    Advertisement,
    /// The line under a picture that is not there.
    Caption,
    /// That a chapter or the book ends.
    End,
}
