//! Days counted from the beginning of a story beside other words for the same day: `Day 412, Monday 14 March 2231`, `Day 409,
//! last Friday`.

use super::cursor::{Date, TimeCursor, WHOLE_DAY};
use crate::names::fold;
use crate::time::civil::DAY;
use crate::time::moment::Calendar;
use crate::time::weekday::ToldWeekday;

/// Words for a week beside one of its days.
const WEEKS: [&str; 9] =
    ["last week", "this week", "next week", "上周", "本周", "这周", "下周", "上个星期", "这个星期"];

impl TimeCursor<'_> {
    /// Returns the date of a day that is told twice, by its number and by its date: `Day 412, 14 March 2231`,
    /// `2231-03-14 (Day 412)`. Whether both are one day is not asked.
    pub(super) fn told_twice(&mut self, date: Date) -> Date {
        let is_numbered = matches!(date, Date::StoryDay(_));
        let rest = self.rest.trim_start_matches([' ', ',', '，', '、', '·', '(']);
        let goes_on = if is_numbered { !rest.is_empty() } else { rest.starts_with("day") || rest.starts_with('第') };
        if !goes_on || !date.is_day() {
            return date;
        }
        let beside = self.attempt(|cursor| {
            cursor.skip_separators();
            let is_in_parentheses = cursor.eat("(").is_some();
            let other = cursor.date().filter(Date::is_day)?;
            if matches!(other, Date::StoryDay(_)) == is_numbered {
                return None;
            }
            if is_in_parentheses {
                cursor.eat(")")?;
            }
            Some(other)
        });
        if is_numbered { beside.unwrap_or(date) } else { date }
    }
}

/// Returns a time without the words that name its day again: a note such as `(tuesday, day 406)` at its end, and the weekday beside
/// a numbered day. `None` for other times.
pub(super) fn told_once(folded: &str) -> Option<String> {
    let bare = without_note(folded);
    without_weekday(bare.unwrap_or(folded)).or_else(|| bare.map(str::to_owned))
}

/// Returns a time without a note in parentheses at its end that names its day again.
fn without_note(folded: &str) -> Option<&str> {
    let (time, note) = folded.strip_suffix([')', '）'])?.rsplit_once(['(', '（'])?;
    let is_day = |part: &str| {
        let mut cursor = TimeCursor { rest: part };
        let is_date = cursor.date().is_some_and(|date| date.is_day()) && cursor.rest.is_empty();
        is_date || ToldWeekday::read(part).is_some_and(|named| named.rest.is_empty())
    };
    note.split([',', '，']).map(str::trim).all(is_day).then(|| time.trim_end())
}

/// Returns a time of a numbered day without the weekday and the week that its words name, too: `day 409, at 23:20` for
/// `day 409, last friday, at 23:20`. `None` for other times.
fn without_weekday(folded: &str) -> Option<String> {
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

/// Returns the hour or the part of the day after a numbered day: `at 23:20` of `Day 409, last Friday, at 23:20`. `None` if the time
/// begins otherwise.
pub(in crate::time) fn hour_after_numbered_day(told: &str) -> Option<String> {
    let folded = fold(told);
    let plain = without_weekday(&folded).unwrap_or(folded);
    let mut cursor = TimeCursor { rest: &plain };
    cursor.story_day()?;
    cursor.skip_separators();
    Some(cursor.rest.to_owned())
}

/// Returns the numbered days of a text that stand right before their dates, `Day 412 is Monday 14 March 2231`, each with its day of
/// the common calendar in days since 1970. `第二天` without digits is the next day.
pub(in crate::time) fn dated_days(text: &str) -> Vec<(i64, i64)> {
    const LONGEST: usize = 80;
    const BETWEEN: [&str; 8] = [" is ", " was ", " = ", " (", "(", ":", "是", "即"];
    let places = ["Day ", "day ", "第"].into_iter().flat_map(|word| text.match_indices(word));
    let read = |(at, word): (usize, &str)| {
        let is_in_word = text[..at].ends_with(|c: char| c.is_ascii_alphabetic());
        let is_next = word == "第" && !text[at + word.len()..].starts_with(|c: char| c.is_ascii_digit());
        if is_in_word || is_next {
            return None;
        }
        let folded = fold(&text[at..].chars().take(LONGEST).collect::<String>());
        let mut cursor = TimeCursor { rest: &folded };
        let Some(Date::StoryDay(number)) = cursor.story_day() else { return None };
        let _ = cursor.eat_any(&BETWEEN);
        cursor.skip_separators();
        let date = cursor.date().filter(Date::is_day)?.moment(WHOLE_DAY)?;
        let is_common = matches!(&date.calendar, Calendar::Era(era) if era.is_empty());
        is_common.then(|| (number, date.start.div_euclid(DAY)))
    };
    places.filter_map(read).collect()
}
