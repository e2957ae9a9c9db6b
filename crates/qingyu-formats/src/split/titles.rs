//! Titles on the lines below their headings, and headings broken into lines.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use qingyu_story::language::is_han;

use super::chosen::ChosenHeading;
use super::page::LineView;
use crate::headings::ends_a_sentence;
use crate::spaces::{tidy, trim};

/// Maximum number of lines of a title.
const LINES: usize = 4;
/// Maximum number of characters of a title.
const LONGEST: usize = 240;
/// Minimum share of the headings of a family with a title below, in percent; a title in capitals needs no further
/// evidence.
const SHARE: usize = 60;

/// Appends titles to the headings above; returns the lines of the titles.
pub(super) fn attach(page: LineView<'_>, headings: &mut Vec<ChosenHeading>) -> Vec<usize> {
    let mut lines = join_names(page, headings);
    let taken: HashSet<usize> = headings.iter().map(|one| one.index).chain(lines.iter().copied()).collect();
    let is_spaced = page.is_spaced();
    let blocks: Vec<Option<Range<usize>>> = headings
        .iter()
        .map(|one| {
            if one.has_title {
                continued(page, one, &taken, is_spaced)
            } else {
                below(page, one.index, &taken, is_spaced)
            }
        })
        .collect();
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (heading, block) in headings.iter().zip(&blocks).filter(|(heading, _)| !heading.has_title) {
        let count = counts.entry(heading.family.as_str()).or_default();
        count.0 += 1;
        count.1 += usize::from(block.is_some());
    }
    let usual: HashSet<String> = counts
        .into_iter()
        .filter(|(_, (all, titled))| *titled >= 2 && titled * 100 >= all * SHARE)
        .map(|(family, _)| family.to_owned())
        .collect();
    for (heading, block) in headings.iter_mut().zip(blocks) {
        let Some(block) = block else { continue };
        let title = joined(page, block.clone());
        if !heading.has_title && !usual.contains(&heading.family) && !is_loud(&title) {
            continue;
        }
        let label = heading.heading.chapter.as_mut().or(heading.heading.volume.as_mut());
        if let Some(label) = label {
            label.words = format!("{} {title}", label.words);
            heading.has_title = true;
            lines.extend(block.filter(|at| page.is_text(*at)));
        }
    }
    lines
}

/// Joins a name such as `Conclusion`, a little below a number without a title or text, to the number; returns its line.
fn join_names(page: LineView<'_>, headings: &mut Vec<ChosenHeading>) -> Vec<usize> {
    const GAP: usize = 3;
    let has_text = |from: usize| page.next_text(from).is_some_and(|next| page.is_text(next));
    let mut lines = Vec::new();
    let mut place = 1;
    while place < headings.len() {
        let (above, below) = (&headings[place - 1], &headings[place]);
        let until = headings.get(place + 1).map_or(page.len(), |next| next.index);
        let is_number = above.heading.chapter.as_ref().is_some_and(|chapter| chapter.number.is_some());
        let name = below.heading.chapter.as_ref().filter(|_| below.family == "named" && below.heading.volume.is_none());
        let is_near = below.index <= above.index + 1 + GAP && page.next_text(above.index) == Some(below.index);
        let is_title = is_number
            && !above.has_title
            && is_near
            && has_text(below.index)
            && page.characters(below.index + 1..until) > 0;
        let Some(name) = name.filter(|_| is_title).map(|name| name.words.clone()) else {
            place += 1;
            continue;
        };
        lines.push(headings.remove(place).index);
        let above = &mut headings[place - 1];
        above.has_title = true;
        if let Some(chapter) = &mut above.heading.chapter {
            chapter.words = format!("{} {name}", chapter.words);
        }
    }
    lines
}

