//! Headings as the user describes them.

use regex::Regex;

use super::choice::Chosen;
use super::page::Page;
use crate::Error;
use crate::headings::{Heading, Label, shape, tidy};
use qingyu_story::numerals;

/// A pattern that the lines of headings fit: a regular expression, searched from the beginning of the line.
///
/// Its groups `number` and `title`, if it has them, say which part of the line is what.
pub(super) struct Pattern {
    given: String,
    regex: Regex,
}

impl Pattern {
    /// Fails with [`Error::BadPattern`] if it is none.
    pub(super) fn new(given: &str) -> Result<Self, Error> {
        let bad = |error: regex::Error| Error::BadPattern { pattern: given.to_owned(), message: error.to_string() };
        Ok(Self { given: given.to_owned(), regex: Regex::new(&format!("^(?:{given})")).map_err(bad)? })
    }

    /// The lines that fit; fails with [`Error::NoHeading`] if there are none.
    pub(super) fn find(&self, page: Page<'_>) -> Result<Vec<Chosen>, Error> {
        let lines = (0..page.len()).filter(|index| page.is_text(*index) || self.regex.is_match(page.line(*index)));
        let found: Vec<Chosen> = lines.filter_map(|index| self.read(page.line(index), index)).collect();
        if found.is_empty() { Err(Error::NoHeading { pattern: self.given.clone() }) } else { Ok(found) }
    }

    fn read(&self, line: &str, index: usize) -> Option<Chosen> {
        let found = self.regex.captures(line).filter(|_| !line.is_empty())?;
        let group = |name| found.name(name).map(|group| group.as_str().trim());
        let form = shape(line);
        let number = match group("number") {
            Some(number) => numerals::read(number),
            None => form.as_ref().and_then(|form| form.number).or_else(|| numerals::read_within(line)),
        };
        let title = group("title").map(str::to_owned).or_else(|| form.map(|form| form.title));
        let chapter = Some(Label { number, words: tidy(line) });
        let has_title = title.is_none_or(|title| !title.is_empty());
        let family = "pattern".to_owned();
        Some(Chosen { index, heading: Heading { volume: None, chapter }, has_title, family })
    }
}
