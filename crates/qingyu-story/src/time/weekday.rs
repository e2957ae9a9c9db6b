//! Weekdays as they are told: `Thursday at four`, `Monday last`, `周三下午三点`, `下周一`.

use super::direction::TimeDirection;
use crate::Language;

/// The English names of the weekdays, from Monday.
pub(crate) const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The marks before the numeral of a Chinese weekday.
pub(crate) const CHINESE_MARKS: [&str; 4] = ["星期", "礼拜", "周", "週"];

/// A weekday in the words of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ToldWeekday<'t> {
    /// The weekday, from 0 for Monday.
    pub(super) weekday: usize,
    /// The week, if it is told.
    week: ToldWeek,
    /// The words after it: a part of the day or an hour.
    pub(super) rest: &'t str,
    pub(super) language: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToldWeek {
    /// `Thursday`: the week is not told.
    Untold,
    /// `last Thursday`, `Thursday last`: the last one before the day of the speaker.
    Last,
    /// `next Thursday`, `Thursday next`: the first one after the day of the speaker.
    Next,
    /// `Thursday week`: a week after the coming one.
    WeekLater,
    /// `上周四`, `Thursday of last week`: in the week so many weeks from that of the speaker, which begins on Monday.
    Counted(i64),
}

/// Words for a week before a Chinese weekday, the longer first.
const CHINESE_WEEKS: [(&str, i64); 8] =
    [("上上", -2), ("下下", 2), ("上", -1), ("本", 0), ("这", 0), ("這", 0), ("当", 0), ("下", 1)];

/// Words for a week before an English weekday.
const WEEKS_BEFORE: [(&str, ToldWeek); 6] = [
    ("last ", ToldWeek::Last),
    ("this past ", ToldWeek::Last),
    ("next ", ToldWeek::Next),
    ("this coming ", ToldWeek::Next),
    ("coming ", ToldWeek::Next),
    ("this ", ToldWeek::Counted(0)),
];

/// Words for a week after an English weekday, the longer first.
const WEEKS_AFTER: [(&str, ToldWeek); 9] = [
    (" of last week", ToldWeek::Counted(-1)),
    (" of next week", ToldWeek::Counted(1)),
    (" of this week", ToldWeek::Counted(0)),
    (" last week", ToldWeek::Counted(-1)),
    (" next week", ToldWeek::Counted(1)),
    (" this week", ToldWeek::Counted(0)),
    (" last", ToldWeek::Last),
    (" next", ToldWeek::Next),
    (" week", ToldWeek::WeekLater),
];

impl<'t> ToldWeekday<'t> {
    /// Parses a weekday at the beginning of folded words; `None` if they begin otherwise.
    pub(super) fn read(folded: &'t str) -> Option<Self> {
        Self::chinese(folded).or_else(|| Self::english(folded))
    }

    fn chinese(told: &'t str) -> Option<Self> {
        let word = CHINESE_WEEKS.iter().find_map(|(word, week)| Some((told.strip_prefix(word)?, *week)));
        let (week, named) = match word {
            Some((rest, week)) => (ToldWeek::Counted(week), rest.strip_prefix(['个', '個']).unwrap_or(rest)),
            None => (ToldWeek::Untold, told),
        };
        let named = CHINESE_MARKS.iter().find_map(|mark| named.strip_prefix(mark))?;
        let numeral = named.chars().next()?;
        let rest = &named[numeral.len_utf8()..];
        Some(Self { weekday: chinese_weekday(numeral)?, week, rest, language: Language::Zh })
    }

    fn english(told: &'t str) -> Option<Self> {
        let told = told.strip_prefix("on ").unwrap_or(told);
        let told = told.strip_prefix("the ").unwrap_or(told);
        let before = WEEKS_BEFORE.iter().find_map(|(words, week)| Some((told.strip_prefix(words)?, *week)));
        let (named, week) = before.unwrap_or((told, ToldWeek::Untold));
        let end = named.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(named.len());
        let weekday = WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(&named[..end]))?;
        let rest = &named[end..];
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        let after = WEEKS_AFTER
            .iter()
            .find_map(|(words, week)| Some((rest.strip_prefix(words).filter(|rest| is_whole(rest))?, *week)));
        let (rest, week) = match (week, after) {
            (ToldWeek::Untold, Some(after)) => after,
            (week, _) => (rest, week),
        };
        Some(Self { weekday, week, rest, language: Language::En })
    }

    /// Returns whether the words do not say in which week.
    pub(super) fn is_of_any_week(&self) -> bool {
        self.week == ToldWeek::Untold
    }

    /// Returns the distance in days from a day with the weekday `from`; `None` if neither the words nor the direction say
    /// which one is meant.
    pub(super) fn distance(&self, from: usize, direction: TimeDirection) -> Option<i64> {
        let (own, told) = (i64::try_from(from).ok()?, i64::try_from(self.weekday).ok()?);
        let (ahead, back) = ((told - own).rem_euclid(7), (own - told).rem_euclid(7));
        Some(match self.week {
            ToldWeek::Last if back == 0 => -7,
            ToldWeek::Last => -back,
            ToldWeek::Next if ahead == 0 => 7,
            ToldWeek::Next => ahead,
            ToldWeek::WeekLater => ahead + 7,
            ToldWeek::Counted(weeks) => told - own + 7 * weeks,
            ToldWeek::Untold => match direction {
                TimeDirection::Before => -back,
                TimeDirection::After => ahead,
                TimeDirection::Around if ahead <= 3 => ahead,
                TimeDirection::Around => -back,
                TimeDirection::Open | TimeDirection::Memory | TimeDirection::OtherYear => return None,
            },
        })
    }
}

/// Returns the weekday that folded words name anywhere, from 0 for Monday.
pub(super) fn weekday_in(folded: &str) -> Option<usize> {
    let chinese = split_at_chinese_weekday(folded).map(|(_, weekday, _)| weekday);
    let is_name = |word: &str| WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(word));
    chinese.or_else(|| folded.split(|c: char| !c.is_ascii_alphabetic()).find_map(is_name))
}

/// Splits a text at a Chinese weekday: the words before it, the weekday, from 0 for Monday, and the words after it.
pub(crate) fn split_at_chinese_weekday(text: &str) -> Option<(&str, usize, &str)> {
    CHINESE_MARKS.iter().find_map(|mark| {
        let (before, named) = text.split_once(mark)?;
        let numeral = named.chars().next()?;
        Some((before, chinese_weekday(numeral)?, &named[numeral.len_utf8()..]))
    })
}

/// Returns the weekday of the numeral of a Chinese one, from 0 for Monday.
pub(crate) fn chinese_weekday(numeral: char) -> Option<usize> {
    let numeral = if numeral == '天' { '日' } else { numeral };
    ['一', '二', '三', '四', '五', '六', '日'].iter().position(|known| *known == numeral)
}
