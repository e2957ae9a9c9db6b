//! Headings named by a table of contents: entries repeated as lines of the book, with or without numbers.

use std::collections::{HashMap, HashSet};

use super::chosen::ChosenHeading;
use super::contents;
use super::line_mark::LineMark;
use super::page::{LineView, is_listed};
use crate::headings::{HeadingLabel, ParsedHeading, shape};
use crate::spaces::tidy;

/// Minimum number of entries of a list, and minimum number repeated.
const ENOUGH: usize = 3;
/// Maximum length in characters of an entry ending like a sentence.
const SHORT: usize = 30;
/// Minimum share of entries repeated in the book, in percent.
const AGAIN: usize = 50;

/// Headings named by a list, and the lines of the list.
#[derive(Debug, Default)]
pub(super) struct ContentsHeadings {
    pub(super) headings: Vec<ChosenHeading>,
    pub(super) contents: Vec<usize>,
}

/// Returns the headings named by the table of contents of a page.
pub(super) fn find(page: LineView<'_>) -> ContentsHeadings {
    let Some(title) = (0..page.len()).find(|at| is_open(page, *at) && contents::is_title(page.line(*at))) else {
        return ContentsHeadings::default();
    };
    let mut entries: HashMap<String, Option<u32>> = HashMap::new();
    let mut lines = vec![title];
    let mut first: Option<String> = None;
    let mut end = title + 1;
    for at in title + 1..page.len() {
        if page.is_blank(at) {
            continue;
        }
        let line = page.line(at);
        if !is_open(page, at) || !is_listed(line) && line.chars().count() > SHORT {
            break;
        }
        let found = split_up(line);
        // The book begins at the repetition of the first entry.
        if found.first().is_some_and(|(words, _)| first.as_ref() == Some(words)) {
            break;
        }
        first = first.or_else(|| found.first().map(|(words, _)| words.clone()));
        lines.push(at);
        end = at + 1;
        entries.extend(found.into_iter().filter(|(words, _)| words.chars().filter(|c| c.is_alphabetic()).count() >= 2));
    }
    if entries.len() < ENOUGH {
        return ContentsHeadings::default();
    }
    let is_spaced = page.is_spaced();
    let mut seen = HashSet::new();
    let mut headings = Vec::new();
    for index in (end..page.len()).filter(|at| page.is_text(*at)) {
        let line = page.line(index);
        let (before, after) = (page.is_set_off_before(index), page.is_set_off_after(index));
        if line.len() > 200 || !(before && after || !is_spaced && (before || after)) {
            continue;
        }
        let plain = plain(&title_of(line).0);
        let Some(number) = entries.get(&plain) else { continue };
        // The last entries of the list may overlap the book, so the last occurrence of a title counts; adjacent
        // duplicates are marked later.
        seen.insert(plain);
        let chapter = Some(HeadingLabel { number: *number, words: tidy(line) });
        headings.push(ChosenHeading {
            index,
            heading: ParsedHeading { volume: None, chapter },
            has_title: true,
            family: "listed".into(),
        });
    }
    if seen.len() < ENOUGH || seen.len() * 100 < entries.len() * AGAIN {
        return ContentsHeadings::default();
    }
    ContentsHeadings { headings, contents: lines }
}

/// Returns whether a line is unassigned, or only part of the contents.
fn is_open(page: LineView<'_>, at: usize) -> bool {
    page.is_text(at) || page.marks[at] == LineMark::Contents
}

/// Splits a line into its entries: two columns are two entries.
fn split_up(line: &str) -> Vec<(String, Option<u32>)> {
    let second = line.match_indices('第').map(|(at, _)| at).find(|at| *at > 0 && shape(&line[*at..]).is_some());
    let parts = second.map_or(vec![line], |at| vec![&line[..at], &line[at..]]);
    parts
        .into_iter()
        .map(|part| {
            let (title, number) = title_of(part);
            (plain(&title), number)
        })
        .collect()
}

/// Returns an entry without its number and page, and the number.
fn title_of(line: &str) -> (String, Option<u32>) {
    let line = line.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || ".…·".contains(c)).trim();
    match shape(line).filter(|form| form.number.is_some() && !form.title.is_empty()) {
        Some(form) => (form.title, form.number),
        None => (line.to_owned(), None),
    }
}

/// Returns the letters of a title, to compare without punctuation and spaces.
fn plain(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
