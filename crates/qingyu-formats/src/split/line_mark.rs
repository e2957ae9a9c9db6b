//! The role of a single line.

use super::parts::ApartKind;
use crate::headings::HeadingLabel;

/// The role of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineMark {
    Blank,
    Rule,
    Title,
    Author(String),
    Contents,
    Front,
    /// `again` if the heading is a duplicate of the previous heading.
    Heading {
        volume: Option<HeadingLabel>,
        chapter: Option<HeadingLabel>,
        again: bool,
    },
    /// A line of the heading above: its title, or a continuation.
    HeadingRest,
    /// Prose below a volume heading, prepended to the chapter below.
    Carried,
    Text,
    Separator,
    /// Text outside the book.
    Apart(ApartKind),
}
