//! Lines in the form of a heading that are no headings: sentences, and mentions of chapters.

use std::collections::{HashMap, HashSet};

use super::candidates::{HeadingCandidate, LinePlacement, is_like, most, usual_placing};
use super::page::LineView;
use crate::headings::SentenceDoubt;

/// Removes headings with doubtful words or the placement of prose, unless their number fits.
pub(super) fn without_strays(page: LineView<'_>, candidates: &[HeadingCandidate], found: &[usize]) -> Vec<usize> {
    const SHORT: usize = 40;
    let is_clear = |at: &&usize| candidates[**at].form.doubt == SentenceDoubt::None;
    let clear: Vec<usize> = found.iter().filter(is_clear).copied().collect();
    let telling = if clear.is_empty() { found } else { clear.as_slice() };
    let usual = usual_placing(telling.iter().map(|at| candidates[*at].layout));
    let alone = clear.is_empty();
    let is_few = clear.len() < 3;
    let families: HashSet<&str> = clear.iter().map(|at| candidates[*at].form.family.as_str()).collect();
    let mut kept: Vec<usize> = Vec::new();
    for (place, at) in found.iter().enumerate() {
        let one = &candidates[*at];
        let number = one.number();
        let before = kept.iter().rev().find(|kept| candidates[**kept].form.family == one.form.family);
        let before = before.and_then(|kept| candidates[*kept].number());
        let next_of = |doubt: SentenceDoubt| {
            let next = found[place + 1..].iter().find(|next| {
                let next = &candidates[**next].form;
                next.doubt <= doubt && next.family == one.form.family
            });
            next.and_then(|next| candidates[*next].number())
        };
        let next = next_of(SentenceDoubt::None);
        let fits = fits(number, before, next);
        let is_between = number.zip(before).is_some_and(|(number, before)| number == before + 1)
            && next.zip(number).is_some_and(|(next, number)| next == number + 1);
        // The headings between may be missing in the file.
        let leads =
            |next: Option<u32>| number > before && next.zip(number).is_some_and(|(next, number)| next == number + 1);
        // A sentence begins with another unit: 第一回合。
        let is_of_unit = alone || families.contains(one.form.family.as_str());
        let is_usual = usual.is_none_or(|usual| usual == one.layout);
        let is_short = one.form.words.chars().count() <= SHORT;
        let repeats = before.is_some_and(|before| number == Some(before));
        let is_kept = match one.form.doubt {
            SentenceDoubt::None => {
                let is_placed = is_usual || is_like(one.layout, usual) || is_short && one.layout.apart;
                is_placed || is_few || fits || repeats || leads(next)
            }
            // A long title may continue in the next line.
            SentenceDoubt::Some => {
                let is_placed = |usual: LinePlacement| {
                    let own = if is_between { LinePlacement { apart: usual.apart, ..one.layout } } else { one.layout };
                    LinePlacement { closed: usual.closed, ..own } == usual
                };
                is_of_unit && (fits || leads(next_of(SentenceDoubt::Some))) && usual.is_none_or(is_placed)
            }
            SentenceDoubt::Much => {
                is_of_unit && is_usual && fits && (alone || !is_few || usual.is_some_and(|usual| usual != prose(page)))
            }
        };
        if is_kept {
            kept.push(*at);
        }
    }
    // A sentence alone is no chapter.
    if alone && kept.len() < 2 { Vec::new() } else { kept }
}

