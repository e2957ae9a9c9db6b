//! A cursor over the words of a time: dates, parts of the day and clock times.

use super::lunar_date::LunarDate;
use crate::language::is_han;
use crate::numerals::{ORDINALS, WORDS, is_plain_numeral, read_chinese};
use crate::time::civil::{DAY, days, days_in_month};
use crate::time::lunar_words::CALENDARS;
use crate::time::moment::{Calendar, Moment, Window};
use crate::time::weekday::{CHINESE_MARKS, WEEKDAYS, chinese_weekday};

/// The hours of a night that may be of both days.
const NIGHT: Window = (0, 30 * 3600);

pub(super) const WHOLE_DAY: Window = (0, DAY);

/// The greatest year accepted as a story date.
const FARTHEST_YEAR: i64 = 10_000_000;

/// A parsed date.
#[derive(Debug)]
pub(super) enum Date {
    Civil {
        era: String,
        year: i64,
        month: Option<i64>,
        day: Option<i64>,
    },
    /// The day of a year, counted from 1.
    DayOfYear {
        era: String,
        year: i64,
        day: i64,
    },
    Years {
        first: i64,
        count: i64,
    },
    StoryDay(i64),
    Lunar(LunarDate),
}

impl Date {
    pub(super) fn is_day(&self) -> bool {
        match self {
            Self::StoryDay(_) | Self::DayOfYear { .. } => true,
            Self::Civil { day, .. } => day.is_some(),
            Self::Lunar(date) => date.is_day(),
            Self::Years { .. } => false,
        }
    }

    /// Returns the moment of the date, or `None` if the day does not exist.
    pub(super) fn moment(&self, (from, until): Window) -> Option<Moment> {
        let era = |era: &str, first: i64, last: i64| {
            Some(Moment { calendar: Calendar::Era(era.to_owned()), start: first * DAY, end: last * DAY })
        };
        match self {
            Self::StoryDay(day) => {
                Some(Moment { calendar: Calendar::Days, start: day * DAY + from, end: day * DAY + until })
            }
            Self::DayOfYear { era: name, year, day } => {
                let midnight = (days(*year, 1, 1) + day - 1) * DAY;
                let calendar = Calendar::Era(name.clone());
                (*day >= 1).then_some(Moment { calendar, start: midnight + from, end: midnight + until })
            }
            Self::Lunar(date) => date.moment((from, until)),
            Self::Years { first, count } => era("", days(*first, 1, 1), days(first + count, 1, 1)),
            Self::Civil { era: name, year, month: None, .. } => era(name, days(*year, 1, 1), days(year + 1, 1, 1)),
            Self::Civil { month: Some(month), year, .. } if days_in_month(*year, *month) == 0 => None,
            Self::Civil { era: name, year, month: Some(month), day: None } => {
                let first = days(*year, *month, 1);
                era(name, first, first + days_in_month(*year, *month))
            }
            Self::Civil { era: name, year, month: Some(month), day: Some(day) } => {
                if !(1..=days_in_month(*year, *month)).contains(day) {
                    return None;
                }
                let midnight = days(*year, *month, *day) * DAY;
                let calendar = Calendar::Era(name.clone());
                Some(Moment { calendar, start: midnight + from, end: midnight + until })
            }
        }
    }
}

/// Parts of the day with their widest usual hours. A night may extend into the next morning, and deep night may also be
/// the morning before.
const PARTS_OF_DAY: &[(&[&str], i64, i64)] = &[
    (&["凌晨", "before dawn", "small hours", "the small hours"], 0, 6),
    // The double hours and watches of old China. Hours around midnight may belong to the day before or after.
    (&["子时", "三更"], 0, 25),
    (&["丑时"], 1, 27),
    (&["四更"], 1, 27),
    (&["寅时", "五更"], 3, 29),
    (&["卯时"], 5, 7),
    (&["辰时"], 7, 9),
    (&["巳时"], 9, 11),
    (&["午时"], 11, 13),
    (&["未时"], 13, 15),
    (&["申时"], 15, 17),
    (&["酉时"], 17, 19),
    (&["戌时", "初更", "一更", "头更"], 19, 21),
    (&["亥时", "二更"], 21, 23),
    (
        &[
            "深夜",
            "半夜",
            "午夜",
            "子夜",
            "夜里",
            "夜间",
            "late at night",
            "late night",
            "at night",
            "night",
            "midnight",
        ],
        0,
        30,
    ),
    (
        &[
            "拂晓",
            "黎明",
            "破晓",
            "清晨",
            "早晨",
            "清早",
            "早上",
            "dawn",
            "daybreak",
            "sunrise",
            "early morning",
            "morning",
        ],
        3,
        12,
    ),
    (&["上午"], 6, 12),
    (&["中午", "正午", "noon", "midday"], 11, 14),
    (&["下午", "午后", "late afternoon", "afternoon"], 12, 19),
    (&["傍晚", "黄昏", "日落", "日暮", "薄暮", "dusk", "sunset", "nightfall"], 16, 22),
    (&["late evening", "evening"], 16, 24),
    (&["入夜", "晚上", "夜晚", "当晚", "晚间", "夜", "晚", "tonight"], 16, 30),
];

