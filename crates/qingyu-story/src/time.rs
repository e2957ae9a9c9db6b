//! Story time, exactly: stretches on a calendar, compared only where the comparison is certain.
//!
//! A time in the story's words becomes a [`Moment`], the stretch within which it lies: `2077` is a whole year,
//! `2077年3月5日夜` a night, `2077-03-05 22:00` a minute. Calendars with a name of their own (`星历312年`) and counted days
//! (`第3天`) are lines of their own and never compared with another. What cannot be read stays unknown.

pub mod chronology;
mod civil;
mod lines;
pub mod network;
mod parse;
#[cfg(test)]
mod tests;

pub(crate) use chronology::Beginning;
pub use chronology::Chronology;
pub use lines::{Line, Placed, lines};
pub(crate) use parse::leading_number;
pub use parse::{Length, Reading, Relative, Shift, Window, length, parse, relative};

use serde::Serialize;

/// A stretch of story time, from `start` up to but without `end`, in seconds on its calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    calendar: Calendar,
    start: i64,
    end: i64,
}

/// What a time is counted on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Calendar {
    /// Years of an era; the empty name is the common era.
    Era(String),
    /// Days counted from the story's beginning.
    Days,
}

impl Moment {
    /// Its midnight and the seconds after it, if it is a day or part of one.
    fn day(&self) -> Option<(i64, Window)> {
        const LONGEST_NIGHT: i64 = 30 * 3600;
        let from = self.start.rem_euclid(civil::DAY);
        let midnight = self.start - from;
        (self.end - midnight <= LONGEST_NIGHT).then_some((midnight, (from, self.end - midnight)))
    }

    /// Whether all of it is certainly before all of `other`.
    pub fn is_before(&self, other: &Self) -> bool {
        self.calendar == other.calendar && self.end <= other.start
    }

    /// Whether both can be compared at all.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.calendar == other.calendar
    }

    /// How long it is.
    pub(crate) fn seconds(&self) -> i64 {
        self.end - self.start
    }

    /// Whether it is known to the minute.
    pub fn is_exact(&self) -> bool {
        self.end - self.start <= 60
    }

    /// Whether both are the same minute.
    pub fn is_same_minute(&self, other: &Self) -> bool {
        self.is_exact() && other.is_exact() && self.is_comparable(other) && self.start == other.start
    }

    /// Whether it begins before `other` begins, on the same calendar.
    pub fn begins_before(&self, other: &Self) -> bool {
        self.calendar == other.calendar && self.start < other.start
    }

    /// The stretch from the earlier beginning to the later end of both.
    pub fn hull(&self, other: &Self) -> Option<Self> {
        self.is_comparable(other).then(|| Self {
            calendar: self.calendar.clone(),
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        })
    }

    /// The least and the greatest age in full years that somebody born at `self` can have at `time`; negative if not
    /// born yet. `None` if the times cannot be compared.
    pub fn age_at(&self, time: &Self) -> Option<(i64, i64)> {
        let Calendar::Era(_) = self.calendar else { return None };
        if !self.is_comparable(time) {
            return None;
        }
        let (born_first, born_last) = self.years();
        let (first, last) = time.years();
        Some((first - born_last - 1, last - born_first))
    }

    /// The day of the week, from 0 for Monday, of a day of the common era.
    pub(crate) fn weekday(&self) -> Option<usize> {
        let Calendar::Era(era) = &self.calendar else { return None };
        let (midnight, _) = self.day().filter(|_| era.is_empty())?;
        // The first of January 1970 was a Thursday.
        usize::try_from((midnight.div_euclid(civil::DAY) + 3).rem_euclid(7)).ok()
    }

    /// Its beginning and its end, in seconds on its calendar.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        (self.start, self.end)
    }

    /// The first and the last year it touches.
    fn years(&self) -> (i64, i64) {
        (civil::year_of(self.start), civil::year_of(self.end - 1))
    }
}
