//! A date of the Chinese lunar calendar, and the time that it is.

use crate::time::civil::{DAY, days, days_in_month};
use crate::time::lunar_words::LUNAR_CALENDAR;
use crate::time::lunar_years::{has_year, month_of, year_of};
use crate::time::moment::{Calendar, Moment, Window};

/// A parsed date of the lunar calendar.
#[derive(Debug)]
pub(super) struct LunarDate {
    /// The name of the era; empty for the common era.
    pub(super) era: String,
    pub(super) year: i64,
    /// The month, and whether it is a leap month.
    pub(super) month: Option<(i64, bool)>,
    pub(super) day: Option<i64>,
    /// Whether the date may be one of the civil calendar as well: `民国十五年四月十九`.
    pub(super) is_open: bool,
}

impl LunarDate {
    pub(super) fn is_day(&self) -> bool {
        self.day.is_some()
    }

    /// Returns the moment of the date, or `None` if the day does not exist. A date of the common era is converted to the civil
    /// calendar, if its year is in the table. A date that may be of both calendars is known to lie between both readings.
    pub(super) fn moment(&self, window: Window) -> Option<Moment> {
        if self.is_open {
            return self.of_either(window);
        }
        if self.era.is_empty() && has_year(self.year) { self.converted(window) } else { self.placed(window) }
    }

    /// Returns the time from the earlier to the later reading. The thirtieth of a short lunar month is taken for its last day.
    fn of_either(&self, (from, until): Window) -> Option<Moment> {
        let ((month, is_leap), day) = self.month.zip(self.day)?;
        let on = |day: i64| Moment {
            calendar: Calendar::Era(String::new()),
            start: day * DAY + from,
            end: day * DAY + until,
        };
        let lunar = month_of(self.year, month, is_leap).map(|(first, length)| on(first + day.min(length) - 1));
        let is_civil = (1..=days_in_month(self.year, month)).contains(&day);
        match (is_civil.then(|| on(days(self.year, month, day))), lunar) {
            (Some(civil), Some(lunar)) => civil.hull(&lunar),
            (civil, lunar) => civil.or(lunar),
        }
    }

    fn converted(&self, (from, until): Window) -> Option<Moment> {
        let (first, length) = match self.month {
            Some((month, is_leap)) => month_of(self.year, month, is_leap)?,
            None => year_of(self.year)?,
        };
        let (start, end) = match self.day {
            Some(day) if !(1..=length).contains(&day) => return None,
            Some(day) => ((first + day - 1) * DAY + from, (first + day - 1) * DAY + until),
            None => (first * DAY, (first + length) * DAY),
        };
        Some(Moment { calendar: Calendar::Era(String::new()), start, end })
    }

    /// Returns the moment on the calendar of the era, whose months have their usual place in the year. A leap month, and a day
    /// for which the month has no place, is known to be at the end of its month, before the next one.
    fn placed(&self, (from, until): Window) -> Option<Moment> {
        let calendar = Calendar::Era(if self.era.is_empty() { LUNAR_CALENDAR.to_owned() } else { self.era.clone() });
        let Some((month, is_leap)) = self.month else {
            return Some(Moment { calendar, start: days(self.year, 1, 1) * DAY, end: days(self.year + 1, 1, 1) * DAY });
        };
        let length = days_in_month(self.year, month);
        if length == 0 || self.day == Some(0) {
            return None;
        }
        let first = days(self.year, month, 1);
        let (start, end) = match self.day {
            Some(day) if day > length.max(30) => return None,
            _ if is_leap => ((first + length - 2) * DAY, (first + length) * DAY),
            None => (first * DAY, (first + length) * DAY),
            Some(day) if day > length => ((first + length - 2) * DAY, (first + length) * DAY),
            Some(day) => ((first + day - 1) * DAY + from, (first + day - 1) * DAY + until),
        };
        Some(Moment { calendar, start, end })
    }
}
