//! Headings matched by a user's pattern.

use regex::Regex;

use super::chosen::ChosenHeading;
use super::page::LineView;
use crate::Error;
use crate::headings::{HeadingLabel, ParsedHeading, shape};
use crate::spaces::tidy;
use qingyu_story::numerals;

/// A pattern for heading lines: a regular expression, anchored at the beginning of the line.
///
/// The optional groups `number` and `title` capture the parts of the heading.
pub(super) struct HeadingPattern {
    given: String,
    regex: Regex,
}

impl HeadingPattern {
    /// Parses the pattern; returns [`Error::BadPattern`] if invalid.
    pub(super) fn new(given: &str) -> Result<Self, Error> {
        let bad = |error: regex::Error| Error::BadPattern { pattern: given.to_owned(), message: error.to_string() };
        Ok(Self { given: given.to_owned(), regex: Regex::new(&format!("^(?:{given})")).map_err(bad)? })
    }

    /// Returns the matching lines; [`Error::NoHeading`] if no line matches.
    pub(super) fn find(&self, page: LineView<'_>) -> Result<Vec<ChosenHeading>, Error> {
        let lines = (0..page.len()).filter(|index| page.is_text(*index) || self.regex.is_match(page.line(*index)));
        let found: Vec<ChosenHeading> = lines.filter_map(|index| self.read(page.line(index), index)).collect();
        if found.is_empty() { Err(Error::NoHeading { pattern: self.given.clone() }) } else { Ok(found) }
    }

    fn read(&self, line: &str, index: usize) -> Option<ChosenHeading> {
        let found = self.regex.captures(line).filter(|_| !line.is_empty())?;
        let group = |name| found.name(name).map(|group| group.as_str().trim());
        let form = shape(line);
        let number = match group("number") {
            Some(number) => numerals::read(number),
            None => form.as_ref().and_then(|form| form.number).or_else(|| numerals::read_within(line)),
        };
        let title = group("title").map(str::to_owned).or_else(|| form.map(|form| form.title));
        let chapter = Some(HeadingLabel { number, words: tidy(line) });
        let has_title = title.is_none_or(|title| !title.is_empty());
        let family = "pattern".to_owned();
        Some(ChosenHeading { index, heading: ParsedHeading { volume: None, chapter }, has_title, family })
    }
}
