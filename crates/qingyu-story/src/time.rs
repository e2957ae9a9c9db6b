//! Exact story time: intervals on a calendar, compared only where the order is certain.
//!
//! A time in the story's words is parsed into a [`Moment`], the enclosing interval: `2077` is a whole year,
//! `2077年3月5日夜` a night, `2077-03-05 22:00` a minute. Named calendars (`星历312年`) and counted days (`第3天`) are separate
//! time lines, never compared with others. An unparsable time stays unknown.

pub(crate) mod chronology;
mod civil;
mod lines;
mod moment;
pub(crate) mod network;
mod parse;
mod spoken;
#[cfg(test)]
mod tests;

pub(crate) use chronology::{Chronology, EventBeginning};
pub use lines::{CalendarLine, PlacedEvent, lines};
pub use moment::{Calendar, Moment};
pub(crate) use moment::{LONGEST_DAY, Window};
pub use parse::moment;
pub(crate) use parse::{ParsedTime, RelativeTime, TimeLength, TimeShift, leading_number, length, parse, relative};
pub(crate) use spoken::{CalendarDay, MONTHS, in_digits};
