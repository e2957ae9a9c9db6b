//! Parses dates of the Chinese lunar calendar.

use super::cursor::{Date, TimeCursor};
use super::lunar_date::LunarDate;
use crate::numerals::is_plain_numeral;
use crate::time::lunar_words::{LEAP, MONTHS, is_marked_day};
use crate::time::lunar_years::{has_year, month_of};

/// Feasts on a day of the lunar calendar, with the month and the day.
const FEASTS: [(&str, i64, i64); 12] = [
    ("大年初一", 1, 1),
    ("元宵", 1, 15),
    ("上元", 1, 15),
    ("端午", 5, 5),
    ("端阳", 5, 5),
    ("七夕", 7, 7),
    ("中元", 7, 15),
    ("中秋", 8, 15),
    ("重阳", 9, 9),
    ("腊八", 12, 8),
    ("除夕", 12, 30),
    ("大年三十", 12, 30),
];

/// The day of April of the solar feast `清明` in a year from 1900 to 2099; `None` in others.
fn day_of_qingming(year: i64) -> Option<i64> {
    // The usual rule: the days since the beginning of the century by the length of the year, less its leap days.
    let first = match year {
        1900..=1999 => 55_900,
        2000..=2099 => 48_100,
        _ => return None,
    };
    let in_century = year % 100;
    Some((in_century * 2_422 + first) / 10_000 - in_century / 4)
}

impl TimeCursor<'_> {
    /// Parses the name of a feast after its year: `端午`, `中秋节`, `除夕`, `清明`.
    pub(super) fn feast(&mut self, era: &str, year: i64) -> Option<Date> {
        let is_common = era.is_empty();
        let date = if self.eat("清明").is_some() {
            let day = day_of_qingming(year).filter(|_| is_common)?;
            Date::Civil { era: String::new(), year, month: Some(4), day: Some(day) }
        } else {
            let (month, day) = FEASTS.iter().find_map(|(name, month, day)| self.eat(name).map(|()| (*month, *day)))?;
            // The last day of the year.
            let last = month_of(year, month, false).filter(|_| is_common && (month, day) == (12, 30));
            let day = last.map_or(day, |(_, length)| length);
            Date::Lunar(LunarDate {
                era: era.to_owned(),
                year,
                month: Some((month, false)),
                day: Some(day),
                is_open: false,
            })
        };
        let _ = self.eat_any(&["节", "日"]);
        Some(date)
    }

    /// Parses the month and the day of a lunar date after its year: `五月初九`, `腊月廿三`, `闰四月`. `is_told` says that the words
    /// before name the calendar. Without that, a date of the common era is only certainly lunar by its own words.
    pub(super) fn lunar_date(&mut self, era: &str, year: i64, is_told: bool) -> Option<LunarDate> {
        let is_leap = self.eat_any(&LEAP).is_some();
        let is_in_numerals = self.rest.starts_with(is_plain_numeral);
        let named = MONTHS.iter().find_map(|(name, month)| self.eat(name).map(|()| *month));
        let Some(month) = named.or_else(|| self.attempt(Self::numbered_month)) else {
            // The year alone.
            let date = LunarDate { era: era.to_owned(), year, month: None, day: None, is_open: false };
            return (is_told && !is_leap).then_some(date);
        };
        let is_marked = is_in_numerals && is_marked_day(self.rest);
        let numbered = self.attempt(Self::numbered_day);
        let day = numbered.or_else(|| self.attempt(Self::lunar_day));
        let is_of_era = !era.is_empty() && numbered.is_none() && day.is_some();
        let is_lunar = is_told || is_leap || named.is_some() || is_marked || is_of_era;
        let is_open = !is_lunar && is_in_numerals && numbered.is_none() && day.is_some() && has_year(year);
        let date = LunarDate { era: era.to_owned(), year, month: Some((month, is_leap)), day, is_open };
        (is_lunar || is_open).then_some(date)
    }

    /// Parses `初九`, `十五`, `廿二`, `三十`, `卅`.
    fn lunar_day(&mut self) -> Option<i64> {
        if self.eat("初").is_some() {
            return self.number().filter(|day| (1..=10).contains(day));
        }
        if self.eat("卅").is_some() {
            return Some(30);
        }
        if self.eat("廿").is_some() {
            let ones = self.attempt(|cursor| cursor.number().filter(|ones| (1..10).contains(ones)));
            return Some(20 + ones.unwrap_or(0));
        }
        let is_chinese = self.rest.starts_with(is_plain_numeral);
        self.number().filter(|day| is_chinese && (10..=30).contains(day))
    }
}
