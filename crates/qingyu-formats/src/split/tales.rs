//! Titles of tales whose chapters count from one again: each stands above the first number of its tale.

use std::collections::HashSet;

use super::chosen::ChosenHeading;
use super::contents;
use super::page::LineView;
use super::titles::is_loud;
use crate::headings::{HeadingLabel, ParsedHeading, ends_a_sentence};
use crate::spaces::tidy;

/// Returns the titles of the tales of a book, as volumes, and those of tales without numbers, as chapters; none if the numbers begin
/// only once, or if most of the first numbers have no title above. A line between the heading of a volume and its first chapter
/// is the title or the motto of the volume.
pub(super) fn titles(page: LineView<'_>, headings: &[ChosenHeading]) -> Vec<ChosenHeading> {
    const ENOUGH: usize = 2;
    let mut sorted: Vec<&ChosenHeading> = headings.iter().collect();
    sorted.sort_by_key(|one| one.index);
    let mut firsts = Vec::new();
    let mut is_in_volume = false;
    for one in sorted {
        is_in_volume |= one.heading.volume.is_some();
        if one.heading.chapter.as_ref().is_some_and(|chapter| chapter.number == Some(1)) {
            if !is_in_volume {
                firsts.push(one.index);
            }
            is_in_volume = false;
        }
    }
    if firsts.len() < ENOUGH {
        return Vec::new();
    }
    let taken: HashSet<usize> = headings.iter().map(|one| one.index).collect();
    let found: Vec<usize> = firsts.iter().filter_map(|first| title_above(page, *first, &taken)).collect();
    if found.len() < ENOUGH || found.len() * 10 < firsts.len() * 8 {
        return wide_titles(page, headings, &firsts, &taken);
    }
    found.into_iter().map(|index| volume(page, index)).collect()
}

/// Returns the title of a tale with numbers: a volume.
fn volume(page: LineView<'_>, index: usize) -> ChosenHeading {
    let heading = ParsedHeading { volume: Some(label(page.lines[index])), chapter: None };
    ChosenHeading { index, heading, has_title: true, family: "tale".into() }
}

/// Returns the title of a tale without numbers: a chapter outside the volumes.
fn lone_chapter(page: LineView<'_>, index: usize) -> ChosenHeading {
    let heading = ParsedHeading { volume: Some(label("")), chapter: Some(label(page.lines[index])) };
    ChosenHeading { index, heading, has_title: true, family: "tale".into() }
}

fn label(line: &str) -> HeadingLabel {
    HeadingLabel { number: None, words: tidy(line) }
}

/// Returns the titles in capitals below more blank lines than the numbers have: they may have a motto below, and a tale between two
/// others may have no numbers.
fn wide_titles(
    page: LineView<'_>,
    headings: &[ChosenHeading],
    firsts: &[usize],
    taken: &HashSet<usize>,
) -> Vec<ChosenHeading> {
    const ENOUGH: usize = 2;
    /// Number of blank lines above a title.
    const WIDE: usize = 3;
    /// Maximum length of the text between a title and its first number, in characters, and minimum length of a tale.
    const MOTTO: usize = 1_000;
    let has_number =
        |one: &&ChosenHeading| one.heading.chapter.as_ref().is_some_and(|chapter| chapter.number.is_some());
    let mut numbers: Vec<usize> = headings.iter().filter(has_number).map(|one| one.index).collect();
    numbers.sort_unstable();
    let behind = |at: usize| numbers.partition_point(|number| *number < at);
    let is_wide = |at: &usize| {
        let is_open = page.is_text(*at) && !taken.contains(at) && page.is_set_off_after(*at);
        is_open && is_loud(page.line(*at)) && is_title(page.line(*at)) && page.blanks_before(*at) >= WIDE
    };
    let lines: Vec<usize> = (0..page.len()).filter(is_wide).collect();
    let title_of = |first: &usize| {
        let above = lines[..lines.partition_point(|at| at < first)].last().copied()?;
        (behind(above) == behind(*first) && page.characters(above + 1..*first) <= MOTTO).then_some(above)
    };
    let volumes: Vec<usize> = firsts.iter().filter_map(title_of).collect();
    let blanks = volumes.iter().map(|at| page.blanks_before(*at)).min().unwrap_or_default();
    let as_wide = numbers.iter().filter(|at| page.blanks_before(**at) >= blanks).count();
    if volumes.len() < ENOUGH || volumes.len() * 10 < firsts.len() * 8 || as_wide * 10 > numbers.len() {
        return Vec::new();
    }
    let is_tale = |place: usize| {
        let at = lines[place];
        let number = numbers.get(behind(at)).copied();
        let until = lines.get(place + 1).copied().into_iter().chain(number).min().unwrap_or(page.len());
        at > volumes[0] && page.blanks_before(at) >= blanks && page.characters(at + 1..until) >= MOTTO
    };
    let titles = lines.iter().enumerate().filter_map(|(place, at)| match volumes.binary_search(at) {
        Ok(_) => Some(volume(page, *at)),
        Err(_) => is_tale(place).then(|| lone_chapter(page, *at)),
    });
    titles.collect()
}

/// Returns the title above the first number of a tale: of several lines that could be it, such as a translator, the one
/// below the most blank lines.
fn title_above(page: LineView<'_>, first: usize, taken: &HashSet<usize>) -> Option<usize> {
    const LINES: usize = 3;
    let above = std::iter::successors(page.text_before(first), |at| page.text_before(*at));
    let is_open = |at: &usize| page.is_text(*at) && !taken.contains(at) && is_title(page.line(*at));
    let lines: Vec<usize> = above.take(LINES).take_while(is_open).collect();
    let best = lines.into_iter().max_by_key(|at| page.blanks_before(*at))?;
    let is_spaced = page.is_set_off_after(best) && (best == 0 || page.is_set_off_before(best));
    is_spaced.then_some(best)
}

/// Returns whether a line may be the title of a tale: short, and neither a sentence nor a note of who made the file.
fn is_title(line: &str) -> bool {
    const LONGEST: usize = 40;
    let spoken = line.strip_prefix(['“', '「', '"']).and_then(|rest| rest.strip_suffix(['”', '」', '"']));
    let words = spoken.unwrap_or(line);
    words.chars().count() <= LONGEST
        && words.chars().any(char::is_alphabetic)
        && !ends_a_sentence(words)
        && !contents::is_title(words)
        && !words.contains(['：', ':', '，', '。', '“', '”', '「', '」', '@'])
}
