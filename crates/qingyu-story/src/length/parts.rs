//! How long the volumes and arcs of a book are said to be: `每卷30章`, `五到八章一幕`, "arcs of 5 chapters".

use super::counts::{chinese_range_at_end, english_range_at_end};
use crate::Language;

/// The lengths of the parts of a book in chapters, each at least and at most, as far as they are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PartLengths {
    /// Of a volume.
    pub(crate) volume: Option<(u32, u32)>,
    /// Of an arc.
    pub(crate) arc: Option<(u32, u32)>,
    /// The number of volumes.
    pub(crate) volumes: Option<u32>,
}

/// Returns the lengths said in `text`; a number that is said to be about right reaches a fifth to both sides.
pub(crate) fn part_lengths(text: &str, language: Language) -> PartLengths {
    let folded = text.to_lowercase();
    let found = match language {
        Language::Zh => chinese(text),
        Language::En => english(&english_words(&folded)),
    };
    let of = |part: BookPart| found.iter().find(|(one, _)| *one == part).map(|(_, range)| *range);
    let volumes = match language {
        Language::Zh => chinese_volumes(text),
        Language::En => english_volumes(&english_words(&folded)),
    };
    PartLengths { volume: of(BookPart::Volume), arc: of(BookPart::Arc), volumes }
}

/// A part of a book with chapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BookPart {
    Volume,
    Arc,
}

const ABOUT_ZH: [&str; 5] = ["大约", "大概", "差不多", "约", "左右"];
const FILLER_ZH: [&str; 9] = ["大约", "大概", "差不多", "约", "各", "有", "写", "排", "安排"];

/// Returns the part that a number of chapters belongs to by the words before it, `每幕约`, and behind it, `一幕`.
pub(super) fn chinese_part(before: &str, behind: &str) -> Option<BookPart> {
    let mut before = before.trim_end();
    while let Some(rest) = FILLER_ZH.iter().find_map(|word| before.strip_suffix(*word)) {
        before = rest.trim_end();
    }
    let behind = behind.trim_start().trim_start_matches("左右").trim_start_matches(['为', '算']);
    [(BookPart::Volume, '卷'), (BookPart::Arc, '幕')].into_iter().find_map(|(part, sign)| {
        let head = before.strip_suffix(sign);
        let is_each = head.is_some_and(|head| ["每", "每一", "各", "单"].into_iter().any(|word| head.ends_with(word)));
        let is_one = behind.strip_prefix('一').is_some_and(|rest| rest.starts_with(sign));
        (is_each || is_one).then_some(part)
    })
}

fn chinese(text: &str) -> Vec<(BookPart, (u32, u32))> {
    let of = |at: usize| {
        let (before, range) = chinese_range_at_end(text[..at].trim_end_matches([' ', '个']), &["章"])?;
        let behind = &text[at + '章'.len_utf8()..];
        let part = chinese_part(before, behind).filter(|_| !before.ends_with('第') && range.0 > 0)?;
        let is_about =
            ABOUT_ZH.into_iter().any(|word| before.ends_with(word)) || behind.trim_start().starts_with("左右");
        Some((part, about(range, is_about)))
    };
    text.match_indices('章').filter_map(|(at, _)| of(at)).collect()
}

/// Words of dividing a book, before the number of volumes.
const DIVIDES_ZH: [&str; 4] = ["分", "共", "全书", "写"];
/// Words that may stand between a word of dividing and the number.
const DIVIDED_ZH: [&str; 7] = ["为", "成", "作", "有", "计", "大约", "约"];

/// Returns the number of volumes that the book is divided into: 分三卷, 共有三卷, 全书三卷, 三卷本. Other volumes are things
/// of the tale, 九卷天书, or a part of the book, 前两卷 and 第三卷.
fn chinese_volumes(text: &str) -> Option<u32> {
    text.match_indices('卷').find_map(|(at, _)| {
        let (before, (least, most)) = chinese_range_at_end(&text[..at], &["卷"])?;
        let mut head = before.trim_end();
        while let Some(rest) = DIVIDED_ZH.iter().find_map(|word| head.strip_suffix(*word)) {
            head = rest.trim_end();
        }
        let is_divided = DIVIDES_ZH.iter().any(|word| head.ends_with(*word));
        let is_in_volumes = || !before.ends_with('第') && text[at + '卷'.len_utf8()..].starts_with('本');
        ((is_divided || is_in_volumes()) && least == most && (2..=100).contains(&most)).then_some(most)
    })
}

/// Returns the words of a text in lower case; `5-chapter` is two words, `5-8` is one.
pub(super) fn english_words(folded: &str) -> Vec<&str> {
    folded
        .split(|c: char| c.is_whitespace() || matches!(c, ';' | '.' | '!' | '?'))
        .flat_map(|word| match word.split_once("-chapter") {
            Some((number, rest)) => vec![number, &word[number.len() + 1..word.len() - rest.len()], rest],
            None => vec![word],
        })
        .map(|word| word.trim_matches(|c: char| matches!(c, ',' | ':' | '(' | ')' | '"' | '“' | '”')))
        .filter(|word| !word.is_empty())
        .collect()
}

