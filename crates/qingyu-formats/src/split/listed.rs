//! Headings named by a table of contents: entries repeated as lines of the book, with or without numbers.

use std::collections::HashMap;

use super::chosen::ChosenHeading;
use super::contents::{self, plain};
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
    let mut entries: HashMap<String, ContentsEntry> = HashMap::new();
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
        let is_alone = page.is_set_off_before(at) && page.is_set_off_after(at);
        let found = split_up(line, is_alone);
        // The book begins at the repetition of the first entry.
        if found.first().is_some_and(|(plain, _)| first.as_ref() == Some(plain)) {
            break;
        }
        first = first.or_else(|| found.first().map(|(plain, _)| plain.clone()));
        lines.push(at);
        end = at + 1;
        for (plain, entry) in found {
            if plain.chars().filter(|c| c.is_alphabetic()).count() >= 2 {
                entries.entry(plain).or_insert(entry);
            }
        }
    }
    if entries.len() < ENOUGH {
        return ContentsHeadings::default();
    }
    let is_spaced = page.is_spaced();
    let is_numbered = entries.values().filter(|entry| entry.number.is_some()).count() * 2 >= entries.len();
    let mut seen: HashMap<String, SpellingDistance> = HashMap::new();
    let mut found = Vec::new();
    for index in (end..page.len()).filter(|at| page.is_text(*at)) {
        let line = page.line(index);
        let (before, after) = (page.is_set_off_before(index), page.is_set_off_after(index));
        if line.len() > 200 || !(before && after || !is_spaced && (before || after)) {
            continue;
        }
        let title = title_of(line).0;
        let plain = plain(&title);
        let Some(entry) = entries.get(&plain) else { continue };
        // The last entries of the list may overlap the book, so the last occurrence of a title counts; adjacent
        // duplicates are marked later.
        let distance = SpellingDistance::of(&title, &entry.words);
        let nearest = seen.entry(plain.clone()).or_insert(distance);
        *nearest = distance.min(*nearest);
        let chapter = Some(HeadingLabel { number: entry.number.filter(|_| is_numbered), words: tidy(line) });
        let heading = ChosenHeading {
            index,
            heading: ParsedHeading { volume: None, chapter },
            has_title: true,
            family: "listed".into(),
        };
        found.push((plain, distance, heading));
    }
    // A title spelled as in the contents is the heading; the same words in a sentence are prose.
    found.retain(|(plain, distance, _)| seen.get(plain) == Some(distance));
    if seen.len() < ENOUGH || seen.len() * 100 < entries.len() * AGAIN {
        return ContentsHeadings::default();
    }
    let headings = with_parts(page, &found, &entries, is_numbered);
    ContentsHeadings { headings, contents: lines }
}

/// An entry of a table of contents.
struct ContentsEntry {
    words: String,
    number: Option<u32>,
    /// Whether blank lines set the entry off from the others.
    is_alone: bool,
}

/// How far the spelling of a title is from its entry in the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SpellingDistance {
    Same,
    /// In other letters, such as capitals.
    Other,
    /// As in a sentence.
    Prose,
}

impl SpellingDistance {
    fn of(title: &str, entry: &str) -> Self {
        let quotes = ['"', '“', '”', '「', '」'];
        let is_new = |is: &dyn Fn(&str) -> bool| is(title) && !is(entry);
        match () {
            () if tidy(title) == tidy(entry) => Self::Same,
            () if is_new(&|line| line.contains(quotes))
                || is_new(&|line| line.ends_with(['.', ',', ';', '。', '，']))
                || is_new(&|line| line.starts_with(char::is_lowercase)) =>
            {
                Self::Prose
            }
            () => Self::Other,
        }
    }
}

/// Turns headings that are alone in the contents and have no text into volumes. Where the entries have no numbers, the
/// numbers below a heading without text are parts of its chapter.
fn with_parts(
    page: LineView<'_>,
    found: &[(String, SpellingDistance, ChosenHeading)],
    entries: &HashMap<String, ContentsEntry>,
    is_numbered: bool,
) -> Vec<ChosenHeading> {
    let is_top = |plain: &String| entries.get(plain).is_some_and(|entry| entry.is_alone);
    let are_few = entries.values().filter(|entry| entry.is_alone).count() * 3 < entries.len();
    let number = |heading: &ChosenHeading| shape(page.line(heading.index)).and_then(|form| form.number);
    let is_empty = |place: usize| {
        found.get(place + 1).is_some_and(|(plain, _, next)| {
            *plain != found[place].0 && page.characters(found[place].2.index + 1..next.index) == 0
        })
    };
    let mut headings: Vec<ChosenHeading> = Vec::new();
    let mut has_volumes = false;
    let mut inner: Option<u32> = None;
    for (place, (plain, _, heading)) in found.iter().enumerate() {
        let own = number(heading);
        if inner.is_some_and(|expected| own == Some(expected)) {
            inner = inner.map(|expected| expected + 1);
            continue;
        }
        let next = found.get(place + 1).and_then(|(_, _, next)| number(next));
        inner = (!is_numbered && own.is_none() && is_empty(place) && next == Some(1)).then_some(1);
        let mut heading = heading.clone();
        if are_few && is_top(plain) && inner.is_none() {
            if is_empty(place) {
                has_volumes = true;
                heading.heading = ParsedHeading { volume: heading.heading.chapter.take(), chapter: None };
            } else if has_volumes {
                // The heading ends the volume above.
                heading.heading.volume = Some(HeadingLabel { number: None, words: String::new() });
            }
        }
        headings.push(heading);
    }
    headings
}

/// Returns whether a line is unassigned, or only part of the contents.
fn is_open(page: LineView<'_>, at: usize) -> bool {
    page.is_text(at) || page.marks[at] == LineMark::Contents
}

/// Splits a line into its entries: two columns are two entries.
fn split_up(line: &str, is_alone: bool) -> Vec<(String, ContentsEntry)> {
    let second = line.match_indices('第').map(|(at, _)| at).find(|at| *at > 0 && shape(&line[*at..]).is_some());
    let parts = second.map_or(vec![line], |at| vec![&line[..at], &line[at..]]);
    parts
        .into_iter()
        .map(|part| {
            let (words, number) = title_of(part);
            (plain(&words), ContentsEntry { words, number, is_alone })
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
