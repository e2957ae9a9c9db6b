//! Numbers with their units in a clause: `两节课`, `800 words`.

use qingyu_story::length::{chinese_range_at_end, english_range_at_end};

use super::words::{CountedThing, THINGS, WORDS, begins, has, without_end};

/// How many entries are said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SaidCount {
    /// The names of the lists that may be meant.
    pub(super) lists: Vec<String>,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) bound: SizeBound,
}

/// A length that is said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SaidLength {
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) bound: SizeBound,
}

/// How a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeBound {
    Exact,
    About,
    AtMost,
    AtLeast,
}

/// A number before a unit.
struct SaidNumber {
    /// The text before the number.
    before: String,
    least: usize,
    most: usize,
    /// The text behind the unit.
    behind: String,
}

/// Returns the clauses of a text in lower case, without questions. A point or a comma within a number ends none.
pub(super) fn clauses(text: &str) -> Vec<String> {
    const ENDS: &str = "，。！？；：,.!?;:\n—";
    let letters: Vec<char> = text.to_lowercase().replace('’', "'").chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let (mut clauses, mut clause) = (Vec::new(), String::new());
    for (at, letter) in letters.iter().enumerate() {
        let is_in_number = is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        if !ENDS.contains(*letter) || is_in_number {
            clause.push(*letter);
            continue;
        }
        let ended = std::mem::take(&mut clause);
        if !matches!(letter, '?' | '？') {
            clauses.push(ended);
        }
    }
    clauses.push(clause);
    clauses.retain(|clause| !clause.trim().is_empty());
    clauses
}

/// Returns the lists whose entries are named in a clause, with or without a number.
pub(super) fn things(clause: &str) -> Vec<Vec<String>> {
    let words = words(clause);
    let is_named = |thing: &&CountedThing| {
        let is_word = |word: &&str| thing.en.iter().any(|known| is_form_of(word, known));
        // A measure word alone would be found in any other word.
        let is_measured = |unit: &String| {
            let heads = clause.match_indices(unit.as_str()).map(|(at, _)| &clause[..at]);
            heads.into_iter().any(|head| {
                head.ends_with(qingyu_story::numerals::is_digit_or_numeral)
                    || head.ends_with(['每', '各', '几', '这', '那'])
            })
        };
        words.iter().any(is_word) || thing.zh.iter().any(is_measured)
    };
    THINGS.iter().filter(is_named).map(|thing| thing.lists.clone()).collect()
}

/// Returns the numbers of entries said in a clause.
pub(super) fn counts(clause: &str) -> Vec<SaidCount> {
    let mut said = Vec::new();
    for thing in *THINGS {
        let chinese = thing.zh.iter().flat_map(|unit| chinese(clause, unit, &thing.zh));
        let mut found: Vec<SaidNumber> = chinese.collect();
        let is_thing = |word: &str| thing.en.iter().any(|known| is_form_of(word, known));
        found.extend(english(clause, &is_thing, 2));
        for number in found {
            let Some(bound) = bound(&number, true) else { continue };
            // Any entry is one entry.
            let is_one = number.most == 1 && !has(&number.before, &WORDS.only);
            if number.most == 0 || is_one {
                continue;
            }
            let count = SaidCount { lists: thing.lists.clone(), least: number.least.max(1), most: number.most, bound };
            if !said.contains(&count) {
                said.push(count);
            }
        }
    }
    said
}

/// Returns the lengths said in a clause.
pub(super) fn lengths(clause: &str) -> Vec<SaidLength> {
    let is_unit = |word: &str| WORDS.units.iter().any(|unit| unit == word);
    let chinese =
        WORDS.units.iter().filter(|unit| !unit.is_ascii()).flat_map(|unit| chinese(clause, unit, &WORDS.units));
    let mut found: Vec<SaidNumber> = chinese.collect();
    found.extend(english(clause, &is_unit, 0));
    let length = |number: SaidNumber| {
        let bound = bound(&number, false)?;
        let is_difference = bound == SizeBound::Exact && begins(&number.behind, &WORDS.difference);
        (!is_difference).then_some(SaidLength { least: number.least, most: number.most, bound })
    };
    found.into_iter().filter_map(length).collect()
}