fn unit(word: &str) -> Option<BookPart> {
    match word {
        "arc" | "arcs" => Some(BookPart::Arc),
        "volume" | "volumes" => Some(BookPart::Volume),
        _ => None,
    }
}

const ABOUT_EN: [&str; 4] = ["about", "around", "roughly", "some"];
const FILLER_EN: [&str; 12] =
    ["of", "has", "have", "having", "with", "is", "are", "about", "around", "roughly", "some", "be"];

/// Returns the part that a number of chapters belongs to by the words before it, `arcs of`, and behind it, `per arc`;
/// behind a single `chapter` also `arcs`.
pub(super) fn english_part(before: &[&str], behind: &[&str], is_single: bool) -> Option<BookPart> {
    let is_filler = |word: &&&str| FILLER_EN.contains(*word);
    let fillers = before.iter().rev().take_while(is_filler).count();
    let named = before[..before.len() - fillers].last().filter(|_| fillers > 0).and_then(|word| unit(word));
    named.or_else(|| match behind {
        ["per" | "an" | "a" | "each" | "every", word, ..] => unit(word),
        ["to" | "in", "an" | "a" | "each" | "every", word, ..] => unit(word),
        [word, ..] if is_single => unit(word),
        _ => None,
    })
}

fn english(words: &[&str]) -> Vec<(BookPart, (u32, u32))> {
    let of = |at: usize| {
        let (used, range) = english_range_at_end(&words[..at])?;
        let (before, behind) = (&words[..at - used], &words[at + 1..]);
        let part = english_part(before, behind, words[at] == "chapter").filter(|_| range.0 > 0)?;
        Some((part, about(range, before.last().is_some_and(|word| ABOUT_EN.contains(word)))))
    };
    let chapters = (0..words.len()).filter(|at| matches!(words[*at], "chapter" | "chapters"));
    chapters.filter_map(of).collect()
}

/// Returns the number of volumes that the book is divided into: `in 3 volumes`, or at the start of the text `three
/// volumes`, but not `three volumes of poetry`.
fn english_volumes(words: &[&str]) -> Option<u32> {
    (1..words.len()).filter(|at| words[*at] == "volumes").find_map(|at| {
        let (used, (least, most)) = english_range_at_end(&words[..at])?;
        let is_divided = matches!(words[..at - used].last(), None | Some(&("in" | "into")));
        let mut behind = words[at + 1..].iter().take(4);
        let is_of_things = words.get(at + 1) == Some(&"of") && !behind.any(|word| word.starts_with("chapter"));
        (is_divided && !is_of_things && least == most && (2..=100).contains(&most)).then_some(most)
    })
}

fn about((least, most): (u32, u32), is_about: bool) -> (u32, u32) {
    if is_about { ((least * 4 / 5).max(1), (most * 6).div_ceil(5)) } else { (least, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_parts_are_read_as_they_are_said() {
        for (text, language, volume, arc, volumes) in [
            ("写一部60章的悬疑，每幕5章", Language::Zh, None, Some((5, 5)), None),
            ("每卷二十章，每幕五到八章", Language::Zh, Some((20, 20)), Some((5, 8)), None),
            ("每幕约5章，共四十章", Language::Zh, None, Some((4, 6)), None),
            ("十章一卷，共三卷", Language::Zh, Some((10, 10)), None, Some(3)),
            ("分三卷，每卷四幕", Language::Zh, None, None, Some(3)),
            ("写一部五百章的玄幻，第三卷揭开身世", Language::Zh, None, None, None),
            ("三幕式结构，共30章", Language::Zh, None, None, None),
            ("a mystery of 60 chapters with arcs of 5 chapters", Language::En, None, Some((5, 5)), None),
            ("three volumes, each volume has about 20 chapters", Language::En, Some((16, 24)), None, Some(3)),
            ("30 chapters in 5-chapter arcs", Language::En, None, Some((5, 5)), None),
            ("forty chapters, 5-8 chapters per arc", Language::En, None, Some((5, 8)), None),
            ("a saga of 300 chapters", Language::En, None, None, None),
            ("他偶得九卷天书", Language::Zh, None, None, None),
            ("前两卷写少年时代", Language::Zh, None, None, None),
            ("三十卷经书", Language::Zh, None, None, None),
            ("最后三卷收束，头两卷铺垫", Language::Zh, None, None, None),
            ("全书共分为五卷", Language::Zh, None, None, Some(5)),
            ("写三卷，第二卷揭开身世", Language::Zh, None, None, Some(3)),
            ("一部四卷本的家族史", Language::Zh, None, None, Some(4)),
            ("three volumes of poetry", Language::En, None, None, None),
            ("she inherits three volumes of poetry", Language::En, None, None, None),
            ("the first two volumes are about her youth", Language::En, None, None, None),
            ("the last three volumes pay it off", Language::En, None, None, None),
            ("a saga divided into 4 volumes", Language::En, None, None, Some(4)),
            ("a saga in three volumes of 20 chapters", Language::En, Some((20, 20)), None, Some(3)),
        ] {
            assert_eq!(part_lengths(text, language), PartLengths { volume, arc, volumes }, "{text}");
        }
    }
}
