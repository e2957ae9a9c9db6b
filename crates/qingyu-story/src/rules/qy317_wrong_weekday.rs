//! QY317: a date with a wrong weekday.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::settlement::dated_like;
use crate::time::{Moment, parse};
use crate::{Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy317_wrong_weekday.toml");
    Rule::new("QY317", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

const CHINESE: [(&str, &str); 7] = [
    ("一", "星期一"),
    ("二", "星期二"),
    ("三", "星期三"),
    ("四", "星期四"),
    ("五", "星期五"),
    ("六", "星期六"),
    ("日", "星期日"),
];
const ENGLISH: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// The maximum distance of a date from a weekday, in characters.
const NEAR: usize = 40;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    let days = days(material);
    for chapter in &material.chapters {
        let text = chapter.document.text.as_str();
        let is_wrong = |dated: &DatedWeekday| dated.told != dated.day && !is_right_by_julian(dated);
        let own = node(material, chapter.document.outline_node.as_deref()).and_then(|own| days.get(own));
        let own = own.map_or(&[][..], Vec::as_slice);
        for DatedWeekday { range, told, day, .. } in dated(text, own).into_iter().filter(is_wrong) {
            let name = |day: usize| match material.story.language {
                Language::Zh => CHINESE[day].1,
                Language::En => ENGLISH[day],
            };
            let words = text[range.clone()].trim().to_owned();
            drafts.push(
                FindingDraft::about([chapter.handle(), &words])
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
struct DatedWeekday {
    /// The range of both.
    range: Range<usize>,
    /// The stated weekday, from 0 for Monday.
    told: usize,
    /// The actual weekday of the date.
    day: usize,
    /// The date with its year.
    date: String,
}

/// The day of an event, as written.
type EventDay<'s> = (&'s str, Moment);

/// Returns the days of the narrated events on the common calendar, by the id of their outline node.
fn days<'s>(material: &RuleMaterial<'s>) -> FxHashMap<&'s str, Vec<EventDay<'s>>> {
    let mut days: FxHashMap<&str, Vec<EventDay<'_>>> = FxHashMap::default();
    for (at, event) in material.narrated() {
        let day = material.times[at].clone().filter(|moment| moment.weekday().is_some());
        if let Some((node, day)) = node(material, event.outline_node.as_deref()).zip(day) {
            days.entry(node).or_default().push((event.timestamp.as_str(), day));
        }
    }
    days
}

/// Returns the id of the outline node with this name.
fn node<'s>(material: &RuleMaterial<'s>, name: Option<&str>) -> Option<&'s str> {
    Some(material.outline_node(name?)?.id.as_str())
}

fn dated(text: &str, days: &[EventDay<'_>]) -> Vec<DatedWeekday> {
    let mut found = Vec::new();
    for marker in ["星期", "周", "礼拜"] {
        for (at, _) in text.match_indices(marker) {
            let Some(letter) = text[at + marker.len()..].chars().next() else { continue };
            let letter = if letter == '天' { '日' } else { letter };
            let Some(told) = CHINESE.iter().position(|(numeral, _)| numeral.starts_with(letter)) else { continue };
            if let Some((start, date, day)) = date_before(&text[..at], days) {
                found.push(DatedWeekday { range: start..at + marker.len() + letter.len_utf8(), told, day, date });
            }
        }
    }
    for (told, name) in ENGLISH.iter().enumerate() {
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            if let Some((until, date, day)) = date_after(&text[end..], days) {
                found.push(DatedWeekday { range: at..end + until, told, day, date });
            }
        }
    }
    found
}

/// Returns whether the stated weekday is right by the Julian calendar, in use in parts of Europe until 1923.
fn is_right_by_julian(dated: &DatedWeekday) -> bool {
    let numbers = dated.date.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<usize>().ok());
    let Some(year) = numbers.filter(|number| (200..=1923).contains(number)).max() else { return false };
    let century = year / 100;
    let apart = century - century / 4 - 2;
    // In January and February of a century the difference is still that of the century before.
    [apart, apart.saturating_sub(1)].iter().any(|apart| (dated.day + apart) % 7 == dated.told)
}

/// Parses a date at the end of the text; returns its start, the date with its year, and its weekday.
fn date_before(text: &str, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let text = text.trim_end_matches([' ', '，', '、', '（', '(', '·']);
    let starts: Vec<usize> = text.char_indices().rev().take(NEAR).map(|(at, _)| at).collect();
    starts.into_iter().rev().find_map(|at| {
        let (date, day) = weekday(&text[at..], '年', days)?;
        Some((at, date, day))
    })
}

/// Parses a date at the beginning of the text; returns its end, the date with its year, and its weekday.
fn date_after(text: &str, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let rest = text.strip_prefix([',', ' '])?.trim_start();
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let skipped = text.len() - rest.len();
    let ends: Vec<usize> = rest.char_indices().take(NEAR).map(|(at, c)| at + c.len_utf8()).collect();
    let is_end = |end: &usize| !rest[*end..].starts_with(|c: char| c.is_ascii_alphanumeric());
    ends.into_iter().rev().filter(is_end).find_map(|end| {
        let (date, day) = weekday(&rest[..end], ' ', days)?;
        Some((skipped + end, date, day))
    })
}

/// Returns a date with its year, and its weekday. A date without a year has that of an event of the chapter on the same day.
fn weekday(date: &str, mark: char, days: &[EventDay<'_>]) -> Option<(String, usize)> {
    let date = date.trim();
    let has_year = date.contains(mark) && date.chars().filter(char::is_ascii_digit).count() >= 4
        || date.contains('年') && date.contains('月');
    if has_year {
        return Some((date.to_owned(), parse(date).moment()?.weekday()?));
    }
    let day = |moment: &Moment| moment.bounds().0.div_euclid(DAY);
    days.iter().find_map(|(written, known)| {
        let dated = dated_like(written, date);
        let moment = parse(&dated).moment().filter(|moment| day(moment) == day(known))?;
        Some((dated, moment.weekday()?))
    })
}

const DAY: i64 = 86_400;
