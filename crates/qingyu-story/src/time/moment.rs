//! An interval of story time on a calendar.

use serde::Serialize;

use super::civil;

/// An interval of story time, from `start` (inclusive) to `end` (exclusive), in seconds on its calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    pub(super) calendar: Calendar,
    pub(super) start: i64,
    pub(super) end: i64,
}

/// The calendar of a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Calendar {
    /// Years of an era; the empty name is the common era.
    Era(String),
    /// Days counted from the story's beginning.
    Days,
}

/// Seconds of a day with the night that belongs to it.
pub(crate) const LONGEST_DAY: i64 = 30 * 3600;

impl Moment {
    /// Returns the midnight and the time window in seconds, if the interval is a day or part of a day.
    pub(super) fn day(&self) -> Option<(i64, Window)> {
        let from = self.start.rem_euclid(civil::DAY);
        let midnight = self.start - from;
        (self.end - midnight <= LONGEST_DAY).then_some((midnight, (from, self.end - midnight)))
    }

    /// Returns the whole day of a part of a day, with the night that belongs to it; a longer interval as it is.
    pub(crate) fn with_its_night(&self) -> Self {
        match self.day() {
            Some((midnight, _)) => Self { start: midnight, end: midnight + LONGEST_DAY, ..self.clone() },
            None => self.clone(),
        }
    }

    /// Returns the second at which the interval usually begins, to sort it among others of its day. The part of a day whose widest
    /// hours are known, such as an evening or a night, begins at its usual hour.
    pub(super) fn usual_start(&self) -> i64 {
        const HOUR: i64 = 3600;
        let Some((midnight, (from, until))) = self.day() else { return self.start };
        let hour = match (from / HOUR, until / HOUR) {
            (0, 6) => 3,
            (3 | 6, 12) => 8,
            (11, 14) => 12,
            (12, 19) => 14,
            (16, 22 | 24) => 18,
            (16, 30) => 20,
            (0, 30) => 22,
            (0, 25) => 23,
            (1, 27) => 25,
            (3, 29) => 27,
            _ => return self.start,
        };
        midnight + hour * HOUR
    }

    /// Returns whether both are parts of a day, and the interval usually begins before `other`: an evening before ten at night.
    pub(crate) fn is_usually_before(&self, other: &Self) -> bool {
        let is_part = |moment: &Self| moment.day().is_some_and(|(_, window)| window != (0, civil::DAY));
        self.is_comparable(other) && is_part(self) && is_part(other) && self.usual_start() < other.usual_start()
    }

    /// Returns whether the interval certainly ends before `other` begins.
    pub fn is_before(&self, other: &Self) -> bool {
        self.calendar == other.calendar && self.end <= other.start
    }

    /// Returns whether both have the same calendar, and at least `gap` seconds lie between them.
    pub(crate) fn is_apart_from(&self, other: &Self, gap: i64) -> bool {
        self.is_comparable(other) && (self.end + gap <= other.start || other.end + gap <= self.start)
    }

    /// Returns whether the calendar has eras and not only days counted from the story's beginning.
    pub(crate) fn is_dated(&self) -> bool {
        matches!(self.calendar, Calendar::Era(_))
    }

    /// Returns whether both have the same calendar.
    pub(crate) fn is_comparable(&self, other: &Self) -> bool {
        self.calendar == other.calendar
    }

    /// Returns the duration in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        self.end - self.start
    }

    /// Returns whether the time is known to the minute.
    pub(crate) fn is_exact(&self) -> bool {
        self.end - self.start <= 60
    }

    /// Returns whether both are the same minute.
    pub(crate) fn is_same_minute(&self, other: &Self) -> bool {
        self.is_exact() && other.is_exact() && self.is_comparable(other) && self.start == other.start
    }

    /// Returns whether the interval begins before `other` begins, on the same calendar.
    pub(crate) fn begins_before(&self, other: &Self) -> bool {
        self.calendar == other.calendar && self.start < other.start
    }

    /// Returns the interval from the earlier beginning to the later end of both.
    pub(crate) fn hull(&self, other: &Self) -> Option<Self> {
        self.is_comparable(other).then(|| Self {
            calendar: self.calendar.clone(),
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        })
    }

    /// Returns the minimum and maximum age in full years at `time` of a person born at `self`; negative before birth.
    /// Returns `None` for incomparable times.
    pub fn age_at(&self, time: &Self) -> Option<(i64, i64)> {
        let Calendar::Era(_) = self.calendar else { return None };
        if !self.is_comparable(time) {
            return None;
        }
        let (born_first, born_last) = self.years();
        let (first, last) = time.years();
        Some((first - born_last - 1, last - born_first))
    }

    /// Returns the day of the week of a common-era day, from 0 for Monday.
    pub(crate) fn weekday(&self) -> Option<usize> {
        let Calendar::Era(era) = &self.calendar else { return None };
        let (midnight, _) = self.day().filter(|_| era.is_empty())?;
        civil::weekday(midnight.div_euclid(civil::DAY))
    }

    /// Returns beginning and end, in seconds on the calendar.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        (self.start, self.end)
    }

    /// Returns the first and the last year of the interval.
    pub(super) fn years(&self) -> (i64, i64) {
        (civil::year_of(self.start), civil::year_of(self.end - 1))
    }
}

/// The start and end in seconds from the beginning of the day.
pub(crate) type Window = (i64, i64);
