//! Placeholders for unwritten text, such as `〔待写：一个例子〕` or `[to be written]`.
//!
//! A placeholder is never prose: counts and readings of a text ignore placeholders.

use std::borrow::Cow;
use std::ops::Range;

use crate::Language;
use crate::language::is_letter;

/// The brackets of a placeholder. Round brackets also enclose asides, so a placeholder in round brackets contains the
/// mark alone.
const BRACKETS: [(char, char); 6] = [('〔', '〕'), ('[', ']'), ('［', '］'), ('【', '】'), ('（', '）'), ('(', ')')];
/// The opening words of a placeholder, in lower case.
const MARKS: [&str; 15] = [
    "待写",
    "待补充",
    "待补",
    "待填写",
    "待填",
    "待定",
    "to be written",
    "to be added",
    "to be filled",
    "to be decided",
    "to write",
    "to add",
    "to fill",
    "tbd",
    "todo",
];

/// Returns the placeholder for unknown content.
pub fn placeholder(language: Language) -> &'static str {
    match language {
        Language::Zh => "〔待写〕",
        Language::En => "[to be written]",
    }
}

/// Returns the byte ranges of the placeholders in `text`, including brackets.
///
/// A bracket not closed on its line is no placeholder.
pub fn placeholders(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices() {
        let Some((_, close)) = BRACKETS.iter().find(|(open, _)| *open == letter) else { continue };
        if found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let inside = &text[at + letter.len_utf8()..];
        let Some(mark) = mark_of(inside) else { continue };
        let end = inside.find(['\n', *close]).filter(|end| inside[*end..].starts_with(*close));
        let Some(end) = end else { continue };
        let is_alone = !inside[mark..end].chars().any(is_letter);
        let names_it = inside[mark..end].trim_start().starts_with(['：', ':']);
        if is_alone || names_it || !matches!(letter, '（' | '(') {
            found.push(at..at + letter.len_utf8() + end + close.len_utf8());
        }
    }
    found
}

/// Returns the length in bytes of the leading mark of `inside`, including spaces before the mark.
fn mark_of(inside: &str) -> Option<usize> {
    let trimmed = inside.trim_start_matches(' ');
    let spaces = inside.len() - trimmed.len();
    let begins = |mark: &&&str| {
        let Some((head, rest)) = trimmed.split_at_checked(mark.len()) else { return false };
        head.eq_ignore_ascii_case(mark) && !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    MARKS.iter().find(begins).map(|mark| spaces + mark.len())
}

/// Returns `text` with placeholders removed.
pub fn without_placeholders(text: &str) -> Cow<'_, str> {
    let found = placeholders(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut rest = String::with_capacity(text.len());
    let mut copied = 0;
    for Range { start, end } in found {
        rest.push_str(&text[copied..start]);
        copied = end;
    }
    rest.push_str(&text[copied..]);
    Cow::Owned(rest)
}

/// Returns whether `text` contains only spaces and placeholders.
pub(crate) fn is_unwritten(text: &str) -> bool {
    without_placeholders(text).trim().is_empty()
}

/// Returns whether `text` contains anything except placeholders and Markdown headings.
pub fn says_something(text: &str) -> bool {
    let is_heading = |line: &str| {
        let hashes = line.len() - line.trim_start_matches('#').len();
        (1..=6).contains(&hashes) && line[hashes..].starts_with(' ')
    };
    text.lines()
        .map(str::trim)
        .filter(|line| !is_heading(line))
        .any(|line| without_placeholders(line).chars().any(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_with_their_brackets() {
        let cases: [(&str, &[&str]); 12] = [
            ("他推开门。〔待写〕", &["〔待写〕"]),
            ("〔待写：例子〕和〔旁白〕和〔待补：数字〕", &["〔待写：例子〕", "〔待补：数字〕"]),
            ("〔to write: what 〔待写〕 is〕", &["〔to write: what 〔待写〕"]),
            ("A mill. [To be written] And more. [todo]", &["[To be written]", "[todo]"]),
            ("【待补充】他说（待填写）。", &["【待补充】", "（待填写）"]),
            ("She paused (to add sugar) and left (TBD).", &["(TBD)"]),
            ("（待定的婚期）到了。", &[]),
            ("（待写：婚礼）", &["（待写：婚礼）"]),
            ("[todos] 〔待", &[]),
            ("[to be written\n] 〔待写", &[]),
            ("（待续）", &[]),
            ("没有。", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = placeholders(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
        for language in [Language::Zh, Language::En] {
            assert_eq!(without_placeholders(&format!("甲{}乙", placeholder(language))), "甲乙");
        }
    }

    #[test]
    fn a_field_of_placeholders_is_unwritten() {
        for (text, expected) in [("", true), (" 〔待写〕〔待补：年龄〕", true), ("（待写）。", false), ("7", false)]
        {
            assert_eq!(is_unwritten(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_text_of_placeholders_and_headings_says_nothing() {
        for empty in ["", " \n", "〔待写〕", "# 第一章 雨\n\n〔待写：开头〕。", "[to be written]\n（待补）"]
        {
            assert!(!says_something(empty), "{empty:?}");
        }
        for said in ["甲。", "# 第一章\n雨。〔待写〕", "#1 is written", "Rain."] {
            assert!(says_something(said), "{said:?}");
        }
    }
}
