//! Headings without a number and without a name: short lines that stand alone among prose. Always a guess.

use std::collections::HashSet;

use qingyu_story::language::is_han;

use super::choice::Chosen;
use super::page::Page;
use crate::headings::{Heading, Label, ends_a_sentence, tidy};

/// So many lines of a kind are headings.
const ENOUGH: usize = 3;

/// What such lines have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `【雨停】`
    Bracketed,
    /// `THE GATE`
    Loud,
    /// `雨停`
    Short,
}

/// The headings of a page that has no others; `known` are names such as a preface, which stand beside them.
pub(super) fn find(page: Page<'_>, known: &[Chosen]) -> Vec<Chosen> {
    let taken: HashSet<usize> = known.iter().map(|one| one.index).collect();
    let is_spaced = page.is_spaced();
    [Kind::Bracketed, Kind::Loud, Kind::Short]
        .into_iter()
        .map(|kind| of_kind(page, kind, is_spaced, &taken))
        .find(|found| found.len() >= ENOUGH)
        .unwrap_or_default()
}

fn of_kind(page: Page<'_>, kind: Kind, is_spaced: bool, taken: &HashSet<usize>) -> Vec<Chosen> {
    let fits = |at: &usize| page.is_text(*at) && !taken.contains(at) && is_of(kind, page.line(*at));
    let lines: Vec<usize> = (0..page.len()).filter(fits).collect();
    let is_among_prose = |at: &usize| {
        let is_prose = |next: usize| page.is_text(next) && ends_a_sentence(page.line(next)) && !is_of(kind, page.line(next));
        let above = page.text_before(*at);
        let is_above = above.is_none_or(|above| is_prose(above) || !page.is_text(above) || taken.contains(&above));
        let below = page.next_text(*at).is_some_and(|next| {
            // Lines that were broken for a page end anywhere.
            is_prose(next) || page.line(next).chars().count() > 40 && page.is_text(next)
        });
        let is_apart = page.is_set_off_before(*at) && page.is_set_off_after(*at);
        below && is_above && (is_apart || !is_spaced && kind == Kind::Bracketed)
    };
    let lines: Vec<usize> = lines.into_iter().filter(is_among_prose).collect();
    let words: HashSet<String> = lines.iter().map(|at| tidy(page.lines[*at])).collect();
    // Titles differ from each other; a cry or a caption comes again.
    if words.len() * 10 < lines.len() * 9 {
        return Vec::new();
    }
    lines.into_iter().map(|index| chosen(page, kind, index)).collect()
}

fn is_of(kind: Kind, line: &str) -> bool {
    let count = line.chars().count();
    match kind {
        Kind::Bracketed => {
            let inner = [('【', '】'), ('〖', '〗'), ('［', '］'), ('[', ']'), ('《', '》'), ('<', '>'), ('〈', '〉')]
                .iter()
                .find_map(|(open, close)| line.strip_prefix(*open)?.strip_suffix(*close));
            inner.is_some_and(|inner| (1..=30).contains(&inner.chars().count()) && !ends_a_sentence(inner))
        }
        Kind::Loud => {
            let letters = line.chars().filter(|c| c.is_alphabetic()).count();
            count <= 70
                && letters >= 3
                && letters * 2 > count
                && !line.chars().any(|c| c.is_lowercase() || is_han(c))
                && !line.contains(['[', ']', '*'])
                && !line.starts_with("BY ")
                && !line.starts_with("THE END")
        }
        Kind::Short => {
            let han = line.chars().filter(|c| is_han(*c)).count();
            (2..=14).contains(&count) && han * 10 >= count * 8 && !line.contains(['，', '。', '！', '？', '：', '；', '、', '“', '「', '…', '（', '('])
        }
    }
}

fn chosen(page: Page<'_>, kind: Kind, index: usize) -> Chosen {
    let line = tidy(page.lines[index]);
    let words = match kind {
        Kind::Bracketed => line.trim_matches(|c| "【】〖〗［］[]《》<>〈〉".contains(c)).trim().to_owned(),
        Kind::Loud | Kind::Short => line,
    };
    let heading = Heading { volume: None, chapter: Some(Label { number: None, words }) };
    Chosen { index, heading, has_title: true, family: format!("{kind:?}").to_lowercase() }
}
