//! QY317: a date is given with a weekday that it does not have.

use std::ops::Range;

use super::{Draft, Material, Rule};
use crate::time::parse;
use crate::{Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy317_wrong_weekday.toml");
    Rule::new("QY317", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

const CHINESE: [(&str, &str); 7] =
    [("一", "星期一"), ("二", "星期二"), ("三", "星期三"), ("四", "星期四"), ("五", "星期五"), ("六", "星期六"), ("日", "星期日")];
const ENGLISH: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// Characters in which a date before or after a weekday must stand.
const NEAR: usize = 24;

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for chapter in &material.chapters {
        let text = chapter.document.text.as_str();
        for Dated { range, told, day } in dated(text).into_iter().filter(|dated| dated.told != dated.day) {
            let name = |day: usize| match material.story.language {
                Language::Zh => CHINESE[day].1,
                Language::En => ENGLISH[day],
            };
            let words = text[range.clone()].trim().to_owned();
            drafts.push(
                Draft::about([chapter.handle(), &words])
                    .say("date", words.clone())
                    .say("chapter", chapter.title())
                    .say("day", name(day))
                    .say("told", name(told))
                    .affects(chapter.title())
                    .quote(chapter.anchor(&range), words.clone())
                    .fix_text("correct", chapter.document, &[]),
            );
        }
    }
    drafts
}

/// A date with its weekday.
struct Dated {
    /// Where both stand.
    range: Range<usize>,
    /// The weekday that is told, from 0 for Monday.
    told: usize,
    /// That of the date.
    day: usize,
}

fn dated(text: &str) -> Vec<Dated> {
    let mut found = Vec::new();
    for marker in ["星期", "周", "礼拜"] {
        for (at, _) in text.match_indices(marker) {
            let Some(letter) = text[at + marker.len()..].chars().next() else { continue };
            let letter = if letter == '天' { '日' } else { letter };
            let Some(told) = CHINESE.iter().position(|(numeral, _)| numeral.starts_with(letter)) else { continue };
            if let Some((start, day)) = date_before(&text[..at]) {
                found.push(Dated { range: start..at + marker.len() + letter.len_utf8(), told, day });
            }
        }
    }
    for (told, name) in ENGLISH.iter().enumerate() {
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            if let Some((until, day)) = date_after(&text[end..]) {
                found.push(Dated { range: at..end + until, told, day });
            }
        }
    }
    found
}

/// Where a full date at the end of the text begins, and its weekday.
fn date_before(text: &str) -> Option<(usize, usize)> {
    let text = text.trim_end_matches([' ', '，', '、', '（', '(', '·']);
    let starts: Vec<usize> = text.char_indices().rev().take(NEAR).map(|(at, _)| at).collect();
    starts.into_iter().rev().find_map(|at| Some((at, weekday(&text[at..], '年')?)))
}

/// Where a full date at the beginning of the text ends, and its weekday.
fn date_after(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix([',', ' '])?.trim_start();
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let skipped = text.len() - rest.len();
    let ends: Vec<usize> = rest.char_indices().take(NEAR).map(|(at, c)| at + c.len_utf8()).collect();
    let is_end = |end: &usize| !rest[*end..].starts_with(|c: char| c.is_ascii_alphanumeric());
    ends.into_iter().rev().filter(is_end).find_map(|end| Some((skipped + end, weekday(&rest[..end], ' ')?)))
}

/// The weekday of a date that has its year.
fn weekday(date: &str, mark: char) -> Option<usize> {
    let date = date.trim();
    let has_year = date.contains(mark) && date.chars().filter(char::is_ascii_digit).count() >= 4
        || date.contains('年') && date.contains('月');
    parse(date).moment().filter(|_| has_year)?.weekday()
}
