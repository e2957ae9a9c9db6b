//! Headings named by a table of contents: entries repeated as lines of the book, with or without numbers.

use std::collections::HashMap;

use super::chosen::ChosenHeading;
use super::contents;
use super::line_mark::LineMark;
use super::page::{LineView, is_listed};
use crate::headings::{HeadingLabel, ParsedHeading, shape};
use crate::letters::plain;
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
    let Some(list) = ContentsList::of(page) else { return ContentsHeadings::default() };
    let is_spaced = page.is_spaced();
    let entries = &list.entries;
    let is_numbered = entries.iter().filter(|entry| entry.number.is_some()).count() * 2 >= entries.len();
    let heading = |index: usize, entry: usize| ListedHeading {
        entry,
        distance: SpellingDistance::Same,
        heading: ChosenHeading {
            index,
            heading: ParsedHeading {
                volume: None,
                chapter: Some(HeadingLabel {
                    number: entries[entry].number.filter(|_| is_numbered),
                    words: tidy(page.line(index)),
                }),
            },
            has_title: true,
            family: "listed".into(),
        },
    };
    let mut seen: HashMap<usize, SpellingDistance> = HashMap::new();
    let mut found: Vec<ListedHeading> = Vec::new();
    let mut others: Vec<usize> = Vec::new();
    for index in (list.end..page.len()).filter(|at| page.is_text(*at)) {
        let line = page.line(index);
        let (before, after) = (page.is_set_off_before(index), page.is_set_off_after(index));
        if line.len() > 200 || !(before && after || !is_spaced && (before || after)) {
            continue;
        }
        let Some((entry, words)) = list.entry_of(line) else {
            others.push(index);
            continue;
        };
        // The last entries of the list may overlap the book, so the last occurrence of a title counts; adjacent
        // duplicates are marked later.
        let distance = SpellingDistance::of(&words, &entries[entry].words);
        let nearest = seen.entry(entry).or_insert(distance);
        *nearest = distance.min(*nearest);
        found.push(ListedHeading { distance, ..heading(index, entry) });
    }
    // A title spelled as in the contents is the heading; the same words in a sentence are prose.
    found.retain(|one| seen.get(&one.entry) == Some(&one.distance));
    if seen.len() < ENOUGH || seen.len() * 100 < entries.len() * AGAIN {
        return ContentsHeadings::default();
    }
    let misspelt: Vec<ListedHeading> =
        misspelt(page, &list, &found, &others).into_iter().map(|(index, entry)| heading(index, entry)).collect();
    found.extend(misspelt);
    found.sort_by_key(|one| one.heading.index);
    let headings = with_parts(page, &found, entries, is_numbered);
    ContentsHeadings { headings, contents: list.lines }
}

/// Returns the lines that spell an entry a little differently, with the entry: between the headings of the entries around it,
/// only one of the `others` is like it.
fn misspelt(page: LineView<'_>, list: &ContentsList, found: &[ListedHeading], others: &[usize]) -> Vec<(usize, usize)> {
    let between = found.windows(2).filter(|pair| pair[1].entry == pair[0].entry + 2);
    let lines = between.filter_map(|pair| {
        let entry = pair[0].entry + 1;
        let words = &list.entries[entry].words;
        let (from, until) = (pair[0].heading.index, pair[1].heading.index);
        let first = others.partition_point(|at| *at <= from);
        let inside = others[first..].iter().copied().take_while(|at| *at < until);
        let is_like = |at: &usize| {
            let title = title_of(page.line(*at)).0;
            SpellingDistance::of(&title, words) != SpellingDistance::Prose && is_misspelt(&plain(&title), &plain(words))
        };
        let alike: Vec<usize> = inside.filter(is_like).take(2).collect();
        match alike.as_slice() {
            [only] => Some((*only, entry)),
            _ => None,
        }
    });
    lines.collect()
}

/// Returns whether two words differ as a misprint does: in one letter of eight, or a few of many.
fn is_misspelt(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let length = one.len().min(other.len());
    let most = 1 + length / 8;
    if length < SHORTEST || one.len().abs_diff(other.len()) > most {
        return false;
    }
    // The edits from the letters of `one` so far to each beginning of `other`.
    let mut edits: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut edits[0], row + 1);
        for (column, known) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != known);
            diagonal = edits[column + 1];
            edits[column + 1] = replaced.min(diagonal + 1).min(edits[column] + 1);
        }
    }
    edits[other.len()] <= most
}

