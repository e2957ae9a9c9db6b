//! Titles of tales whose chapters count from one again: each stands above the first number of its tale.

use std::collections::HashSet;

use super::chosen::ChosenHeading;
use super::contents;
use super::page::LineView;
use crate::headings::{HeadingLabel, ParsedHeading, ends_a_sentence};
use crate::spaces::tidy;

/// Returns the titles of the tales of a book, as volumes; none if the numbers begin only once, or if most of the first
/// numbers have no title above. A line between the heading of a volume and its first chapter is the title or the motto of
/// the volume.
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
        return Vec::new();
    }
    let volume = |index: usize| {
        let label = HeadingLabel { number: None, words: tidy(page.lines[index]) };
        let heading = ParsedHeading { volume: Some(label), chapter: None };
        ChosenHeading { index, heading, has_title: true, family: "tale".into() }
    };
    found.into_iter().map(volume).collect()
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
