//! Headings without number or name: short lines alone among prose. Always a guess.

use std::collections::HashSet;
use std::sync::LazyLock;

use qingyu_story::language::is_han;
use regex::Regex;

use super::chosen::ChosenHeading;
use super::page::LineView;
use crate::headings::{HeadingLabel, ParsedHeading, ends_a_sentence, shape};
use crate::spaces::tidy;

/// Minimum number of lines of a kind.
const ENOUGH: usize = 3;
/// Minimum number of days: a few are the dates of tales.
const MANY_DAYS: usize = 8;

/// The common feature of such lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BareLineKind {
    /// `【雨停】`
    Bracketed,
    /// `THE GATE`
    Loud,
    /// `雨停`
    Short,
    /// `The Gate`, below several blank lines
    Cased,
    /// `三月七日 雨`, `March 7th`: the day of a diary or a letter
    Dated,
}

/// Returns the headings of a page without any others; `known` are names such as a preface, which may be present.
pub(super) fn find(page: LineView<'_>, known: &[ChosenHeading]) -> Vec<ChosenHeading> {
    let taken: HashSet<usize> = known.iter().map(|one| one.index).collect();
    let is_spaced = page.is_spaced();
    let days = of_kind(page, BareLineKind::Dated, is_spaced, &taken);
    // The days of a diary within one chapter do not divide a novel.
    let covers_most = |days: &[ChosenHeading]| {
        let (first, last) = (days[0].index, days[days.len() - 1].index);
        page.characters(first..last) * 3 >= page.characters(0..page.len()) * 2
    };
    if days.len() >= MANY_DAYS && covers_most(&days) {
        return days;
    }
    let kinds = [BareLineKind::Bracketed, BareLineKind::Loud, BareLineKind::Cased, BareLineKind::Short];
    let found =
        kinds.into_iter().map(|kind| of_kind(page, kind, is_spaced, &taken)).filter(|found| found.len() >= ENOUGH);
    // Headings extend over the whole book; captions and exclamations are limited to a single tale.
    let reach = |found: &[ChosenHeading]| found[found.len() - 1].index - found[0].index;
    let mut best: Option<Vec<ChosenHeading>> = None;
    for found in found {
        if best.as_ref().is_none_or(|best| reach(&found) > 2 * reach(best)) {
            best = Some(found);
        }
    }
    best.unwrap_or_default()
}

fn of_kind(page: LineView<'_>, kind: BareLineKind, is_spaced: bool, taken: &HashSet<usize>) -> Vec<ChosenHeading> {
    /// Length of the matter in which the author can be named, in characters.
    const TITLE_PAGE: usize = 2_000;
    /// Length of the text below a heading which is always enough, in characters.
    const SHORTEST: usize = 120;
    /// Number of blank lines before a heading, where a single blank line separates paragraphs.
    const WIDE: usize = 2;
    let is_author = |at: usize| page.line(at).starts_with("BY ") && page.characters(0..at) < TITLE_PAGE;
    let fits = |at: &usize| page.is_text(*at) && !taken.contains(at) && is_of(kind, page.line(*at)) && !is_author(*at);
    let lines: Vec<usize> = (0..page.len()).filter(fits).collect();
    let is_prose = |at: usize| page.is_text(at) && ends_a_sentence(page.line(at)) && !is_of(kind, page.line(at));
    let is_same = |at: usize, other: usize| page.is_text(at) && page.line(at) == page.line(other);
    let is_among_prose = |at: &usize| {
        // A web page has its heading twice.
        let above =
            page.text_before(*at).map(|above| if is_same(above, *at) { page.text_before(above) } else { Some(above) });
        let is_above =
            above.flatten().is_none_or(|above| is_prose(above) || !page.is_text(above) || taken.contains(&above));
        let below =
            page.next_text(*at).and_then(|next| if is_same(next, *at) { page.next_text(next) } else { Some(next) });
        // Lines broken for a page width end anywhere.
        let is_below =
            below.is_some_and(|next| is_prose(next) || page.is_text(next) && page.line(next).chars().count() > 40);
        let before = page.is_set_off_before(*at);
        let is_hanging = !page.is_indented(*at) && page.next_text(*at).is_some_and(|next| page.is_indented(next));
        let is_apart = before && (page.is_set_off_after(*at) || is_hanging && kind == BareLineKind::Short);
        let is_wide = page.blanks_before(*at) >= WIDE;
        match kind {
            BareLineKind::Bracketed => is_below && is_above && (is_apart || !is_spaced),
            BareLineKind::Cased => before && page.is_set_off_after(*at) && is_wide,
            BareLineKind::Loud => is_apart && (is_below || is_wide) && (is_above || is_wide),
            BareLineKind::Short => is_below && is_above && is_apart,
            // A day on the right ends a letter.
            BareLineKind::Dated => {
                is_below && (is_above || is_apart) && (is_apart || !is_spaced) && !is_far_right(page, *at)
            }
        }
    };
    let mut lines: Vec<usize> = lines.into_iter().filter(is_among_prose).collect();
    // If most are below several blank lines, the others are captions.
    let wide: Vec<usize> = lines.iter().copied().filter(|at| page.blanks_before(*at) >= WIDE).collect();
    if is_spaced && wide.len() >= ENOUGH && wide.len() * 2 >= lines.len() {
        lines = wide;
    }
    let words: HashSet<String> = lines.iter().map(|at| tidy(page.lines[*at])).collect();
    // Titles are distinct, apart from adjacent duplicates; an exclamation or a caption is repeated.
    let doubles = lines.windows(2).filter(|pair| is_same(pair[0], pair[1])).count();
    if kind != BareLineKind::Dated && words.len() * 10 < (lines.len() - doubles) * 9 {
        return Vec::new();
    }
    // A line at the beginning with hardly any text below belongs to a title page.
    let next = |place: usize| {
        let known = taken.iter().copied().filter(|at| *at > lines[place]).min();
        lines.get(place + 1).copied().into_iter().chain(known).min().unwrap_or(page.len())
    };
    let below: Vec<usize> = (0..lines.len()).map(|place| page.characters(lines[place] + 1..next(place))).collect();
    let mut lengths = below.clone();
    lengths.sort_unstable();
    let least = SHORTEST.min(lengths.get(lengths.len() / 2).copied().unwrap_or_default() / 4);
    let is_title = |place: &usize| below[*place] < least;
    let first = (0..lines.len()).take_while(is_title).count();
    lines.into_iter().skip(first).map(|index| chosen(page, kind, index)).collect()
}

