//! Exact story time: intervals on a calendar, compared only where the order is certain.
//!
//! A time in the story's words is parsed into a [`Moment`], the enclosing interval: `2077` is a whole year,
//! `2077年3月5日夜` a night, `2077-03-05 22:00` a minute. Named calendars (`星历312年`) and counted days (`第3天`) are separate
//! time lines, never compared with others. An unparsable time stays unknown.

pub mod chronology;
mod civil;
mod lines;
mod moment;
pub mod network;
mod parse;
#[cfg(test)]
mod tests;

pub use chronology::Chronology;
pub(crate) use chronology::EventBeginning;
pub use lines::{CalendarLine, PlacedEvent, lines};
pub use moment::{Calendar, Moment, Window};
pub(crate) use parse::leading_number;
pub use parse::{ParsedTime, RelativeTime, TimeLength, TimeShift, length, parse, relative};
