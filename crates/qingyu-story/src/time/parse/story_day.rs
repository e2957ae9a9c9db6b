//! Days counted from the beginning of a story beside other words for the same day: `Day 412, Monday 14 March 2231`, `Day 409,
//! last Friday`.

use super::cursor::{Date, TimeCursor};
use crate::time::weekday::ToldWeekday;

/// Words for a week beside one of its days.
const WEEKS: [&str; 9] = ["last week", "this week", "next week", "上周", "本周", "这周", "下周", "上个星期", "这个星期"];

impl TimeCursor<'_> {
    /// Returns the date of a day that is told twice, by its number and by its date: `Day 412, 14 March 2231`,
    /// `2231-03-14 (Day 412)`. Whether both are one day is not asked.
    pub(super) fn told_twice(&mut self, date: Date) -> Date {
        let is_numbered = |date: &Date| matches!(date, Date::StoryDay(_));
        let beside = |cursor: &mut Self| {
            cursor.skip_separators();
            let is_in_parentheses = cursor.eat("(").is_some();
            let other = cursor.date().filter(|other| other.is_day() && is_numbered(other) != is_numbered(&date))?;
            if is_in_parentheses {
                cursor.eat(")")?;
            }
            Some(other)
        };
        let other = if date.is_day() { self.attempt(beside) } else { None };
        if is_numbered(&date) { other.unwrap_or(date) } else { date }
    }
}

/// Returns a time of a numbered day without the weekday and the week that its words name, too: `day 409, at 23:20` for
/// `day 409, last friday, at 23:20`. `None` for other times.
pub(super) fn without_weekday(folded: &str) -> Option<String> {
    let is_numbered = |part: &&str| TimeCursor { rest: part }.story_day().is_some();
    let parts = || folded.split([',', '，']).map(str::trim);
    let day = parts().find(is_numbered)?;
    let mut plain = vec![day];
    let mut is_shorter = false;
    for part in parts().filter(|part| !is_numbered(part)) {
        let named = ToldWeekday::read(part);
        is_shorter |= named.is_some() || WEEKS.contains(&part);
        match named {
            Some(named) => plain.push(named.rest.trim()),
            None if WEEKS.contains(&part) => {}
            None => plain.push(part),
        }
    }
    plain.retain(|part| !part.is_empty());
    is_shorter.then(|| plain.join(", "))
}
