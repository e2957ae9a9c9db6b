//! Detection of tables of contents: headings close together, with numbers or words repeated in the prose.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::candidates::HeadingCandidate;
use super::page::{LineView, is_listed};
use crate::headings::HeadingRank;
use crate::letters::plain;
use crate::spaces::tidy;

/// Minimum number of entries of a list.
const ENOUGH: usize = 3;
/// Minimum number with other lines between, or with closeness as the only evidence.
const MANY: usize = 5;
/// Minimum length of the text of a chapter, in characters.
const CHAPTER: usize = 1_000;
/// Minimum share of entries repeated in the book, in percent.
const AGAIN: usize = 60;

/// Returns whether a line is the title of a table of contents.
pub(super) fn is_title(line: &str) -> bool {
    let line = tidy(line).to_lowercase();
    matches!(
        line.trim_matches(|c: char| !c.is_alphanumeric()),
        "目录"
            | "目 录"
            | "目錄"
            | "目 錄"
            | "章节目录"
            | "全书目录"
            | "總目"
            | "总目"
            | "回目"
            | "contents"
            | "table of contents"
            | "index"
    )
}

/// Returns the lines of tables of contents.
pub(super) fn find(page: LineView<'_>, candidates: &[HeadingCandidate]) -> BTreeSet<usize> {
    // A line with two headings, alone among prose, is the heading of both.
    let is_near =
        |at: usize| at + 1 < candidates.len() && page.is_list(candidates[at].index + 1..candidates[at + 1].index);
    let is_listed_entry = |at: &usize| candidates[*at].is_entry && (is_near(*at) || *at > 0 && is_near(*at - 1));
    let mut lines: BTreeSet<usize> =
        (0..candidates.len()).filter(is_listed_entry).map(|at| candidates[at].index).collect();
    let mut from = 0;
    while from < candidates.len() {
        let until = end_of_run(page, candidates, from);
        if let Some(list) = list_within(page, candidates, begin_of_list(candidates, from..until)..until) {
            let (first, last) = (candidates[list.start].index, candidates[list.end - 1].index);
            lines.extend((first..=last).filter(|at| page.is_text(*at)));
            lines.extend(title_before(page, first));
        }
        from = until;
    }
    let first = lines.first().copied();
    lines.extend(first.and_then(|first| title_before(page, first)));
    lines
}

/// Returns the end of the run of candidates from `from`, with nothing like prose between.
fn end_of_run(page: LineView<'_>, candidates: &[HeadingCandidate], from: usize) -> usize {
    let titled = title_before(page, candidates[from].index).is_some();
    let mut until = from + 1;
    while until < candidates.len() && is_next_entry(page, &candidates[until - 1], &candidates[until], titled) {
        until += 1;
    }
    until
}

/// Returns whether nothing like prose separates two candidates: lines of a list, or the rest of a long entry, if the
/// numbers count up. Below the title of the contents an entry may have the length of a paragraph.
fn is_next_entry(page: LineView<'_>, one: &HeadingCandidate, next: &HeadingCandidate, titled: bool) -> bool {
    let (most_lines, most) = if titled { (24, 2_000) } else { (3, 200) };
    let between = one.index + 1..next.index;
    let counts = one.form.family == next.form.family
        && one.number().zip(next.number()).is_some_and(|(number, next)| next == number + 1);
    let is_rest = || {
        let lines = between.clone().filter(|at| page.is_text(*at)).count();
        lines <= most_lines && page.characters(between.clone()) <= most
    };
    page.is_list(between.clone()) || counts && is_rest()
}

/// Returns the start of the list within a run; leading entries of another family belong to the title page.
fn begin_of_list(candidates: &[HeadingCandidate], run: Range<usize>) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    candidates[run.clone()].iter().for_each(|one| *counts.entry(one.form.family.as_str()).or_default() += 1);
    let Some((usual, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return run.start };
    let is_stray = |one: &HeadingCandidate| one.form.family != usual && one.form.rank == HeadingRank::Bare;
    let strays = candidates[run.clone()].iter().take_while(|one| is_stray(one)).count();
    if count >= ENOUGH { run.start + strays } else { run.start }
}

