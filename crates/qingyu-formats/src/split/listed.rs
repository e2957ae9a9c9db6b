//! Headings that a table of contents names: its entries come again as lines of the book, with or without their numbers.

use std::collections::{HashMap, HashSet};

use super::choice::Chosen;
use super::contents;
use super::marks::Mark;
use super::page::{Page, is_listed};
use crate::headings::{Heading, Label, shape, tidy};

/// So many entries make a list, and so many of them must come again.
const ENOUGH: usize = 3;
/// An entry may end as a sentence does if it is not longer, in characters.
const SHORT: usize = 30;
/// This share of the entries must come again, in percent.
const AGAIN: usize = 50;

/// Headings that a list names, and the lines of the list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) headings: Vec<Chosen>,
    pub(super) contents: Vec<usize>,
}

/// The headings that the table of contents of a page names.
pub(super) fn find(page: Page<'_>) -> Listed {
    let Some(title) = (0..page.len()).find(|at| is_open(page, *at) && contents::is_title(page.line(*at))) else {
        return Listed::default();
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
        // Where the first entry comes again, the book begins.
        if found.first().is_some_and(|(words, _)| first.as_ref() == Some(words)) {
            break;
        }
        first = first.or_else(|| found.first().map(|(words, _)| words.clone()));
        lines.push(at);
        end = at + 1;
        entries.extend(found.into_iter().filter(|(words, _)| words.chars().filter(|c| c.is_alphabetic()).count() >= 2));
    }
    if entries.len() < ENOUGH {
        return Listed::default();
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
        // The list may reach into the book by its last entries, so the last place of a title counts; doubles next to each
        // other are marked as such later.
        seen.insert(plain);
        let chapter = Some(Label { number: *number, words: tidy(line) });
        headings.push(Chosen {
            index,
            heading: Heading { volume: None, chapter },
            has_title: true,
            family: "listed".into(),
        });
    }
    if seen.len() < ENOUGH || seen.len() * 100 < entries.len() * AGAIN {
        return Listed::default();
    }
    Listed { headings, contents: lines }
}

/// Whether a line is not taken for anything but contents yet.
fn is_open(page: Page<'_>, at: usize) -> bool {
    page.is_text(at) || page.marks[at] == Mark::Contents
}

/// The entries on a line: two columns are two.
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

/// An entry without its number and its page.
fn title_of(line: &str) -> (String, Option<u32>) {
    let line = line.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || ".…·".contains(c)).trim();
    match shape(line).filter(|form| form.number.is_some() && !form.title.is_empty()) {
        Some(form) => (form.title, form.number),
        None => (line.to_owned(), None),
    }
}

/// The letters of a title, so that marks and spaces make no difference.
fn plain(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
