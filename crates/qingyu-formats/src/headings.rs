//! Headings told by their words: `第十二章 夜雨`, `卷二`, `楔子`, `Chapter Nine: Rain`, `I. THE GATE`.
//!
//! - [`read`]: a line by itself
//! - `forms`: the forms as data, with examples and counterexamples; `names`: chapters without a number
//! - `doubt`: how much a line looks like a sentence

mod doubt;
mod forms;
mod names;

pub(crate) use doubt::{Doubt, ends_a_sentence};
pub(crate) use forms::{LineForm, Rank, shape};

/// Marks that may stand between the number of a heading and its title.
const BETWEEN: &[char] =
    &[' ', '\t', '\u{3000}', '\u{a0}', ':', '：', '、', '.', '．', '·', '-', '—', '–', '|', '｜', '，', ',', '_'];

/// What a line is the heading of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The volume that begins, if one does.
    pub volume: Option<Label>,
    /// The chapter that begins, if one does.
    pub chapter: Option<Label>,
}

/// A volume or chapter, as its heading names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// All its words, number and title.
    pub words: String,
}

/// Reads a line as a heading; `None` if it does not look like one by itself.
///
/// A book tells more: which forms it repeats, and which numbers follow each other; [`split`](crate::split()) looks at that.
pub fn read(line: &str) -> Option<Heading> {
    let shape = shape(line)?;
    let is_alone = shape.is_certain && shape.doubt == Doubt::None;
    (is_alone && !matches!(shape.rank, Rank::Generic | Rank::Bare | Rank::Trailing)).then(|| shape.heading())
}

/// Without the spaces around it, wide ones included.
pub(crate) fn trim(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// With single spaces.
pub(crate) fn tidy(line: &str) -> String {
    line.split(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests;