/// Returns how a number is meant; `None` if it is not the number of the whole.
fn bound(number: &SaidNumber, is_count: bool) -> Option<SizeBound> {
    let mut bound = SizeBound::Exact;
    let mut before = number.before.as_str();
    loop {
        if let Some(rest) = without_end(before, &WORDS.at_most) {
            (bound, before) = (SizeBound::AtMost, rest);
        } else if let Some(rest) = without_end(before, &WORDS.at_least) {
            (bound, before) = (SizeBound::AtLeast, rest);
        } else if let Some(rest) = without_end(before, &WORDS.about) {
            (bound, before) = (SizeBound::About, rest);
        } else if let Some(rest) = without_end(before, &WORDS.soft) {
            before = rest;
        } else {
            break;
        }
    }
    // A length follows the word for each; a number of entries after that word is another number.
    let is_each = !is_count && without_end(before, &WORDS.each).is_some();
    let is_numbered = is_count && without_end(before, &WORDS.numbered).is_some();
    if is_numbered || !is_each && without_end(before, &WORDS.relative).is_some() {
        return None;
    }
    let behind = number.behind.as_str();
    Some(match bound {
        _ if begins(behind, &WORDS.at_most) => SizeBound::AtMost,
        _ if begins(behind, &WORDS.at_least) => SizeBound::AtLeast,
        SizeBound::Exact if begins(behind, &WORDS.about) => SizeBound::About,
        bound => bound,
    })
}

/// Returns the numbers before a Chinese unit.
fn chinese(clause: &str, unit: &str, units: &[String]) -> Vec<SaidNumber> {
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    let number = |at: usize| {
        let behind = &clause[at + unit.len()..];
        // 一千字: 千 is part of the number; a shorter unit inside a longer one is found as that.
        let (before, (least, most)) = chinese_range_at_end(&clause[..at], &units)?;
        Some(SaidNumber {
            before: before.to_owned(),
            least: usize::try_from(least).ok()?,
            most: usize::try_from(most).ok()?,
            behind: behind.to_owned(),
        })
    };
    clause.match_indices(unit).filter_map(|(at, _)| number(at)).collect()
}

/// Returns the numbers before an English unit, with at most `between` words between.
fn english(clause: &str, is_unit: &dyn Fn(&str) -> bool, between: usize) -> Vec<SaidNumber> {
    let words = words(clause);
    let number = |at: usize| {
        let reach = (0..=between.min(at)).take_while(|back| {
            // The words passed by so far only describe what is counted.
            words[at - back..at].iter().all(|word| !WORDS.between.iter().any(|known| known == word))
        });
        let found = reach.filter_map(|back| Some((at - back, english_range_at_end(&words[..at - back])?))).next()?;
        let (end, (used, (least, most))) = found;
        Some(SaidNumber {
            before: words[..end - used].join(" "),
            least: usize::try_from(least).ok()?,
            most: usize::try_from(most).ok()?,
            behind: words[at + 1..].join(" "),
        })
    };
    (0..words.len()).filter(|at| is_unit(words[*at])).filter_map(number).collect()
}

/// Returns the Latin words and numbers of a clause; `800-word` are two, `three-five` is one.
fn words(clause: &str) -> Vec<&str> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '–' | '\'' | ',' | '.');
    let all = clause.split(|c: char| !is_inside(c));
    let bare = all.map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric())).filter(|word| !word.is_empty());
    bare.flat_map(|word| match word.rsplit_once('-') {
        Some((number, unit)) if english_range_at_end(&[number]).is_some() && !is_number(unit) => vec![number, unit],
        _ => vec![word],
    })
    .collect()
}

/// Returns whether a word is a number.
fn is_number(word: &str) -> bool {
    english_range_at_end(&[word]).is_some()
}

/// Returns whether a word is `known` or its plural.
fn is_form_of(word: &str, known: &str) -> bool {
    let plural = |ending: &str| word.strip_suffix(ending) == Some(known);
    word == known || plural("s") || plural("es")
}