/// A table of contents.
struct ContentsList {
    entries: Vec<ContentsEntry>,
    /// The entries by their letters, with and without the number.
    by_letters: HashMap<String, usize>,
    lines: Vec<usize>,
    /// The line behind the last entry.
    end: usize,
}

impl ContentsList {
    /// Returns the table of contents of a page; `None` without one.
    fn of(page: LineView<'_>) -> Option<Self> {
        let title = (0..page.len()).find(|at| is_open(page, *at) && contents::is_title(page.line(*at)))?;
        let mut list = Self { entries: Vec::new(), by_letters: HashMap::new(), lines: vec![title], end: title + 1 };
        let mut first: Option<String> = None;
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
            if found.first().is_some_and(|entry| first.as_ref() == Some(&plain(&entry.words))) {
                break;
            }
            first = first.or_else(|| found.first().map(|entry| plain(&entry.words)));
            list.lines.push(at);
            list.end = at + 1;
            found.into_iter().for_each(|entry| list.add(entry));
        }
        (list.entries.len() >= ENOUGH).then_some(list)
    }

    fn add(&mut self, entry: ContentsEntry) {
        let letters = plain(&entry.words);
        if !has_word(&letters) || self.by_letters.contains_key(&letters) {
            return;
        }
        let place = self.entries.len();
        self.by_letters.insert(letters, place);
        self.by_letters.entry(plain(&entry.line)).or_insert(place);
        self.entries.push(entry);
    }

    /// Returns the entry whose words a line has, and these words. A number may be part of the title: Two Gates.
    fn entry_of(&self, line: &str) -> Option<(usize, String)> {
        let title = title_of(line).0;
        let known = |words: String| self.by_letters.get(&plain(&words)).map(|entry| (*entry, words));
        known(title).or_else(|| known(line.to_owned()))
    }
}

/// A line of the book that has the words of an entry.
struct ListedHeading {
    /// The place of the entry in the list.
    entry: usize,
    distance: SpellingDistance,
    heading: ChosenHeading,
}

/// An entry of a table of contents.
struct ContentsEntry {
    /// The entry with its number.
    line: String,
    /// The entry without its number and page.
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
    found: &[ListedHeading],
    entries: &[ContentsEntry],
    is_numbered: bool,
) -> Vec<ChosenHeading> {
    let are_few = entries.iter().filter(|entry| entry.is_alone).count() * 3 < entries.len();
    let number = |heading: &ChosenHeading| shape(page.line(heading.index)).and_then(|form| form.number);
    let is_empty = |place: usize| {
        let own = &found[place];
        found.get(place + 1).is_some_and(|next| {
            next.entry != own.entry && page.characters(own.heading.index + 1..next.heading.index) == 0
        })
    };
    let mut headings: Vec<ChosenHeading> = Vec::new();
    let mut has_volumes = false;
    let mut inner: Option<u32> = None;
    for (place, ListedHeading { entry, heading, .. }) in found.iter().enumerate() {
        let own = number(heading);
        if inner.is_some_and(|expected| own == Some(expected)) {
            inner = inner.map(|expected| expected + 1);
            continue;
        }
        let next = found.get(place + 1).and_then(|next| number(&next.heading));
        inner = (!is_numbered && own.is_none() && is_empty(place) && next == Some(1)).then_some(1);
        let mut heading = heading.clone();
        if are_few && entries[*entry].is_alone && inner.is_none() {
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
fn split_up(line: &str, is_alone: bool) -> Vec<ContentsEntry> {
    let second = line.match_indices('第').map(|(at, _)| at).find(|at| *at > 0 && shape(&line[*at..]).is_some());
    let parts = second.map_or(vec![line], |at| vec![&line[..at], &line[at..]]);
    parts
        .into_iter()
        .map(|part| {
            let (words, number) = title_of(part);
            ContentsEntry { line: without_page(part).to_owned(), words, number, is_alone }
        })
        .collect()
}

/// Returns an entry without its number and page, and the number.
pub(super) fn title_of(line: &str) -> (String, Option<u32>) {
    let line = without_page(line);
    match shape(line).filter(|form| form.number.is_some() && !form.title.is_empty()) {
        Some(form) => (form.title, form.number),
        None => (line.to_owned(), None),
    }
}

/// Returns whether a text has enough letters for an entry: numbers, marks and a single letter are none.
pub(super) fn has_word(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2
}

/// Returns an entry without its page.
pub(super) fn without_page(line: &str) -> &str {
    line.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || ".…·".contains(c)).trim()
}
