//! Dates with weekdays in a text.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::numerals::is_plain_numeral;
use crate::rules::RuleMaterial;
use crate::time::{
    CHINESE_MARKS, CalendarDay, Moment, WEEKDAYS, chinese_weekday, dated_before, dated_like, in_calendar_of, lacks_era,
    parse,
};
use crate::{Language, Mode};

/// The maximum length of a date beside a weekday, with its hour, in characters.
const NEAR: usize = 56;

/// A date with its weekday.
pub(super) struct DatedWeekday {
    /// The range of both.
    pub(super) range: Range<usize>,
    /// The stated weekday, from 0 for Monday.
    pub(super) told: usize,
    /// The actual weekday of the date.
    pub(super) day: usize,
    /// The date with its year.
    pub(super) date: String,
}

/// The day of an event of a chapter.
pub(super) struct EventDay<'s> {
    /// The time, as written, by the calendar of its story.
    written: Cow<'s, str>,
    time: Moment,
    /// Whether the chapter looks back on it.
    is_remembered: bool,
}

impl EventDay<'_> {
    /// Returns a date, with its weekday, if it is on this day.
    fn dated(&self, date: String) -> Option<(String, usize)> {
        let moment = parse(&date).moment().filter(|moment| day_number(moment) == day_number(&self.time))?;
        Some((date, moment.weekday()?))
    }
}

/// Returns the days of the narrated and the remembered events on the common calendar, by the id of their outline node.
pub(super) fn days<'s>(material: &RuleMaterial<'s>) -> FxHashMap<&'s str, Vec<EventDay<'s>>> {
    let mut days: FxHashMap<&str, Vec<EventDay<'_>>> = FxHashMap::default();
    for (at, event) in material.story.timeline_events.iter().enumerate() {
        let day = event_day(material, at);
        if let Some((node, day)) = node(material, event.outline_node.as_deref()).zip(day) {
            days.entry(node).or_default().push(day);
        }
    }
    days
}

/// Returns the day of a narrated or remembered event on the common calendar.
pub(super) fn event_day<'s>(material: &RuleMaterial<'s>, at: usize) -> Option<EventDay<'s>> {
    let event = &material.story.timeline_events[at];
    let is_remembered = event.mode == Mode::Flashback;
    if !is_remembered && event.mode != Mode::Narrated {
        return None;
    }
    let time = material.times[at].clone().filter(|moment| moment.weekday().is_some())?;
    Some(EventDay { written: material.story_calendar().mark(&event.timestamp), time, is_remembered })
}

/// Returns the days of the narrated events, by time, if they are of one year: a day of the book without its year is then one
/// of them.
pub(super) fn days_of_one_year<'s>(material: &RuleMaterial<'s>) -> Vec<EventDay<'s>> {
    const YEAR: i64 = 366;
    let mut days: Vec<_> = material.narrated().filter_map(|(at, _)| event_day(material, at)).collect();
    days.sort_by(|a, b| (a.time.bounds(), &a.written).cmp(&(b.time.bounds(), &b.written)));
    let first_and_last = days.first().zip(days.last());
    let is_one_year =
        first_and_last.is_some_and(|(first, last)| day_number(&last.time) - day_number(&first.time) < YEAR);
    if is_one_year { days } else { Vec::new() }
}

/// Returns the id of the outline node with this name.
pub(super) fn node<'s>(material: &RuleMaterial<'s>, name: Option<&str>) -> Option<&'s str> {
    Some(material.outline_node(name?)?.id.as_str())
}

/// Returns whether a text may name a weekday.
pub(super) fn has_weekday(text: &str) -> bool {
    CHINESE_MARKS.iter().chain(&WEEKDAYS).any(|word| text.contains(word))
}

/// Returns the dates of a text that stand beside a weekday. A date without a year is one of `days`.
pub(super) fn dated(text: &str, days: &[EventDay<'_>]) -> Vec<DatedWeekday> {
    let mut found = Vec::new();
    for marker in CHINESE_MARKS {
        for (at, _) in text.match_indices(marker) {
            let Some(numeral) = text[at + marker.len()..].chars().next() else { continue };
            let Some(told) = chinese_weekday(numeral) else { continue };
            let end = at + marker.len() + numeral.len_utf8();
            if let Some((start, date, day)) = date_before(&text[..at], '年', days) {
                found.push(DatedWeekday { range: start..end, told, day, date });
            } else if let Some((until, date, day)) = date_in_parentheses(&text[end..], days) {
                found.push(DatedWeekday { range: at..end + until, told, day, date });
            }
        }
    }
    for (told, name) in WEEKDAYS.iter().enumerate() {
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            // Of a date before the weekday, `a Monday` or `(Monday)` says that it is one.
            let before = text[..at].strip_suffix(", a ").or_else(|| text[..at].strip_suffix(" ("));
            if let Some((until, date, day)) = date_after(&text[end..], days) {
                found.push(DatedWeekday { range: at..end + until, told, day, date });
            } else if let Some((start, date, day)) = before.and_then(|before| date_before(before, ' ', days)) {
                found.push(DatedWeekday { range: start..end, told, day, date });
            }
        }
    }
    found
}

