//! Parses relative times: `三天后`, `次日清晨`, `two hours later`, `the next morning`.

use super::cursor::{TimeCursor, WHOLE_DAY};
use super::length::TimeLength;
use crate::names::fold;
use crate::time::civil::DAY;
use crate::time::moment::Window;

/// A time relative to another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RelativeTime {
    /// The distance from the reference time.
    pub(crate) shift: TimeShift,
    /// The part of the day in seconds from the beginning of the day, if given.
    pub(crate) window: Option<Window>,
}

/// The distance between two times; negative if earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeShift {
    /// Calendar days: the next day counts as 1, at any hour.
    Days {
        /// The least number of days.
        least: i64,
        /// The greatest number of days.
        most: i64,
    },
    /// More than `least` and less than `most` seconds.
    Between {
        /// The exclusive lower end in seconds.
        least: i64,
        /// The exclusive upper end in seconds.
        most: i64,
    },
    /// Later by an unknown distance.
    Later,
}

/// Parses a relative time such as `三天后`, `次日`, `当晚`, `两小时前`, `不久`, `three days later`, `the next morning`, `that
/// night`.
///
/// The whole text must parse, and must not include the reference event.
pub(crate) fn relative(text: &str) -> Option<RelativeTime> {
    let folded = fold(text);
    let mut cursor = TimeCursor { rest: folded.trim_end_matches(['。', '.', ',', '，', ' ']) };
    if VAGUE.contains(&cursor.rest) {
        return Some(RelativeTime { shift: TimeShift::Later, window: None });
    }
    let shift = cursor.attempt(TimeCursor::named_day).or_else(|| cursor.attempt(TimeCursor::counted))?;
    let _ = cursor.eat("的");
    cursor.skip_separators();
    let _ = cursor.eat("on the ");
    let window = cursor.time_of_day()?;
    cursor.rest.is_empty().then_some(RelativeTime { shift, window: (window != WHOLE_DAY).then_some(window) })
}

/// Words for an unspecified later time.
const VAGUE: &[&str] = &[
    "不久",
    "不久后",
    "不久之后",
    "没过多久",
    "随后",
    "后来",
    "稍后",
    "之后",
    "其后",
    "片刻后",
    "片刻之后",
    "几天后",
    "数天后",
    "数日后",
    "数月后",
    "几年后",
    "多年后",
    "多年以后",
    "soon",
    "soon after",
    "soon afterwards",
    "shortly after",
    "shortly afterwards",
    "later",
    "afterwards",
    "some time later",
    "days later",
    "weeks later",
    "months later",
    "years later",
    "a few days later",
    "a while later",
];

/// Words for relative days; a part of the day in the word is parsed separately.
const NAMED: &[(&str, TimeShift)] = &[
    ("次日", days(1)),
    ("翌日", days(1)),
    ("隔天", days(1)),
    ("当天", days(0)),
    ("当日", days(0)),
    ("同日", days(0)),
    ("同一天", days(0)),
    ("次月", TimeShift::Between { least: 0, most: 62 * DAY }),
    ("翌月", TimeShift::Between { least: 0, most: 62 * DAY }),
    ("次年", TimeShift::Between { least: 0, most: 732 * DAY }),
    ("翌年", TimeShift::Between { least: 0, most: 732 * DAY }),
    ("next week", TimeShift::Between { least: 0, most: 14 * DAY }),
    ("following week", TimeShift::Between { least: 0, most: 14 * DAY }),
    ("next month", TimeShift::Between { least: 0, most: 62 * DAY }),
    ("following month", TimeShift::Between { least: 0, most: 62 * DAY }),
    ("next year", TimeShift::Between { least: 0, most: 732 * DAY }),
    ("following year", TimeShift::Between { least: 0, most: 732 * DAY }),
    ("next day", days(1)),
    ("following day", days(1)),
    ("same day", days(0)),
    ("that day", days(0)),
];

/// Prefixes before a part of the day, with the relative day.
const BEFORE_PARTS: &[(&str, TimeShift)] = &[
    ("次", days(1)),
    ("翌", days(1)),
    ("当", days(0)),
    ("同", days(0)),
    ("是", days(0)),
    ("next ", days(1)),
    ("following ", days(1)),
    ("same ", days(0)),
    ("that ", days(0)),
];

const fn days(number: i64) -> TimeShift {
    TimeShift::Days { least: number, most: number }
}

impl TimeCursor<'_> {
    /// Parses `次日`, `当晚`, `the next day`, `that night`.
    fn named_day(&mut self) -> Option<TimeShift> {
        let _ = self.eat_any(&["on the ", "later the ", "later ", "the "]);
        let _ = self.attempt(|cursor| cursor.eat("that ").filter(|()| cursor.rest.starts_with("same ")));
        if let Some((_, shift)) = NAMED.iter().find(|(word, _)| self.eat(word).is_some()) {
            return Some(*shift);
        }
        let (_, shift) = BEFORE_PARTS.iter().find(|(word, _)| self.eat(word).is_some())?;
        let names_a_part = self.rest == "晨"
            || !self.rest.starts_with(|c: char| c.is_ascii_digit())
                && TimeCursor { rest: self.rest }.time_of_day().is_some_and(|window| window != WHOLE_DAY);
        if self.rest == "晨" {
            self.rest = "早晨";
        }
        names_a_part.then_some(*shift)
    }

    /// Parses `三天后`, `过了三天`, `two hours earlier`, `after a week`.
    fn counted(&mut self) -> Option<TimeShift> {
        if self.eat_any(&["又过了", "再过", "过了", "after "]).is_some() {
            return self.length().map(TimeShift::by);
        }
        let shift = TimeShift::by(self.length()?);
        self.skip_separators();
        let earlier = ["之前", "以前", "前", "earlier", "before", "ago", "previously"];
        if self.eat_any(&earlier).is_some() {
            return Some(shift.back());
        }
        self.eat_any(&["之后", "以后", "过后", "后", "later", "afterwards", "after"])?;
        Some(shift)
    }
}

impl TimeShift {
    /// Returns a later shift by `length` with the usual tolerance: days count calendar days and are exact while few;
    /// hours and minutes are rounded.
    fn by(length: TimeLength) -> Self {
        let TimeLength { least, most, slack, unit, is_days } = length;
        if is_days {
            let beside = |days: i64| match days {
                0..10 => 0,
                days if days % 10 == 0 => days / 5,
                _ => 1,
            };
            let (first, last) = (least / DAY, most / DAY);
            return Self::Days { least: first - beside(first), most: last + beside(last) };
        }
        let slack = match slack {
            0 if most < 3600 => most / 2,
            0 => unit.max(most / 5),
            slack => slack,
        };
        Self::Between { least: least - slack, most: most + slack }
    }

    /// Returns the same distance in the opposite direction.
    fn back(self) -> Self {
        match self {
            Self::Days { least, most } => Self::Days { least: -most, most: -least },
            Self::Between { least, most } => Self::Between { least: -most, most: -least },
            Self::Later => Self::Later,
        }
    }
}
