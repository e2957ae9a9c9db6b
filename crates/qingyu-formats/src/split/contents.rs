//! Tables of contents: headings that stand close together, and whose numbers or words come again where the prose is.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::candidates::Candidate;
use super::page::{Page, is_listed};
use crate::headings::{Rank, tidy};

/// So many entries make a list.
const ENOUGH: usize = 3;
/// So many make one if other lines stand between them, or if nothing tells but how close they stand.
const MANY: usize = 5;
/// This share of the entries must come again, in percent.
const AGAIN: usize = 60;

/// Whether a line is the title of a table of contents.
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

/// The lines that belong to tables of contents.
pub(super) fn find(page: Page<'_>, candidates: &[Candidate]) -> BTreeSet<usize> {
    let mut lines: BTreeSet<usize> = candidates.iter().filter(|one| one.is_entry).map(|one| one.index).collect();
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

/// Where the run of candidates ends that begins at `from`: between them stands nothing that reads like prose.
fn end_of_run(page: Page<'_>, candidates: &[Candidate], from: usize) -> usize {
    let mut until = from + 1;
    while until < candidates.len() && page.is_list(candidates[until - 1].index + 1..candidates[until].index) {
        until += 1;
    }
    until
}

/// Where the list within a run begins: what is of another family than most of it stands on the title page.
fn begin_of_list(candidates: &[Candidate], run: Range<usize>) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    candidates[run.clone()].iter().for_each(|one| *counts.entry(one.form.family.as_str()).or_default() += 1);
    let Some((usual, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return run.start };
    let is_stray = |one: &Candidate| one.form.family != usual && one.form.rank == Rank::Bare;
    let strays = candidates[run.clone()].iter().take_while(|one| is_stray(one)).count();
    if count >= ENOUGH { run.start + strays } else { run.start }
}

fn list_within(page: Page<'_>, candidates: &[Candidate], run: Range<usize>) -> Option<Range<usize>> {
    let is_strict =
        candidates[run.clone()].windows(2).all(|pair| (pair[0].index + 1..pair[1].index).all(|at| !page.is_text(at)));
    let titled = title_before(page, candidates[run.start].index).is_some();
    let list = run.start..run.end - begun(page, candidates, &run);
    let later = &candidates[list.end..];
    // Even two are a list if both come again with the same words.
    let same = |one: &Candidate| later.iter().any(|other| plain(&other.form.words) == plain(&one.form.words));
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
    let later: Vec<&Candidate> = (0..later.len()).filter(|at| with_prose(*at)).map(|at| &later[at]).collect();
    let numbers: HashSet<u32> = later.iter().filter_map(|one| one.number()).collect();
    let words: HashSet<String> = later.iter().map(|one| one.form.words.to_lowercase()).collect();
    let again = candidates[list.clone()].iter().filter(|one| match one.number() {
        Some(number) => numbers.contains(&number),
        None => words.contains(&one.form.words.to_lowercase()),
    });
    let is_again = again.count() * 100 >= list.len() * AGAIN;
    let is_close = is_strict && list.len() >= MANY && later.len() >= 2;
    (is_again || is_close || titled && !later.is_empty()).then_some(list)
}

/// The letters of a heading, so that marks and spaces make no difference.
fn plain(words: &str) -> String {
    words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How many candidates at the end of a run are no entries but the beginning of the book itself.
fn begun(page: Page<'_>, candidates: &[Candidate], run: &Range<usize>) -> usize {
    const MOST: usize = 4;
    let candidates_behind = &candidates[run.end..];
    let run = &candidates[run.clone()];
    let same = |a: &Candidate, b: &Candidate| {
        let is_volume = |one: &Candidate| one.form.rank == Rank::Volume;
        a.form.words.eq_ignore_ascii_case(&b.form.words)
            || a.number().is_some() && a.number() == b.number() && is_volume(a) == is_volume(b)
    };
    let restart = (1..run.len()).rev().take(MOST).find(|at| same(&run[*at], &run[0]));
    if let Some(mut at) = restart.filter(|at| *at >= 2 || run.len() == 2) {
        // A page from the web has its heading twice, and the volume stands above the chapter.
        let is_above = |at: usize| {
            run[at].form.words == run[at + 1].form.words
                || run[at].form.rank == Rank::Volume && run[at + 1].form.rank != Rank::Volume
        };
        while at > 1 && is_above(at - 1) {
            at -= 1;
        }
        return run.len() - at;
    }
    let (Some(last), Some(first)) = (run.last(), run.first()) else { return 0 };
    // The list has other forms than the book, or none of its first headings: the last one has prose behind it.
    let has_prose = page.next_text(last.index).is_some_and(|next| page.is_text(next) && !is_listed(page.line(next)));
    let comes_again = candidates_behind.iter().any(|one| one.form.words.eq_ignore_ascii_case(&last.form.words));
    let is_other = run.len() > 2
        && !comes_again
        && last.form.family != run[run.len() - 2].form.family
        && last.form.family != first.form.family;
    let restarts = last.number().is_some_and(|number| number <= 1) && run.len() > 2 || is_other;
    usize::from(has_prose && restarts)
}

/// The title of the contents above a line, if it stands there.
fn title_before(page: Page<'_>, index: usize) -> Option<usize> {
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