/// Returns the last year in which a book may use the Julian calendar: that in which its language changed to the Gregorian
/// one, or 1923, the last one in Europe, if the book names the old style or has more weekdays of it than of the new one.
pub(super) fn last_julian_year<'d>(
    language: Language,
    mut texts: impl Iterator<Item = &'d str>,
    told: impl Iterator<Item = &'d DatedWeekday> + Clone,
) -> usize {
    const OLD_STYLE: [&str; 6] = ["俄历", "儒略历", "Old Style", "old style", "Julian calendar", "O.S."];
    const LAST: usize = 1923;
    let new_style = told.clone().filter(|dated| dated.told == dated.day).count();
    let old_style = told.filter(|dated| dated.told != dated.day && is_right_by_julian(dated, LAST)).count();
    let is_used = old_style > new_style.max(1)
        || old_style > 0 && texts.any(|text| OLD_STYLE.iter().any(|words| text.contains(words)));
    match language {
        _ if is_used => LAST,
        Language::Zh => 1582,
        Language::En => 1752,
    }
}

/// Returns whether the stated weekday is right by the Julian calendar, for a date up to the year `last`.
pub(super) fn is_right_by_julian(dated: &DatedWeekday, last: usize) -> bool {
    let written =
        |year: usize| dated.date.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.parse() == Ok(year));
    let year = parse(&dated.date).moment().and_then(|moment| moment.civil_date());
    let year = year.and_then(|(year, ..)| usize::try_from(year).ok());
    // The year must stand there: an hour of four figures is none, nor is one counted from a reign.
    let Some(year) = year.filter(|year| (200..=last).contains(year) && written(*year)) else { return false };
    let century = year / 100;
    let apart = century - century / 4 - 2;
    // In January and February of a century the difference is still that of the century before.
    [apart, apart.saturating_sub(1)].iter().any(|apart| (dated.day + apart) % 7 == dated.told)
}

/// Parses a date at the end of the text; returns its start, the date with its year, and its weekday.
fn date_before(text: &str, mark: char, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let text = text.trim_end_matches([' ', '，', '、', '（', '(', '·']);
    // A date does not begin within another one: `四月初九` in `闰四月初九`, `十八日` in `七月十八日`.
    let is_within = |c: char| matches!(c, '月' | '闰' | '閏') || c.is_ascii_digit() || is_plain_numeral(c);
    let starts: Vec<usize> = text.char_indices().rev().take(NEAR).map(|(at, _)| at).collect();
    let is_start = |at: &usize| match mark {
        '年' => !text[*at..].starts_with(char::is_whitespace) && !text[..*at].ends_with(is_within),
        _ => !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()),
    };
    for at in starts.into_iter().rev().filter(is_start) {
        let found = weekday(&text[at..], mark, days);
        // No later start has the year: that of `光绪十五年六月` has an era.
        if lacks_era(&text[at..]) {
            let is_part = text[..at].ends_with(char::is_alphanumeric);
            return found.filter(|_| !is_part).map(|(date, day)| (at, date, day));
        }
        if let Some((date, day)) = found {
            return Some((at, date, day));
        }
    }
    None
}

/// Parses a date in parentheses after a weekday and, perhaps, an hour: `（3月14日）`, `下午三点（3月14日）`; returns its end, the
/// date with its year, and its weekday.
fn date_in_parentheses(text: &str, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let near = text.char_indices().nth(NEAR).map_or(text, |(end, _)| &text[..end]);
    let at = near.find(['（', '('])?;
    let is_hour = at == 0 || parse(&format!("2000年1月1日{}", &near[..at])).moment().is_some();
    let date = near[at..].trim_start_matches(['（', '(']);
    let start = near.len() - date.len();
    let end = start + date.find(['）', ')'])?;
    let (date, day) = weekday(near[start..end].trim(), '年', days).filter(|_| is_hour)?;
    Some((end, date, day))
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

/// Returns a date with its year, and its weekday. A date without a year has that of an event of the chapter on the same day;
/// one of this month, or of the last, that of a chapter of one day; a year without its era must be near an event.
fn weekday(date: &str, mark: char, days: &[EventDay<'_>]) -> Option<(String, usize)> {
    let date = date.trim();
    let has_year = date.contains(mark) && date.chars().filter(char::is_ascii_digit).count() >= 4
        || date.contains('年') && date.contains('月');
    let narrated = || days.iter().filter(|day| !day.is_remembered);
    if lacks_era(date) {
        return narrated().find_map(|known| {
            let dated = dated_like(&known.written, date);
            let weekday = parse(&dated).moment()?.weekday()?;
            (!lacks_era(&dated)).then_some((dated, weekday))
        });
    }
    if has_year {
        // A date that fits both calendars is read by the calendar of the chapter's events.
        let written = days.first().map_or("", |day| &*day.written);
        let dated = in_calendar_of(written, date).into_owned();
        let weekday = parse(&dated).moment()?.weekday()?;
        return Some((dated, weekday));
    }
    // `本月十四日` is told from the chapter, if it has one day.
    let first = narrated().next();
    let is_only = |first: &&EventDay<'_>| narrated().all(|known| day_number(&known.time) == day_number(&first.time));
    let own = first.filter(is_only).and_then(|known| CalendarDay::of(&known.time));
    if let Some(dated) = own.and_then(|own| own.resolve_in_month(date)) {
        let weekday = parse(&dated).moment()?.weekday()?;
        return Some((dated, weekday));
    }
    let found = narrated().find_map(|known| known.dated(dated_like(&known.written, date)));
    // The day of a memory must be the last such day before the chapter: the date may be one of another year.
    found.or_else(|| {
        days.iter().filter(|day| day.is_remembered).find_map(|known| {
            let base = first.map_or(&*known.written, |own| &*own.written);
            known.dated(dated_before(base, &dated_like(base, date)))
        })
    })
}

/// Returns the number of the day on which a time begins.
fn day_number(moment: &Moment) -> i64 {
    moment.bounds().0.div_euclid(DAY)
}

const DAY: i64 = 86_400;