/// Removes headings between two that count on, if they differ from nearly all others: without a title, or with Chinese
/// numerals. Such a line mentions a chapter of another book.
pub(super) fn without_mentions(candidates: &[HeadingCandidate], found: Vec<usize>) -> Vec<usize> {
    let style = |at: usize| {
        let form = &candidates[at].form;
        (form.title.is_empty(), form.words.chars().take(4).any(|c| c.is_ascii_digit()))
    };
    let mut counts: HashMap<(bool, bool), usize> = HashMap::new();
    found.iter().for_each(|at| *counts.entry(style(*at)).or_default() += 1);
    let usual = counts.into_iter().find(|(_, count)| count * 10 >= found.len() * 9).map(|(style, _)| style);
    let Some(usual) = usual else { return found };
    let number = |place: usize| found.get(place).and_then(|at| candidates[*at].number());
    let is_mention = |place: usize| {
        let (before, own, next) = (place.checked_sub(1).and_then(number), number(place), number(place + 1));
        let counts_on = before.zip(next).is_some_and(|(before, next)| next == before + 1);
        style(found[place]) != usual && counts_on && own != before && own != next
    };
    (0..found.len()).filter(|place| !is_mention(*place)).map(|place| found[place]).collect()
}

/// Removes headings of a rare unit between two of the usual unit that count on: the acts of a play within chapters.
pub(super) fn without_other_units(candidates: &[HeadingCandidate], found: Vec<usize>) -> Vec<usize> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    found.iter().for_each(|at| *counts.entry(candidates[*at].form.family.as_str()).or_default() += 1);
    let usual = counts.into_iter().find(|(_, count)| count * 10 >= found.len() * 9).map(|(family, _)| family);
    let Some(usual) = usual else { return found };
    let is_usual = |at: &&usize| candidates[**at].form.family == usual;
    let number = |at: Option<&usize>| at.and_then(|at| candidates[*at].number());
    let is_within = |place: usize| {
        let before = number(found[..place].iter().rev().find(is_usual));
        let next = number(found[place + 1..].iter().find(is_usual));
        candidates[found[place]].form.family != usual
            && before.zip(next).is_some_and(|(before, next)| next == before + 1)
    };
    (0..found.len()).filter(|place| !is_within(*place)).map(|place| found[place]).collect()
}

/// Removes volumes within a chapter, such as the acts of a play in a novel: several of a unit between two consecutive
/// `chapters`, of which the last has a long text before the next chapter.
pub(super) fn without_inner_volumes(
    page: LineView<'_>,
    candidates: &[HeadingCandidate],
    chapters: &[usize],
    volumes: &[usize],
) -> Vec<usize> {
    /// Length of the text below a volume, in characters, that is no motto above its first chapter.
    const LONG: usize = 300;
    let place = |at: usize| chapters.partition_point(|chapter| *chapter < at);
    let number = |place: usize| chapters.get(place).and_then(|at| candidates[*at].number());
    let mut groups: HashMap<(usize, &str), (usize, usize)> = HashMap::new();
    for at in volumes {
        let group = groups.entry((place(*at), candidates[*at].form.family.as_str())).or_default();
        *group = (group.0 + 1, *at);
    }
    let is_inner = |at: &usize| {
        let own = place(*at);
        let before = own.checked_sub(1).and_then(number);
        let counts_on = before.zip(number(own)).is_some_and(|(before, next)| next == before + 1);
        let group = groups.get(&(own, candidates[*at].form.family.as_str()));
        let (Some((count, last)), Some(next)) = (group, chapters.get(own)) else { return false };
        let text = || page.characters(candidates[*last].index + 1..candidates[*next].index);
        counts_on && *count >= 2 && text() >= LONG
    };
    volumes.iter().copied().filter(|at| !is_inner(at)).collect()
}

/// Returns the usual placement of prose lines.
fn prose(page: LineView<'_>) -> LinePlacement {
    let lines = (0..page.len()).filter(|at| page.is_text(*at));
    let placings = lines.map(|at| LinePlacement::of(page, at));
    most(placings).unwrap_or(LinePlacement { indented: false, apart: false, closed: false })
}

/// Returns whether a number continues from the previous number and leaves room for the next.
fn fits(number: Option<u32>, before: Option<u32>, next: Option<u32>) -> bool {
    let Some(number) = number else { return false };
    let goes_on = match before {
        Some(before) => number == before + 1 || number == 1 && before > 1 && next == Some(2),
        None => number <= 1 || next == Some(number + 1),
    };
    goes_on && next.is_none_or(|next| next > number || next <= 1)
}
