//! Exact story time: intervals on a calendar, compared only where the order is certain.
//!
//! A time in the story's words is parsed into a [`Moment`], the enclosing interval: `2077` is a whole year,
//! `2077年3月5日夜` a night, `2077-03-05 22:00` a minute. Named calendars (`星历312年`) and counted days (`第3天`) are separate
//! time lines, never compared with others. An unparsable time stays unknown. Dates of the Chinese lunar calendar are read by
//! `lunar`: those of 1900 to 2100 are days of the common calendar. A day that may be of both calendars (`四月十九`) is known to lie
//! between both; `story_calendar` reads it by that of its story.
//!
//! A time that is told from the time of its text (`昨夜`, `Thursday at four`, `本月初三`, `November`) is read by
//! `told`, from `spoken`, `weekday`, `short_year`, `years` and `partial`; one of the day told before it (`eight that
//! evening`) by `same_day`.

pub(crate) mod chronology;
mod civil;
mod digits;
mod direction;
mod lines;
mod lunar;
mod lunar_words;
mod lunar_years;
mod moment;
pub(crate) mod network;
mod parse;
mod partial;
mod same_day;
mod short_year;
mod spoken;
mod story_calendar;
#[cfg(test)]
mod tests;
mod told;
mod weekday;
mod years;

pub(crate) use chronology::{Chronology, EventBeginning};
pub(crate) use digits::in_digits_like;
pub use digits::in_numbers;
pub(crate) use direction::TimeDirection;
pub use lines::{CalendarLine, PlacedEvent, in_order, lines};
pub(crate) use lunar::{in_calendar_of, in_one_calendar, is_open_day};
pub(crate) use lunar_words::LUNAR_CALENDAR;
pub use moment::{Calendar, Moment};
pub(crate) use moment::{LONGEST_DAY, Window};
pub use parse::moment;
pub(crate) use parse::{ParsedTime, RelativeTime, TimeLength, TimeShift, leading_number, length, parse, relative};
pub(crate) use partial::{dated_before, dated_like, day_of, in_any_year, in_year_of_story, is_day_of_year, with_year};
pub(crate) use same_day::{
    are_other_hours, are_other_hours_of_one_day, hour_on_day, lacks_day, on_same_day, part_on_day,
};
pub(crate) use short_year::lacks_era;
pub(crate) use spoken::{CalendarDay, MONTHS};
pub(crate) use story_calendar::StoryCalendar;
pub(crate) use told::{TimeAnchor, is_other_weekday, is_weekday_of_other_day, names_weekday, weekday_of_memory};
pub(crate) use weekday::{CHINESE_MARKS, WEEKDAYS, chinese_weekday, split_at_chinese_weekday};
pub(crate) use years::year_of;
