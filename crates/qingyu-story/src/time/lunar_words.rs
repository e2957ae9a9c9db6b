//! The words of the Chinese lunar calendar.

use crate::numerals::{chinese, is_plain_numeral};

/// The name of the calendar of lunar dates of the common era that are not converted.
pub(crate) const LUNAR_CALENDAR: &str = "农历";

/// The names of the lunar calendar before a date.
pub(super) const CALENDARS: [&str; 6] = [LUNAR_CALENDAR, "農曆", "阴历", "陰曆", "旧历", "夏历"];

/// The names of lunar months that are no numerals, with their numbers.
pub(super) const MONTHS: [(&str, i64); 4] = [("正月", 1), ("冬月", 11), ("腊月", 12), ("臘月", 12)];

/// The words before a leap month.
pub(super) const LEAP: [&str; 2] = ["闰", "閏"];

/// The words after a day of the civil calendar.
pub(super) const CIVIL_MARKS: [char; 3] = ['日', '号', '號'];

/// Returns the number of a month or a day in Chinese numerals.
pub(super) fn in_chinese(number: i64) -> String {
    u32::try_from(number).map(chinese).unwrap_or_default()
}

/// Returns a day of a lunar month as it is usually written: `初九`, `十九`.
pub(super) fn day_in_words(day: i64) -> String {
    let mark = if day <= 10 { "初" } else { "" };
    format!("{mark}{}", in_chinese(day))
}

/// Returns whether words begin with a day that only a lunar month has: `初九`, `廿三`.
pub(super) fn is_marked_day(words: &str) -> bool {
    let first = words.strip_prefix('初').and_then(|rest| rest.chars().next());
    first.is_some_and(is_plain_numeral) || words.starts_with(['廿', '卅'])
}
