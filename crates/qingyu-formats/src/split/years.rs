//! Years as headings: `1880`, `1891`, which rise through the book.

use super::candidates::HeadingCandidate;
use super::chosen::ChosenHeading;
use super::page::LineView;
use super::titles::is_loud;
use crate::headings::{HeadingLabel, HeadingRank, ParsedHeading};
use crate::spaces::tidy;

/// Returns the years that stand alone above most of the text, and the titles in capitals behind the last that are set off as far:
/// `PRESENT DAY`. Returns nothing if the years do not rise, or have hardly any text below.
pub(super) fn find(page: LineView<'_>, candidates: &[HeadingCandidate]) -> Vec<ChosenHeading> {
    const ENOUGH: usize = 4;
    /// Length in characters of the shortest text below a heading.
    const SHORTEST: usize = 500;
    let years: Vec<&HeadingCandidate> = candidates.iter().filter(|one| is_year(page, one)).collect();
    let (Some(first), Some(last)) = (years.first(), years.last()) else { return Vec::new() };
    let rises = years.windows(2).all(|pair| pair[0].number() < pair[1].number());
    let all = page.characters(0..page.len());
    let covers = page.characters(first.index..last.index) * 2 >= all && page.characters(0..first.index) * 10 < all;
    if years.len() < ENOUGH || !rises || !covers {
        return Vec::new();
    }
    let blanks = years.iter().skip(1).map(|one| page.blanks_before(one.index)).min().unwrap_or_default();
    let is_behind = |at: &usize| {
        const LONGEST: usize = 40;
        let line = page.line(*at);
        page.is_text(*at)
            && is_alone(page, *at)
            && page.blanks_before(*at) >= blanks.max(2)
            && is_loud(line)
            && line.chars().count() <= LONGEST
    };
    let behind = (last.index + 1..page.len()).filter(is_behind);
    let lines: Vec<usize> = years.iter().map(|one| one.index).chain(behind).collect();
    let ends = lines.iter().skip(1).copied().chain([page.len()]);
    let is_long = |(from, until): &(&usize, usize)| page.characters(**from + 1..*until) >= SHORTEST;
    let long: Vec<usize> = lines.iter().zip(ends).filter(is_long).map(|(from, _)| *from).collect();
    if long.len() * 10 < lines.len() * 8 {
        return Vec::new();
    }
    long.into_iter().map(|index| chosen(page, index)).collect()
}

/// Returns whether a candidate is the number of a year and nothing else.
fn is_year(page: LineView<'_>, one: &HeadingCandidate) -> bool {
    const YEARS: std::ops::RangeInclusive<u32> = 1000..=2999;
    one.form.rank == HeadingRank::Bare
        && one.number().is_some_and(|number| YEARS.contains(&number))
        && page.line(one.index).chars().all(|c| c.is_ascii_digit())
        && is_alone(page, one.index)
}

fn is_alone(page: LineView<'_>, at: usize) -> bool {
    page.is_set_off_before(at) && page.is_set_off_after(at)
}

fn chosen(page: LineView<'_>, index: usize) -> ChosenHeading {
    let label = HeadingLabel { number: None, words: tidy(page.line(index)) };
    let heading = ParsedHeading { volume: None, chapter: Some(label) };
    ChosenHeading { index, heading, has_title: true, family: "year".into() }
}