/// A day, alone or with the weather or the time of day.
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    let number = "[0-9０-９零〇○一二三四五六七八九十廿卅]{1,4}";
    let chinese = format!(
        "[（(]?(?:{number}年 ?)?{number}月 ?{number}[日号號](?:[ ，,][^。！？“”]{{0,10}}|[晨早晚夜午上下清深凌]{{0,2}}[晨早晚夜午]?)[)）]?"
    );
    let month = "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
    let week = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?";
    let ordinal = "[0-9]{1,2}(?:st|nd|rd|th)?";
    let english = format!("{week}(?:{month},? {ordinal}|{ordinal}(?: of)? {month})(?:,? [0-9]{{4}})?[.:]?");
    Regex::new(&format!("(?i)^(?:{chinese}|{english})$")).expect("constant")
});

/// Returns whether a line stands far to the right.
fn is_far_right(page: LineView<'_>, at: usize) -> bool {
    const FAR: usize = 8;
    page.lines[at].chars().take_while(|c| c.is_whitespace()).count() >= FAR
}

fn is_of(kind: BareLineKind, line: &str) -> bool {
    let count = line.chars().count();
    match kind {
        BareLineKind::Bracketed => {
            let inner = [('【', '】'), ('〖', '〗'), ('［', '］'), ('[', ']'), ('《', '》'), ('<', '>'), ('〈', '〉')]
                .iter()
                .find_map(|(open, close)| line.strip_prefix(*open)?.strip_suffix(*close));
            inner.is_some_and(|inner| (1..=30).contains(&inner.chars().count()) && !ends_a_sentence(inner))
        }
        BareLineKind::Loud => {
            let letters = line.chars().filter(|c| c.is_alphabetic()).count();
            count <= 70
                && (letters >= 3 || letters == 2 && shape(line).is_none())
                && letters * 2 > count
                && !line.chars().any(|c| c.is_lowercase() || is_han(c))
                && !line.contains(['[', ']', '*'])
                && !line.starts_with("THE END")
        }
        BareLineKind::Cased => {
            let is_capital = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || "\"“‘'".contains(c));
            let words: Vec<&str> = line.split_whitespace().collect();
            let capitals = words.iter().filter(|word| is_capital(word)).count();
            (3..=60).contains(&count)
                && line.chars().any(char::is_lowercase)
                && !line.chars().any(is_han)
                && capitals * 2 >= words.len()
                && words.len() <= 8
                && words.first().is_some_and(is_capital)
                && !line.ends_with([',', ';', ':', '.', '—', '-'])
        }
        BareLineKind::Dated => DAY.is_match(line),
        BareLineKind::Short => {
            let han = line.chars().filter(|c| is_han(*c)).count();
            let shown = line.chars().filter(|c| !c.is_whitespace()).count();
            (2..=14).contains(&count)
                && han * 10 >= shown * 8
                && !line.contains(['，', '。', '！', '？', '：', '；', '、', '“', '「', '…', '（', '('])
        }
    }
}

fn chosen(page: LineView<'_>, kind: BareLineKind, index: usize) -> ChosenHeading {
    let line = tidy(page.lines[index]);
    let words = match kind {
        BareLineKind::Bracketed => line.trim_matches(|c| "【】〖〗［］[]《》<>〈〉".contains(c)).trim().to_owned(),
        BareLineKind::Loud | BareLineKind::Short | BareLineKind::Cased | BareLineKind::Dated => line,
    };
    let heading = ParsedHeading { volume: None, chapter: Some(HeadingLabel { number: None, words }) };
    ChosenHeading { index, heading, has_title: true, family: format!("{kind:?}").to_lowercase() }
}
