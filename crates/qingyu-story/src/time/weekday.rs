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
    /// Whether the week is that of another day than the speaker's: `the last Sunday`, `最后一个星期天`.
    is_of_other_day: bool,
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

/// Chinese words for the last weekday before another day than the speaker's.
const CHINESE_LAST: [&str; 4] = ["最后一个", "最后那个", "最后的", "最后"];

/// English words for a part of a weekday before it, with the part.
const PARTS_BEFORE: [(&str, &str); 4] =
    [("morning of ", "morning"), ("afternoon of ", "afternoon"), ("evening of ", "evening"), ("night of ", "night")];

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
        let last = CHINESE_LAST.iter().find_map(|word| told.strip_prefix(word));
        let word = CHINESE_WEEKS.iter().find_map(|(word, week)| Some((told.strip_prefix(word)?, *week)));
        let (week, named) = match (last, word) {
            (Some(rest), _) => (ToldWeek::Last, rest),
            (None, Some((rest, week))) => (ToldWeek::Counted(week), rest.strip_prefix(['个', '個']).unwrap_or(rest)),
            (None, None) => (ToldWeek::Untold, told),
        };
        let named = CHINESE_MARKS.iter().find_map(|mark| named.strip_prefix(mark))?;
        let numeral = named.chars().next()?;
        let rest = &named[numeral.len_utf8()..];
        let is_of_other_day = last.is_some();
        Some(Self { weekday: chinese_weekday(numeral)?, week, is_of_other_day, rest, language: Language::Zh })
    }

    fn english(told: &'t str) -> Option<Self> {
        let told = told.strip_prefix("on ").unwrap_or(told);
        let without_article = told.strip_prefix("the ").unwrap_or(told);
        let part = PARTS_BEFORE.iter().find_map(|(words, part)| Some((without_article.strip_prefix(words)?, *part)));
        let (told, part) = part.unwrap_or((told, ""));
        let bare = told.strip_prefix("the ");
        let told = bare.unwrap_or(told);
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
        // `the night of Friday`
        let rest = match part {
            "" => rest,
            part => Some(part).filter(|_| rest.trim().is_empty())?,
        };
        let is_of_other_day = bare.is_some() && before.is_some();
        Some(Self { weekday, week, is_of_other_day, rest, language: Language::En })
    }

    /// Returns whether the words do not say in which week.
    pub(super) fn is_of_any_week(&self) -> bool {
        self.week == ToldWeek::Untold
    }

    /// Returns whether the words count from another day than the speaker's: `the last Sunday`.
    pub(super) fn is_of_other_day(&self) -> bool {
        self.is_of_other_day
    }

    /// Returns the distance in days from the speaker's day with the weekday `from`; `None` if neither the words nor the
    /// direction say which one is meant, or if the words count from another day.
    pub(super) fn distance(&self, from: usize, direction: TimeDirection) -> Option<i64> {
        let is_elsewhere = self.is_of_other_day && (self.week == ToldWeek::Last || direction.is_memory());
        if !self.is_of_any_week() {
            return self.counted_distance(from).filter(|_| !is_elsewhere);
        }
        let (ahead, back) = self.ahead_and_back(from)?;
        match direction {
            TimeDirection::Before => Some(-back),
            TimeDirection::After => Some(ahead),
            TimeDirection::Around if ahead <= 3 => Some(ahead),
            TimeDirection::Around => Some(-back),
            TimeDirection::Open | TimeDirection::Memory | TimeDirection::OtherYear => None,
        }
    }

    /// Returns the distance in days from a day with the weekday `from`, if the words count from a day.
    pub(super) fn counted_distance(&self, from: usize) -> Option<i64> {
        let (ahead, back) = self.ahead_and_back(from)?;
        match self.week {
            ToldWeek::Last if back == 0 => Some(-7),
            ToldWeek::Last => Some(-back),
            ToldWeek::Next if ahead == 0 => Some(7),
            ToldWeek::Next => Some(ahead),
            ToldWeek::WeekLater => Some(ahead + 7),
            ToldWeek::Counted(weeks) => Some(i64::try_from(self.weekday).ok()? - i64::try_from(from).ok()? + 7 * weeks),
            ToldWeek::Untold => None,
        }
    }

    /// Returns the days from a day with the weekday `from` to the next day with this weekday, and back to the last one.
    fn ahead_and_back(&self, from: usize) -> Option<(i64, i64)> {
        let (own, told) = (i64::try_from(from).ok()?, i64::try_from(self.weekday).ok()?);
        Some(((told - own).rem_euclid(7), (own - told).rem_euclid(7)))
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
