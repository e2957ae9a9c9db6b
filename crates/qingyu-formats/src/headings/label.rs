//! The parts of a parsed heading, below the forms.

/// Characters allowed between the number of a heading and its title.
pub(super) const BETWEEN: &[char] =
    &[' ', '\t', '\u{3000}', '\u{a0}', ':', '：', '、', '.', '．', '·', '-', '—', '–', '|', '｜', '，', ',', '_'];

/// A parsed heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedHeading {
    /// The volume begun by the heading, if any.
    pub(crate) volume: Option<HeadingLabel>,
    /// The chapter begun by the heading, if any.
    pub(crate) chapter: Option<HeadingLabel>,
}

/// The number and words of a volume or chapter heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeadingLabel {
    /// The number, if any.
    pub(crate) number: Option<u32>,
    /// The whole heading, number and title.
    pub(crate) words: String,
}
