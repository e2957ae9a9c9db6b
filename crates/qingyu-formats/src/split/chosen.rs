//! A heading found by any of the ways.

use crate::headings::ParsedHeading;

/// A line chosen as a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChosenHeading {
    pub(super) index: usize,
    pub(super) heading: ParsedHeading,
    /// Whether the heading has a title beside its number.
    pub(super) has_title: bool,
    /// The family of the heading.
    pub(super) family: String,
}
