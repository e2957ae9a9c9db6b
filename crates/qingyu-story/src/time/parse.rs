//! Parses times in Chinese and English words.

mod cursor;
mod length;
mod lunar;
mod lunar_date;
mod relative;

pub(crate) use length::{TimeLength, leading_number, length};
pub(crate) use relative::{RelativeTime, TimeShift, relative};

use crate::names::fold;
use crate::time::moment::Moment;
use cursor::{Date, TimeCursor, WHOLE_DAY};

/// The result of parsing a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParsedTime {
    /// A parsed time.
    Known(Moment),
    /// A nonexistent date of the common calendar, such as `2077-02-30`.
    Impossible,
    /// Empty text, or words not understood.
    Unknown,
}

impl ParsedTime {
    /// Returns the time, if known.
    pub(crate) fn moment(self) -> Option<Moment> {
        match self {
            Self::Known(moment) => Some(moment),
            Self::Impossible | Self::Unknown => None,
        }
    }
}

/// Returns the interval of a time in the story's words; `None` if the date does not exist or the words are not understood.
pub fn moment(text: &str) -> Option<Moment> {
    parse(text).moment()
}

/// Parses a time such as `2077`, `2077-03-05 22:00`, `2077年3月5日夜`, `二〇七七年三月`, `星历312年`, `2070年代`, `21世纪`, `第3天`, `Day
/// 3, 14:00`, `March 5, 2077`, `天宝十四年十一月初九 子时`, `民国十五年五月初九`, `Year 312, Day 45`, `the night of May 4th, 1852`.
///
/// The whole text must parse: `约2077年` and `三天后` return unknown instead of a guess.
pub(crate) fn parse(text: &str) -> ParsedTime {
    let folded = fold(text);
    let mut cursor = TimeCursor { rest: &folded };
    let before = cursor.attempt(TimeCursor::time_before_date);
    let Some(date) = cursor.date() else { return ParsedTime::Unknown };
    if date.is_day() {
        let _ = cursor.attempt(TimeCursor::weekday_after);
        let _ = cursor.eat_any(&["那天", "那日", "这天", "这日", "当天", "当日"]);
    }
    cursor.skip_separators();
    let Some(window) = cursor.time_of_day() else { return ParsedTime::Unknown };
    let window = match before {
        Some(_) if window != WHOLE_DAY => return ParsedTime::Unknown,
        before => before.unwrap_or(window),
    };
    if !cursor.rest.is_empty() || (window != WHOLE_DAY && !date.is_day()) {
        return ParsedTime::Unknown;
    }
    match date.moment(window) {
        Some(moment) => ParsedTime::Known(moment),
        None if matches!(&date, Date::Civil { era, .. } if era.is_empty()) => ParsedTime::Impossible,
        None => ParsedTime::Unknown,
    }
}
