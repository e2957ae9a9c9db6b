//! Dates of the Chinese lunar calendar: `五月初九`, `腊月廿三`, `民国十五年闰四月初二`.
//!
//! A date of the common era whose lunar year is in the table of [`lunar_years`](super::lunar_years) is converted to the
//! civil calendar. Others are on the calendar of their era, or on one of their own, [`LUNAR_CALENDAR`].

use std::borrow::Cow;
use std::ops::Range;

use super::civil::DAY;
use super::lunar_words::{
    CALENDARS, CIVIL_MARKS, LEAP, LUNAR_CALENDAR, MONTHS, day_in_words, in_chinese, is_marked_day,
};
use super::lunar_years::LunarDay;
use super::moment::{Calendar, Moment};
use super::parse::parse;
use crate::numerals::is_plain_numeral;

/// Returns whether the words of a time are certainly of the lunar calendar: `五月初九`, `腊月`, `农历四月十九`.
pub(super) fn is_lunar(words: &str) -> bool {
    let words = words.trim();
    let is_leap = |(at, _): (usize, &str)| words[at..].chars().nth(1).is_some_and(is_plain_numeral);
    CALENDARS.iter().any(|name| words.contains(name))
        || MONTHS.iter().any(|(name, _)| words.contains(name))
        || LEAP.iter().any(|leap| words.match_indices(leap).any(is_leap)) && words.contains('月')
        || words.split('月').skip(1).any(is_marked_day)
        || !words.contains('年') && is_marked_day(words)
}

/// Returns a time whose words may be of both calendars with the name of the lunar one if `known` is lunar: `农历四月十九` for
/// `四月十九` beside `民国十五年五月初九`. Other times unchanged.
pub(crate) fn in_calendar_of<'t>(known: &str, told: &'t str) -> Cow<'t, str> {
    match open_date(told).filter(|_| is_of_common_era(known)) {
        Some(date) => Cow::Owned(marked_at(told, date.start)),
        None => Cow::Borrowed(told),
    }
}

/// Returns whether the words of a time are lunar and name no era but the common one.
pub(super) fn is_of_common_era(known: &str) -> bool {
    let is_common = |moment: Moment| match moment.calendar {
        Calendar::Era(era) => era.is_empty() || era == LUNAR_CALENDAR,
        Calendar::Days => false,
    };
    is_lunar(known) && parse(known).moment().is_none_or(is_common)
}

/// Returns the bytes of a month in Chinese numerals and of the day after it, if that is in such numerals: `四月十九`, `四月`.
pub(super) fn date_in_numerals(told: &str) -> Option<Range<usize>> {
    let (before, after) = told.split_once('月')?;
    let start = before.trim_end_matches(is_plain_numeral).len();
    let rest = after.trim_start_matches(is_plain_numeral);
    (start < before.len()).then(|| start..told.len() - rest.len())
}

/// Returns whether a date found by [`date_in_numerals`] has a day.
pub(super) fn has_day(date: &str) -> bool {
    !date.ends_with('月')
}

/// Returns the bytes of the date of a time that may be of both calendars: a month in Chinese numerals without a day, or
/// with one in Chinese numerals without `日` or `号`.
fn open_date(told: &str) -> Option<Range<usize>> {
    let date = date_in_numerals(told)?;
    let rest = &told[date.end..];
    let is_civil = rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(CIVIL_MARKS);
    (!is_civil && !is_lunar(told)).then_some(date)
}

/// Returns the bytes of the month and the day of a time that may be of both calendars: `四月十九`, in Chinese numerals and without
/// `日` or `号`.
pub(super) fn open_day(told: &str) -> Option<Range<usize>> {
    open_date(told).filter(|date| has_day(&told[date.clone()]))
}

/// Returns a time with the name of the lunar calendar before the month that begins at `at`.
pub(super) fn marked_at(told: &str, at: usize) -> String {
    format!("{}{LUNAR_CALENDAR}{}", &told[..at], &told[at..])
}

/// Returns two times of one story as times of one calendar, if their days may be of both: as lunar ones if both are such days, and
/// beside a lunar date.
pub(crate) fn in_one_calendar<'t>(one: &'t str, other: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    match open_day(one).zip(open_day(other)) {
        Some((first, second)) => (Cow::Owned(marked_at(one, first.start)), Cow::Owned(marked_at(other, second.start))),
        None => (in_calendar_of(other, one), in_calendar_of(one, other)),
    }
}

/// Returns whether the day of a time may be of both calendars: `四月十九`.
pub(crate) fn is_open_day(told: &str) -> bool {
    open_day(told).is_some()
}

