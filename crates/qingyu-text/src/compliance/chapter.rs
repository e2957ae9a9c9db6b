//! The input of a validation.

use qingyu_story::Prose;

/// A chapter to validate.
#[derive(Debug, Clone, Copy)]
pub struct InspectedChapter<'c> {
    /// The title; `None` if unknown, as for a file, which disables title checks.
    pub title: Option<&'c str>,
    /// The text.
    pub text: &'c str,
    /// The parsed text.
    pub prose: &'c Prose,
}