/// A time of a clock.
#[derive(Debug, Clone, Copy)]
struct ClockTime {
    hour: i64,
    minute: i64,
    /// Whether the hour may be before noon or after.
    is_of_half_day: bool,
    /// The duration of the time, in seconds: a minute, or an hour for `六点多`.
    seconds: i64,
}

/// English words before an hour, with the minutes from it.
const MINUTES: [(&str, i64); 22] = [
    ("half past ", 30),
    ("half-past ", 30),
    ("a quarter past ", 15),
    ("quarter past ", 15),
    ("five past ", 5),
    ("five minutes past ", 5),
    ("ten past ", 10),
    ("ten minutes past ", 10),
    ("twenty past ", 20),
    ("twenty minutes past ", 20),
    ("twenty-five past ", 25),
    ("twenty-five minutes past ", 25),
    ("a quarter to ", -15),
    ("quarter to ", -15),
    ("five to ", -5),
    ("five minutes to ", -5),
    ("ten to ", -10),
    ("ten minutes to ", -10),
    ("twenty to ", -20),
    ("twenty minutes to ", -20),
    ("twenty-five to ", -25),
    ("twenty-five minutes to ", -25),
];

/// Era names that contain a numeral, the longest first.
const ERAS_WITH_NUMERAL: [&str; 7] = ["万岁登封", "万岁通天", "万岁", "万历", "万曆", "萬曆", "萬歷"];

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The words not yet parsed.
pub(super) struct TimeCursor<'t> {
    pub(super) rest: &'t str,
}

impl<'t> TimeCursor<'t> {
    pub(super) fn date(&mut self) -> Option<Date> {
        self.story_day()
            .or_else(|| self.christian_year())
            .or_else(|| self.numeric())
            .or_else(|| self.chinese())
            .or_else(|| self.english())
    }

    /// Parses a time of day before a date: `the evening of`, `10 pm on`, `Night,`.
    pub(super) fn time_before_date(&mut self) -> Option<Window> {
        let _ = self.eat_any(&["on the ", "the "]);
        let window = self.time_of_day().filter(|window| *window != WHOLE_DAY)?;
        self.skip_separators();
        let _ = self.eat_any(&["of the ", "on the ", "of ", "on "]);
        Some(window)
    }