/// Returns a lunar time without a year, or without year and month, as the one nearest to the civil date `known`: `1926年腊月廿三`
/// for `腊月廿三` beside `1927-01-26`. `None` for other times, and if the date is not known to the month.
pub(super) fn near(known: &str, told: &str) -> Option<String> {
    const MONTH: i64 = 31 * DAY;
    if !is_lunar(told) || is_lunar(known) || told.contains('年') {
        return None;
    }
    let known = parse(known).moment().filter(|moment| moment.seconds() <= MONTH)?;
    let is_common = matches!(&known.calendar, Calendar::Era(era) if era.is_empty());
    let own = LunarDay::of(known.start.div_euclid(DAY)).filter(|_| is_common)?;
    let told = told.trim();
    if is_marked_day(told) {
        let dated = format!("{}{told}", in_words(own));
        return parse(&dated).moment().is_some().then_some(dated);
    }
    let dated = (own.year - 1..=own.year + 1).filter_map(|year| {
        let dated = format!("{year}年{told}");
        let moment = parse(&dated).moment()?;
        Some((moment.start.abs_diff(known.start), dated))
    });
    dated.min_by_key(|(distance, _)| *distance).map(|(_, dated)| dated)
}

/// Returns the year and the month of a lunar day: `1926年五月`, `1925年闰四月`.
pub(super) fn in_words(day: LunarDay) -> String {
    let leap = if day.is_leap { LEAP[0] } else { "" };
    format!("{}年{leap}{}", day.year, month_in_words(day.month))
}

/// Returns the ways in which a text may write a lunar day without its year: `腊月廿三`, `十二月二十三`.
pub(super) fn written(day: LunarDay) -> Vec<String> {
    let leap = if day.is_leap { LEAP[0] } else { "" };
    let mut days = vec![day_in_words(day.day)];
    if (21..=29).contains(&day.day) {
        days.push(format!("廿{}", in_chinese(day.day - 20)));
    }
    let mut months = vec![format!("{}月", in_chinese(day.month)), month_in_words(day.month)];
    months.dedup();
    months.iter().flat_map(|month| days.iter().map(move |day| format!("{leap}{month}{day}"))).collect()
}

/// Returns a lunar month as it is usually named: `正月`, `五月`, `冬月`.
fn month_in_words(month: i64) -> String {
    let named = MONTHS.iter().find(|(_, number)| *number == month).map(|(name, _)| (*name).to_owned());
    named.unwrap_or_else(|| format!("{}月", in_chinese(month)))
}

#[cfg(test)]
mod tests {
    use super::{LunarDay, in_calendar_of, is_lunar, near, parse, written};

    #[test]
    fn words_are_lunar_by_their_month_or_their_day() {
        for words in
            ["五月初九", "民国十五年闰四月", "腊月廿三", "正月十五", "廿三", "初六夜里", "农历四月十九", "1926年五月卅"]
        {
            assert!(is_lunar(words), "{words}");
        }
        for words in ["四月十九", "1926年6月18日", "六月初", "初秋", "五月初夏", "廿五年六月", "闰年", "March 5", ""]
        {
            assert!(!is_lunar(words), "{words}");
        }
    }

    #[test]
    fn a_date_without_a_mark_is_of_the_calendar_of_the_others() {
        for (known, told, expected) in [
            ("民国十五年五月初九", "四月十九那天夜里", "农历四月十九那天夜里"),
            ("五月初九", "民国十五年四月十九", "民国十五年农历四月十九"),
            ("1895年五月初九", "四月", "农历四月"),
            // A civil date, a lunar one, one in digits, and beside dates of other calendars.
            ("民国十五年五月初九", "四月十九日", "四月十九日"),
            ("民国十五年五月初九", "四月初九", "四月初九"),
            ("民国十五年五月初九", "4月19", "4月19"),
            ("民国十五年五月初九", "本月十九", "本月十九"),
            ("1926年6月18日", "四月十九", "四月十九"),
            ("万历二十三年三月初五", "四月十九", "四月十九"),
            ("", "四月十九", "四月十九"),
        ] {
            assert_eq!(in_calendar_of(known, told), expected, "{known}: {told}");
        }
    }

    #[test]
    fn a_lunar_day_without_a_year_is_the_nearest_to_a_civil_date() {
        for (known, told, expected) in [
            ("1927-01-26", "腊月廿三", Some("1926年腊月廿三")),
            ("1926年6月18日", "五月初九", Some("1926年五月初九")),
            ("1926-06-18 17:00", "初十", Some("1926年五月初十")),
            ("1926-06-18", "四月十九", None),
            ("1926", "五月初九", None),
            ("万历二十三年三月初五", "五月初九", None),
            ("民国十五年五月初九", "五月初十", None),
        ] {
            assert_eq!(near(known, told).as_deref(), expected, "{known}: {told}");
        }
    }

    #[test]
    fn a_lunar_day_is_written_in_several_ways() {
        let forms = written(LunarDay { year: 1926, month: 12, is_leap: false, day: 23 });
        assert_eq!(forms, ["十二月二十三", "十二月廿三", "腊月二十三", "腊月廿三"]);
        assert_eq!(written(LunarDay { year: 1925, month: 4, is_leap: true, day: 2 }), ["闰四月初二"]);
        assert!(parse("1925年闰四月初二").moment().is_some());
    }
}