/// Returns the lines below a heading which could be its title.
fn below(page: LineView<'_>, index: usize, taken: &HashSet<usize>, is_spaced: bool) -> Option<Range<usize>> {
    const GAP: usize = 3;
    let first = (index + 1..page.len().min(index + 2 + GAP)).find(|at| !page.is_blank(*at))?;
    if !is_spaced && first == index + 1 {
        // Without blank lines only the first line is distinguishable from the prose below.
        let next = page.next_text(first)?;
        let is_other = page.is_indented(next) && !page.is_indented(first);
        let is_title = is_other && page.is_text(first) && !taken.contains(&first) && is_title(page.line(first));
        return is_title.then_some(first..first + 1);
    }
    let block = block(page, first, taken)?;
    let next = page.next_text(block.end - 1)?;
    // A title is above prose, not above another heading.
    let is_above_prose = page.is_text(next) && !taken.contains(&next);
    let title = joined(page, block.clone());
    (is_above_prose && is_title(&title)).then_some(block)
}

/// Returns the lines below a heading which continue a title too long for a line.
fn continued(
    page: LineView<'_>,
    heading: &ChosenHeading,
    taken: &HashSet<usize>,
    is_spaced: bool,
) -> Option<Range<usize>> {
    const LONG: usize = 40;
    let line = page.line(heading.index);
    let is_open = !line.ends_with(['.', '。', '!', '?', '！', '？']) || line.ends_with(['—', '-', ',', ';']);
    if !is_spaced || line.chars().count() < LONG || heading.index + 1 >= page.len() {
        return None;
    }
    let block = block(page, heading.index + 1, taken)?;
    let rest = joined(page, block.clone());
    let goes_on = is_open || rest.starts_with(char::is_lowercase);
    let same_case = !is_loud(line) || is_loud(&rest);
    (goes_on && same_case && block.len() < LINES).then_some(block)
}

/// Returns the lines from `first` to the next blank line; `None` if too many for a title.
fn block(page: LineView<'_>, first: usize, taken: &HashSet<usize>) -> Option<Range<usize>> {
    let until = (first..page.len()).find(|at| !page.is_text(*at) || taken.contains(at)).unwrap_or(page.len());
    let is_set_off = until >= page.len() || page.is_blank(until);
    let count: usize = (first..until).map(|at| page.line(at).chars().count()).sum();
    (is_set_off && (1..=LINES).contains(&(until - first)) && count <= LONGEST).then_some(first..until)
}

fn joined(page: LineView<'_>, block: Range<usize>) -> String {
    let words: Vec<&str> = block.filter(|at| page.is_text(*at)).map(|at| page.line(at)).collect();
    let title = tidy(&words.join(" "));
    let drawn = ['_', '*', '='];
    trim(title.trim_matches(drawn)).to_owned()
}

fn is_title(title: &str) -> bool {
    if is_loud(title) {
        return true;
    }
    if title.chars().any(is_han) {
        const CHINESE: usize = 40;
        return title.chars().count() <= CHINESE
            && !title.contains(['“', '「', '。'])
            && !ends_a_sentence(title)
            && !title.ends_with(['，', '、']);
    }
    is_english_title(title)
}

fn is_english_title(title: &str) -> bool {
    const WORDS: usize = 15;
    const ARGUMENT: &[&str] =
        &["in which ", "of ", "how ", "containing ", "showing ", "wherein ", "concerning ", "being ", "treating "];
    let lower = title.to_lowercase();
    let count = title.split_whitespace().count();
    let is_argument = ARGUMENT.iter().any(|sign| lower.starts_with(sign)) && count <= 4 * WORDS;
    if title.starts_with(['“', '"', '‘']) && title.ends_with(['”', '"', '’', '.']) && count > 4
        || !title.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || "“\"‘'".contains(c))
        || title.ends_with([',', ';', ':'])
    {
        return false;
    }
    let capital = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let capitals = title.split_whitespace().filter(capital).count();
    let is_cased = capitals * 2 >= count;
    match title.ends_with(['.', '!', '?']) {
        true => is_argument || count <= WORDS && is_cased,
        false => is_argument || count <= WORDS,
    }
}

/// Returns whether a line is in capitals.
pub(super) fn is_loud(line: &str) -> bool {
    line.chars().filter(|c| c.is_uppercase()).count() >= 2 && !line.chars().any(|c| c.is_lowercase() || is_han(c))
}
