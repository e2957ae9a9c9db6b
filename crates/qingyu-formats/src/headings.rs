//! Headings recognized by their words: `第十二章 夜雨`, `卷二`, `楔子`, `Chapter Nine: Rain`, `I. THE GATE`.
//!
//! - [`read`]: parses a single line
//! - `forms`: the forms as data, with examples and counterexamples; `names`: chapters without a number
//! - `label`: number and words of a heading; `doubt`: how much a line resembles a sentence

mod doubt;
mod forms;
mod label;
mod names;

pub(crate) use doubt::{SentenceDoubt, ends_a_sentence};
pub(crate) use forms::{HeadingRank, LineForm, shape, without_site};
pub(crate) use label::{HeadingLabel, ParsedHeading};

/// Parses a line as a heading; returns `None` if the line alone does not look like a heading.
///
/// A whole book gives more evidence: repeated forms and consecutive numbers; see [`split`](crate::split()).
pub(crate) fn read(line: &str) -> Option<ParsedHeading> {
    let shape = shape(line)?;
    if let Some(volume) = shape.named_volume().filter(|_| shape.doubt == SentenceDoubt::None) {
        return Some(ParsedHeading { volume: Some(volume), chapter: None });
    }
    let is_alone = shape.is_certain && shape.doubt == SentenceDoubt::None;
    let needs_others = shape.volume.is_none()
        && matches!(
            shape.rank,
            HeadingRank::Generic | HeadingRank::Bare | HeadingRank::Trailing | HeadingRank::Misprint
        );
    (is_alone && !needs_others).then(|| shape.heading())
}

#[cfg(test)]
mod tests;
