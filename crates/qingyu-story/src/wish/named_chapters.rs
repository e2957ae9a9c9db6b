//! The chapters that a wish names by their numbers.

use std::collections::BTreeSet;

use crate::numerals::{WORDS, is_digit_or_numeral, read_chinese};

/// The greatest number of chapters in a range.
const RANGE: u32 = 50;
/// Words before a chapter that make it a limit of a wish instead of its place.
const LIMITS: &[&str] = &["before", "until", "till", "by", "after", "from", "since", "than"];
/// Words that may stand between such a word and the chapter: `before the end of chapter 2`.
const FILLERS: &[&str] = &["the", "a", "beginning", "start", "middle", "end", "close", "scene", "of"];
const LIMITS_BEFORE_ZH: &[&str] = &["从", "自", "到", "至", "直到", "等到"];
#[rustfmt::skip]
const LIMITS_BEHIND_ZH: &[&str] = &["前", "后", "之前", "之后", "以前", "以后", "以来", "起", "开始", "为止", "才"];

/// Returns the numbers of the chapters in which a wish is to be met, in order; empty if it names none, or only as a limit, such
/// as `not before chapter 3`.
pub(super) fn named_chapters(wish: &str) -> Vec<u32> {
    match (english(wish), chinese(wish)) {
        (Some(one), Some(other)) => one.union(&other).copied().collect(),
        _ => Vec::new(),
    }
}

/// Returns the chapters in `chapter 1`, `chapters 2 to 4`; `None` if one of them is a limit.
fn english(wish: &str) -> Option<BTreeSet<u32>> {
    let folded = wish.to_lowercase().replace(['-', '–', '—'], " to ");
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let is_plural = *word == "chapters";
        if !is_plural && *word != "chapter" {
            continue;
        }
        let Some(first) = words.get(at + 1).and_then(|word| english_number(word)) else { continue };
        let before = words[..at].iter().rfind(|word| !FILLERS.contains(word));
        if before.is_some_and(|word| LIMITS.contains(word)) {
            return None;
        }
        found.insert(first);
        let (mut last, mut next) = (first, at + 2);
        while let Some(word) = words.get(next) {
            let (joint, number) = match english_number(word) {
                Some(number) if is_plural => ("and", Some(number)),
                _ => (*word, words.get(next + 1).and_then(|word| english_number(word))),
            };
            match (joint, number) {
                ("to" | "through", Some(number)) => found.extend(last..=number.min(last + RANGE)),
                ("and" | "or", Some(number)) => {
                    found.insert(number);
                }
                _ => break,
            }
            last = number.unwrap_or(last);
            next += if english_number(word).is_some() { 1 } else { 2 };
        }
    }
    Some(found)
}

fn english_number(word: &str) -> Option<u32> {
    let in_words = || WORDS.iter().position(|known| *known == word).and_then(|at| u32::try_from(at).ok());
    let is_digits = word.len() <= 4 && word.chars().all(|c| c.is_ascii_digit());
    if is_digits { word.parse().ok() } else { in_words() }
}

/// Returns the chapters in `第一章`, `第一、二章`, `第2至4章`; `None` if one of them is a limit.
fn chinese(wish: &str) -> Option<BTreeSet<u32>> {
    let mut found = BTreeSet::new();
    for (at, sign) in wish.match_indices('第') {
        let rest = &wish[at + sign.len()..];
        let Some((numbers, behind)) = rest.split_once('章') else { continue };
        let is_range = |c: char| "到至-—~～".contains(c);
        let is_joint = |c: char| "、和及与 ".contains(c) || is_range(c);
        if numbers.is_empty() || !numbers.chars().all(|c| is_digit_or_numeral(c) || is_joint(c)) {
            continue;
        }
        let read = |numeral: &str| u32::try_from(read_chinese(numeral)?).ok();
        let all: Option<Vec<u32>> = numbers.split(is_joint).filter(|one| !one.is_empty()).map(read).collect();
        let Some(all) = all else { continue };
        let before = wish[..at].trim_end();
        let is_limit = LIMITS_BEFORE_ZH.iter().any(|limit| before.ends_with(limit))
            || LIMITS_BEHIND_ZH.iter().any(|limit| behind.trim_start().starts_with(limit));
        if is_limit {
            return None;
        }
        match all.as_slice() {
            [first, last] if numbers.contains(is_range) => found.extend(*first..=(*last).min(*first + RANGE)),
            numbers => found.extend(numbers),
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::named_chapters;

    #[test]
    fn chapters_are_read_with_their_numbers() {
        let cases: [(&str, &[u32]); 7] = [
            ("the disc passes in chapter 1 and is used in Chapter Two", &[1, 2]),
            ("chapters 1, 2 and 4 end at night", &[1, 2, 4]),
            ("chapters 2-4 are letters", &[2, 3, 4]),
            ("in chapter 1, 20 minutes later, it snows", &[1]),
            ("两人在第三章分手，第五章再见", &[3, 5]),
            ("第一、二章写水路", &[1, 2]),
            ("第2至4章是书信", &[2, 3, 4]),
        ];
        for (wish, expected) in cases {
            assert_eq!(named_chapters(wish), expected, "{wish}");
        }
    }

    #[test]
    fn a_chapter_that_is_a_limit_or_only_counted_is_none() {
        for wish in [
            "the reader must not know it before chapter 3",
            "by the end of chapter 2 he is gone",
            "two chapters of about 1,500 words",
            "every chapter ends at sea",
            "第三章之前不能让读者知道凶手",
            "从第二章起换成书信",
            "共三章，每章一千五百字",
            "第一人称，文章要短",
        ] {
            assert_eq!(named_chapters(wish), [0; 0], "{wish}");
        }
    }
}