fn list_within(page: LineView<'_>, candidates: &[HeadingCandidate], run: Range<usize>) -> Option<Range<usize>> {
    let is_strict =
        candidates[run.clone()].windows(2).all(|pair| (pair[0].index + 1..pair[1].index).all(|at| !page.is_text(at)));
    let titled = title_before(page, candidates[run.start].index).is_some();
    // Part, book and chapter above each other are one heading.
    let families: HashSet<&str> = candidates[run.clone()].iter().map(|one| one.form.family.as_str()).collect();
    let below = candidates.get(run.end).map_or(page.len(), |next| next.index);
    let has_chapter = page.characters(candidates[run.end - 1].index + 1..below) >= CHAPTER;
    if !titled && families.len() == run.len() && has_chapter {
        return None;
    }
    let list = run.start..run.end - book_beginning(page, candidates, &run);
    let later = &candidates[list.end..];
    // Even two are a list if both are repeated with the same words.
    let same = |one: &HeadingCandidate| later.iter().any(|other| plain(&other.form.words) == plain(&one.form.words));
    let are_same = list.len() >= 2 && list.len() < MANY && candidates[list.clone()].iter().all(same);
    let needed = if titled || are_same {
        2
    } else if is_strict {
        ENOUGH
    } else {
        MANY
    };
    if list.len() < needed {
        return None;
    }
    let with_prose = |at: usize| {
        let until = later.get(at + 1).map_or(page.len(), |next| next.index);
        (later[at].index + 1..until).any(|line| page.is_text(line) && !is_listed(page.line(line)))
            || page.characters(later[at].index + 1..until) > 0
    };
    let mut later: Vec<&HeadingCandidate> =
        (0..later.len()).filter(|at| with_prose(*at)).map(|at| &later[at]).collect();
    // A list with a title may stand behind the book; short chapters below such a title are a later part of the book.
    let has_later = !later.is_empty();
    let is_bare = || candidates[list.clone()].windows(2).all(|pair| page.is_list(pair[0].index + 1..pair[1].index));
    let is_behind = titled && !has_later && is_bare();
    if is_behind {
        later.extend(&candidates[..list.start]);
    }
    let numbers: HashSet<u32> = later.iter().filter_map(|one| one.number()).collect();
    let words: HashSet<String> = later.iter().map(|one| one.form.words.to_lowercase()).collect();
    let again = candidates[list.clone()].iter().filter(|one| match one.number() {
        Some(number) => numbers.contains(&number),
        None => words.contains(&one.form.words.to_lowercase()),
    });
    let is_again = again.count() * 100 >= list.len() * AGAIN;
    let is_close = is_strict && !is_behind && list.len() >= MANY && later.len() >= 2;
    (is_again || is_close || titled && has_later).then_some(list)
}

/// Returns the number of candidates at the end of a run which are no entries but the beginning of the book.
fn book_beginning(page: LineView<'_>, candidates: &[HeadingCandidate], run: &Range<usize>) -> usize {
    const MOST: usize = 4;
    let candidates_behind = &candidates[run.end..];
    let run = &candidates[run.clone()];
    let same = |a: &HeadingCandidate, b: &HeadingCandidate| {
        let is_volume = |one: &HeadingCandidate| one.form.rank == HeadingRank::Volume;
        a.form.words.eq_ignore_ascii_case(&b.form.words)
            || a.number().is_some() && a.number() == b.number() && is_volume(a) == is_volume(b)
    };
    // A preface listed above the first number may be absent from the book.
    let first = run.iter().position(|one| one.number().is_some()).unwrap_or(0);
    // A chapter and its first scene have the same number: the heading is that of the form of the entry.
    let is_of_form = |at: usize, entry: usize| run[at].form.family == run[entry].form.family;
    let begins_as = |entry: usize| {
        let alike = (entry + 1..run.len()).rev().take(MOST).filter(|at| same(&run[*at], &run[entry]));
        let alike: Vec<usize> = alike.collect();
        alike.iter().copied().find(|at| is_of_form(*at, entry)).or(alike.first().copied())
    };
    let restart = begins_as(0).or_else(|| begins_as(first));
    // A few headings above each other are no list: a chapter that has its heading twice, above its first scene.
    if let Some(mut at) = restart.filter(|at| *at >= 2 || run.len() <= MOST) {
        // A web page has its heading twice, and the volume above the chapter.
        // So has CHAPTER I above a title that begins like a number: I TAKE A HOUSE.
        let is_above = |at: usize| {
            let (own, below) = (&run[at], &run[at + 1]);
            own.form.words == below.form.words
                || own.form.rank == HeadingRank::Volume && below.form.rank != HeadingRank::Volume
                || own.form.rank == HeadingRank::Chapter
                    && below.form.rank == HeadingRank::Bare
                    && own.number() == below.number()
        };
        while at > 1 && is_above(at - 1) {
            at -= 1;
        }
        return run.len() - at;
    }
    let (Some(last), Some(first)) = (run.last(), run.first()) else { return 0 };
    // The list has other forms than the book, or lacks its first headings: the last entry is followed by prose.
    // Lines broken for a page width are as short as entries.
    let below = candidates_behind.first().map_or(page.len(), |next| next.index);
    let has_prose = page.next_text(last.index).is_some_and(|next| page.is_text(next) && !is_listed(page.line(next)))
        || last.form.is_certain && page.characters(last.index + 1..below) >= CHAPTER;
    let comes_again = candidates_behind.iter().any(|one| one.form.words.eq_ignore_ascii_case(&last.form.words));
    let is_other = run.len() > 2
        && !comes_again
        && last.form.family != run[run.len() - 2].form.family
        && last.form.family != first.form.family;
    let restarts = last.number().is_some_and(|number| number <= 1) && run.len() > 2 || is_other;
    usize::from(has_prose && restarts)
}

/// Returns the title of the contents above a line, if any.
fn title_before(page: LineView<'_>, index: usize) -> Option<usize> {
    const ABOVE: usize = 3;
    let mut at = index;
    for _ in 0..ABOVE {
        at = page.text_before(at)?;
        if is_title(page.line(at)) {
            return Some(at);
        }
        if !is_listed(page.line(at)) {
            return None;
        }
    }
    None
}