    /// Runs `read` and restores the position if `read` returns `None`.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let rest = self.rest;
        let result = read(self);
        if result.is_none() {
            self.rest = rest;
        }
        result
    }

    pub(super) fn eat(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(word)?;
        Some(())
    }

    pub(super) fn eat_any(&mut self, words: &[&str]) -> Option<()> {
        words.iter().find_map(|word| self.eat(word))
    }

    pub(super) fn skip_separators(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', ',', '，', '、', '·']);
    }

    pub(super) fn digits(&mut self) -> Option<(i64, usize)> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let value = self.rest[..length].parse().ok().filter(|value| *value <= FARTHEST_YEAR)?;
        self.rest = &self.rest[length..];
        Some((value, length))
    }

    /// Parses a number in digits or Chinese numerals.
    pub(super) fn number(&mut self) -> Option<i64> {
        if let Some((value, _)) = self.attempt(Self::digits) {
            return Some(value);
        }
        let end = self.rest.find(|c| !is_plain_numeral(c)).unwrap_or(self.rest.len());
        let value = read_chinese(&self.rest[..end]).filter(|value| *value <= FARTHEST_YEAR)?;
        self.rest = &self.rest[end..];
        Some(value)
    }

    fn story_day(&mut self) -> Option<Date> {
        self.attempt(|cursor| {
            if cursor.eat("第").is_some() {
                let day = cursor.number()?;
                cursor.eat_any(&["天", "日"])?;
                return Some(Date::StoryDay(day));
            }
            cursor.eat("day")?;
            cursor.skip_separators();
            Some(Date::StoryDay(cursor.digits()?.0))
        })
    }

    /// Parses `2077-03-05`, `2077/3`, `2077.3.5`, `2077`.
    fn numeric(&mut self) -> Option<Date> {
        self.attempt(|cursor| {
            let (year, length) = cursor.digits()?;
            let part = |cursor: &mut Self| {
                cursor.attempt(|cursor| {
                    cursor.eat_any(&["-", "/", "."])?;
                    cursor.digits().filter(|(_, length)| *length <= 2).map(|(value, _)| value)
                })
            };
            let month = part(cursor);
            let day = month.and_then(|_| part(cursor));
            let ends = !cursor.rest.starts_with(|c: char| c.is_alphanumeric() && c != 't' || "-/.:".contains(c));
            if cursor.rest.starts_with('t') {
                cursor.eat("t")?;
            }
            let civil = Date::Civil { era: String::new(), year, month, day };
            // A part of the day may follow the day.
            (length >= 3 && (ends || day.is_some())).then_some(civil)
        })
    }

    /// Parses `2077年3月5日`, `星历312年`, `贞观元年`, `2070年代`, `21世纪`.
    fn chinese(&mut self) -> Option<Date> {
        self.attempt(|cursor| {
            let mut era = cursor.era()?;
            let first = match cursor.rest.strip_prefix("元年") {
                Some(_) if !era.is_empty() => {
                    cursor.eat("元")?;
                    1
                }
                _ => cursor.number()?,
            };
            if era.is_empty() && cursor.eat("世纪").is_some() {
                return Some(Date::Years { first: (first - 1) * 100, count: 101 });
            }
            if era.is_empty() && cursor.eat("年代").is_some() {
                return (first >= 1000).then_some(Date::Years { first, count: 10 });
            }
            cursor.eat("年")?;
            let year = match era.as_str() {
                "公元前" => 1 - first,
                "民国" => first + 1911,
                _ => first,
            };
            let is_era_lunar = CALENDARS.contains(&era.as_str());
            let is_told = cursor.eat_any(&CALENDARS).is_some() || is_era_lunar;
            if is_era_lunar || matches!(era.as_str(), "公元" | "公元前" | "西元" | "民国") {
                era.clear();
            }
            if let Some(date) = cursor.attempt(|cursor| cursor.feast(&era, year)) {
                return Some(date);
            }
            if let Some(date) = cursor.attempt(|cursor| cursor.lunar_date(&era, year, is_told)) {
                return Some(Date::Lunar(date));
            }
            let month = cursor.attempt(Self::numbered_month);
            let day = month.and_then(|_| cursor.attempt(Self::numbered_day));
            Some(Date::Civil { era, year, month, day })
        })
    }

    /// Parses `9月`, `十二月`.
    pub(super) fn numbered_month(&mut self) -> Option<i64> {
        self.number().filter(|_| self.eat("月").is_some())
    }

    /// Parses `9日`, `十二号`.
    pub(super) fn numbered_day(&mut self) -> Option<i64> {
        self.number().filter(|_| self.eat_any(&["日", "号"]).is_some())
    }

    /// Parses the calendar name before the number; returns `None` on words of uncertainty.
    fn era(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| !is_han(c) || is_plain_numeral(c)).unwrap_or(self.rest.len());
        let numeral = ERAS_WITH_NUMERAL.iter().find(|name| self.rest[end..].starts_with(**name));
        let end = end + numeral.map_or(0, |name| name.len());
        let end = self.rest[..end].find("元年").unwrap_or(end);
        let era = &self.rest[..end];
        let known = matches!(era, "" | "公元" | "公元前" | "西元");
        let uncertain =
            era.chars().any(|c| "约概近前后上下左右初末余多几每某次翌今昨明去来至到于在距离过了".contains(c));
        if !known && (uncertain || era.chars().count() > 4) {
            return None;
        }
        self.rest = &self.rest[end..];
        Some(era.to_owned())
    }

    /// Parses `March 5, 2077`, `Friday, the fifth of March 2077`, `March of 2077`, `Year 12`, `the 2070s`.
    fn english(&mut self) -> Option<Date> {
        self.attempt(|cursor| {
            if cursor.eat("year ").is_some() {
                let (era, year) = ("year".to_owned(), cursor.digits()?.0);
                let day = cursor.attempt(|cursor| {
                    cursor.skip_separators();
                    cursor.eat("day ")?;
                    Some(cursor.digits()?.0)
                });
                return Some(match day {
                    Some(day) => Date::DayOfYear { era, year, day },
                    None => Date::Civil { era, year, month: None, day: None },
                });
            }
            if let Some(decade) = cursor.attempt(Self::decade) {
                return Some(decade);
            }
            let _ = cursor.eat_any(&["on ", "in "]);
            let _ = cursor.attempt(Self::weekday);
            let _ = cursor.eat("the ");
            let mut day = cursor.attempt(Self::day_of_month);
            cursor.skip_separators();
            let _ = cursor.eat("of ");
            let month = cursor.month()?;
            cursor.skip_separators();
            let _ = cursor.eat("of ");
            if day.is_none() {
                let _ = cursor.eat("the ");
                day = cursor.attempt(Self::day_of_month);
                cursor.skip_separators();
            }
            let (year, length) = cursor.digits()?;
            (length >= 3).then_some(Date::Civil { era: String::new(), year, month: Some(month), day })
        })
    }

    /// Parses the weekday before a date, `friday, `; whether the date is one is not asked.
    fn weekday(&mut self) -> Option<()> {
        self.eat_any(&["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])?;
        let rest = self.rest;
        self.skip_separators();
        (self.rest.len() < rest.len()).then_some(())
    }

    /// Parses the weekday after a date, `，礼拜日`, `（周三）`, `, a Thursday`; whether the date is one is not asked.
    pub(super) fn weekday_after(&mut self) -> Option<()> {
        self.skip_separators();
        let is_in_parentheses = self.eat("(").is_some();
        if self.eat_any(&CHINESE_MARKS).is_some() {
            let numeral = self.rest.chars().next()?;
            chinese_weekday(numeral)?;
            self.rest = &self.rest[numeral.len_utf8()..];
        } else {
            let _ = self.eat("a ");
            let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
            WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(&self.rest[..end]))?;
            self.rest = &self.rest[end..];
        }
        if is_in_parentheses { self.eat(")") } else { Some(()) }
    }

    /// Parses `5`, `5th`, `21st`, `fifth`, `twenty-first`.
    fn day_of_month(&mut self) -> Option<i64> {
        if let Some(day) = self.attempt(Self::ordinal) {
            return Some(day);
        }
        let (day, _) = self.digits().filter(|(_, length)| *length <= 2)?;
        let _ = self.attempt(|cursor| {
            cursor.eat_any(&["st", "nd", "rd", "th"])?;
            (!cursor.rest.starts_with(|c: char| c.is_ascii_alphanumeric())).then_some(())
        });
        Some(day)
    }

    /// Parses an ordinal of a day in words: `fifth`, `twenty-first`.
    fn ordinal(&mut self) -> Option<i64> {
        let mut tens = [("twenty", 20), ("thirty", 30)].into_iter();
        let tens = tens.find_map(|(word, tens)| {
            self.attempt(|cursor| {
                cursor.eat(word)?;
                cursor.eat_any(&["-", " "])?;
                Some(tens)
            })
        });
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        let ones = match word {
            "twentieth" => 20,
            "thirtieth" => 30,
            _ => i64::try_from(ORDINALS.iter().position(|ordinal| *ordinal == word).filter(|at| *at > 0)?).ok()?,
        };
        if tens.is_some() && ones >= 10 {
            return None;
        }
        self.rest = &self.rest[end..];
        Some(tens.unwrap_or(0) + ones)
    }

    /// Parses `44 BC`, `AD 1066`, `1066 CE`.
    fn christian_year(&mut self) -> Option<Date> {
        self.attempt(|cursor| {
            let is_told_before = cursor.eat("ad ").is_some();
            let number = cursor.digits()?.0;
            cursor.skip_separators();
            let is_after_christ = is_told_before || cursor.eat_any(&["ad", "ce"]).is_some();
            let year = if is_after_christ { number } else { cursor.eat_any(&["bce", "bc"]).map(|()| 1 - number)? };
            let ends = !cursor.rest.starts_with(|c: char| c.is_ascii_alphanumeric());
            ends.then_some(Date::Civil { era: String::new(), year, month: None, day: None })
        })
    }

    fn decade(&mut self) -> Option<Date> {
        let _ = self.eat("the ");
        let (first, length) = self.digits()?;
        self.eat("s")?;
        (length >= 4 && first % 10 == 0).then_some(Date::Years { first, count: 10 })
    }

    fn month(&mut self) -> Option<i64> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        let names = ["january", "february", "march", "april", "may", "june", "july"];
        let more = ["august", "september", "october", "november", "december", "sept"];
        let is_month = MONTHS.contains(&word) || names.contains(&word) || more.contains(&word);
        let index = MONTHS.iter().position(|month| word.starts_with(month)).filter(|_| is_month)?;
        self.rest = self.rest[end..].trim_start_matches('.');
        Some(index as i64 + 1)
    }

    /// Parses the part of the day and the clock time, in either order; defaults to the whole day.
    pub(super) fn time_of_day(&mut self) -> Option<Window> {
        let before = self.part_in_words();
        self.skip_separators();
        let clock = self.attempt(Self::clock);
        self.skip_separators();
        let part = before.or_else(|| clock.and_then(|_| self.part_in_words()));
        let Some(ClockTime { hour, minute, is_of_half_day, seconds }) = clock else {
            return Some(part.unwrap_or(WHOLE_DAY));
        };
        let hour = match part {
            None if is_of_half_day => {
                let first = hour % 12 * 3600 + minute * 60;
                return Some((first, first + DAY / 2 + seconds));
            }
            None => hour,
            Some((from, until)) => {
                // Parts of a day begin and end on the hour.
                // By day it is no night: `夜里十一点` is an hour before midnight.
                let is_by_day = |hour: &i64| (from, until) == NIGHT && (7..18).contains(hour);
                let fits = |hour: &i64| (from..until).contains(&(hour * 3600)) && !is_by_day(hour);
                let mut fitting =
                    [hour, hour + 12, hour + 24].into_iter().filter(|other| *other == hour || hour <= 12).filter(fits);
                match (fitting.next(), fitting.next()) {
                    (Some(only), None) => only,
                    (Some(_), Some(_)) => return part,
                    _ => return None,
                }
            }
        };
        let start = hour * 3600 + minute * 60;
        Some((start, start + seconds))
    }

    /// Parses a part of the day with or without a word before it: `in the morning`, `at dusk`, `that evening`.
    fn part_in_words(&mut self) -> Option<Window> {
        let after_preposition = |cursor: &mut Self| {
            cursor.eat_any(&["in the ", "at ", "that same ", "that "])?;
            cursor.part_of_day()
        };
        self.part_of_day().or_else(|| self.attempt(after_preposition))
    }

    fn part_of_day(&mut self) -> Option<Window> {
        let (from, until) =
            PARTS_OF_DAY.iter().find_map(|(words, from, until)| self.eat_any(words).map(|()| (*from, *until)))?;
        let _ = self.eat_any(&["时分", "一刻", "二刻", "三刻", "四刻"]);
        Some((from * 3600, until * 3600))
    }

    /// Parses a clock time in digits or words: `22:00`, `十点半`, `three o'clock`, `at half past nine`.
    fn clock(&mut self) -> Option<ClockTime> {
        let is_at = self.eat("at ").is_some();
        let about = self.attempt(Self::clock_after_hour);
        let in_digits = about.or_else(|| self.attempt(Self::clock_in_digits));
        in_digits.or_else(|| self.clock_in_words(is_at))
    }

    /// Parses a time within the hour that has begun: `六点多`, `8点来钟`.
    fn clock_after_hour(&mut self) -> Option<ClockTime> {
        let hour = self.number().filter(|hour| (0..=24).contains(hour))?;
        self.eat("点")?;
        self.eat_any(&["多钟", "来钟", "多"])?;
        Some(ClockTime { hour, minute: 0, is_of_half_day: (1..=12).contains(&hour), seconds: 3600 })
    }

    /// Parses `three o'clock`, `half past nine`, `a quarter to 8`; after `at` and before a part of the day or
    /// a weekday also a bare hour.
    fn clock_in_words(&mut self, is_at: bool) -> Option<ClockTime> {
        let minutes = MINUTES.iter().find_map(|(words, minutes)| self.eat(words).map(|()| *minutes));
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        let in_words = || WORDS.iter().position(|known| *known == word).and_then(|hour| i64::try_from(hour).ok());
        let hour = word.parse::<i64>().ok().or_else(in_words).filter(|hour| (1..=12).contains(hour))?;
        self.rest = &self.rest[end..];
        let is_clock = self.eat_any(&[" o'clock", " oclock", "o'clock"]).is_some();
        let ends = !self.rest.starts_with(|c: char| c.is_ascii_alphanumeric() || ":-".contains(c));
        let told = hour * 60 + minutes.unwrap_or(0);
        let (hour, minute) = (told.div_euclid(60), told.rem_euclid(60));
        let time = ClockTime { hour, minute, is_of_half_day: true, seconds: 60 };
        let is_before_part = [" in the ", " at night", " that "].iter().any(|words| self.rest.starts_with(words));
        let day = [", ", " on "].iter().find_map(|words| self.rest.strip_prefix(words));
        let is_weekday = |name: &&str| day.is_some_and(|day| day.starts_with(&name.to_lowercase()));
        let is_told = is_at || is_clock || minutes.is_some() || is_before_part;
        (ends && (is_told || WEEKDAYS.iter().any(is_weekday))).then_some(time)
    }

    /// Parses the minutes after a Chinese hour: `半`, `一刻`, `十五分`, `二十`.
    fn minute_after_hour(&mut self) -> Option<i64> {
        const PARTS: [(&str, i64); 4] = [("半", 30), ("一刻", 15), ("两刻", 30), ("三刻", 45)];
        if let Some(minute) = PARTS.iter().find_map(|(word, minute)| self.eat(word).map(|()| *minute)) {
            let _ = self.eat("钟");
            return Some(minute);
        }
        let minute = self.number()?;
        (self.eat("分").is_some() || (10..60).contains(&minute)).then_some(minute)
    }

    /// Parses `22:00`, `22:00:30`, `10:30 pm`, `22点`, `十点半`, `22时15分`.
    fn clock_in_digits(&mut self) -> Option<ClockTime> {
        let hour = self.number()?;
        let mut minute = 0;
        let mut twelve_hours = false;
        let mut is_of_half_day = false;
        if self.eat(":").is_some() {
            minute = self.digits().filter(|(_, length)| *length == 2)?.0;
            let _ = self.attempt(|cursor| {
                cursor.eat(":")?;
                cursor.digits().filter(|(second, length)| *length == 2 && *second < 60)
            });
            let _ = self.eat("z");
        } else if let Some(mark) = ["点", "时"].into_iter().find(|mark| self.eat(mark).is_some()) {
            // `五点` is said of the morning and of the afternoon, `5时` only of the morning.
            is_of_half_day = mark == "点" && (1..=12).contains(&hour);
            let _ = self.eat_any(&["整", "钟"]);
            minute = self.attempt(Self::minute_after_hour).unwrap_or(0);
        } else {
            twelve_hours = true;
        }
        let marker = self.attempt(|cursor| {
            cursor.skip_separators();
            let half = cursor.eat_any(&["am", "a.m."]).map(|()| 0);
            half.or_else(|| cursor.eat_any(&["pm", "p.m."]).map(|()| 12))
        });
        let hour = match marker {
            Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
            Some(_) => return None,
            None if twelve_hours => return None,
            None => hour,
        };
        let is_of_half_day = is_of_half_day && marker.is_none();
        let time = ClockTime { hour, minute, is_of_half_day, seconds: 60 };
        ((0..=24).contains(&hour) && (0..60).contains(&minute)).then_some(time)
    }
}
