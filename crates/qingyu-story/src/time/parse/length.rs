//! Parses lengths of time: `三天`, `两个半小时`, `a fortnight`, `an hour and a half`.

use super::cursor::TimeCursor;
use crate::names::fold;
use crate::numerals::{TENS, WORDS, is_plain_numeral, read_between, read_chinese};
use crate::time::civil::DAY;

/// A length of time with the precision of the words.
///
/// Hours and shorter units are literal. Days and longer units are counts: three days may begin in the evening of the
/// first and end in the morning of the third, so such lengths are known to about one of the last unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeLength {
    /// The least length in seconds: a month has 28 days, a year 365.
    pub(crate) least: i64,
    /// The greatest length in seconds: a month has 31 days, a year 366.
    pub(crate) most: i64,
    /// The exclusive tolerance in seconds in either direction; 0 if exact.
    pub(crate) slack: i64,
    /// The greatest number of seconds of the smallest unit used.
    pub(super) unit: i64,
    /// Whether the length is a number of whole days.
    pub(super) is_days: bool,
}

/// Parses a length of time such as `2小时`, `半天`, `三天三夜`, `3-5天`, `一年零两个月`, `three weeks`, `2h 30min`, `a dozen days`.
///
/// The whole text must parse: `约三天`, `几年` and `a while` return `None` instead of a guess.
pub(crate) fn length(text: &str) -> Option<TimeLength> {
    let folded = fold(text);
    let mut cursor = TimeCursor { rest: &folded };
    let length = cursor.length()?;
    cursor.rest.is_empty().then_some(length)
}

/// Parses the number at the start of lower-case `text` and returns the number with its length in bytes: `31`, `2.5`,
/// `thirty-one`, `三十一`.
pub(crate) fn leading_number(text: &str) -> Option<(f64, usize)> {
    let first = text.chars().next()?;
    if is_plain_numeral(first) {
        let end = text.find(|c| !is_plain_numeral(c)).unwrap_or(text.len());
        return Some((read_chinese(&text[..end])? as f64, end));
    }
    let mut cursor = TimeCursor { rest: text };
    let is_article = matches!(cursor.english_word(), "a" | "an");
    let number = cursor.english_number().filter(|_| !is_article)?;
    // Part of a longer word or of a longer number is not a number.
    let goes_on = cursor.rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    (!goes_on).then(|| (number as f64 / ONE as f64, text.len() - cursor.rest.len()))
}

/// A unit: the least and greatest seconds, and the exclusive tolerance of a count of units.
#[derive(Debug, Clone, Copy)]
struct TimeUnit {
    least: i64,
    most: i64,
    slack: i64,
}

const fn unit(least: i64, most: i64, slack: i64) -> TimeUnit {
    TimeUnit { least, most, slack }
}

const SECOND: TimeUnit = unit(1, 1, 0);
const MINUTE: TimeUnit = unit(60, 60, 0);
const QUARTER: TimeUnit = unit(900, 900, 0);
const HOUR: TimeUnit = unit(3600, 3600, 0);
const WATCH: TimeUnit = unit(7200, 7200, 7200);
const DAYS: TimeUnit = unit(DAY, DAY, DAY);
const WEEK: TimeUnit = unit(7 * DAY, 7 * DAY, 3 * DAY);
const FORTNIGHT: TimeUnit = unit(14 * DAY, 14 * DAY, 3 * DAY);
const MONTH: TimeUnit = unit(28 * DAY, 31 * DAY, 31 * DAY);
const YEAR: TimeUnit = unit(365 * DAY, 366 * DAY, 366 * DAY);
const DECADE: TimeUnit = unit(3650 * DAY, 3660 * DAY, 1830 * DAY);

/// Chinese units, with a longer unit before a prefix of the same unit.
const CHINESE: &[(&str, TimeUnit)] = &[
    ("秒钟", SECOND),
    ("秒", SECOND),
    ("分钟", MINUTE),
    ("分", MINUTE),
    ("刻钟", QUARTER),
    ("刻", QUARTER),
    ("小时", HOUR),
    ("钟头", HOUR),
    ("时辰", WATCH),
    ("天", DAYS),
    ("日", DAYS),
    ("昼夜", DAYS),
    ("星期", WEEK),
    ("礼拜", WEEK),
    ("周", WEEK),
    ("旬", unit(10 * DAY, 10 * DAY, 3 * DAY)),
    ("年", YEAR),
    ("载", YEAR),
];

const ENGLISH: &[(&[&str], TimeUnit)] = &[
    (&["seconds", "second", "secs", "sec"], SECOND),
    (&["minutes", "minute", "mins", "min"], MINUTE),
    (&["hours", "hour", "hrs", "hr", "h"], HOUR),
    (&["days", "day", "d"], DAYS),
    (&["weeks", "week"], WEEK),
    (&["fortnights", "fortnight"], FORTNIGHT),
    (&["months", "month"], MONTH),
    (&["years", "year", "yrs", "yr"], YEAR),
    (&["decades", "decade"], DECADE),
];

/// A number in hundredths, or the ends of a range of numbers.
type Amount = (i64, i64);
const ONE: i64 = 100;
/// The greatest number of a unit accepted.
const MOST: i64 = 1_000_000 * ONE;
/// The greatest number of parts accepted.
const MOST_PARTS: usize = 4;

impl TimeLength {
    fn of((first, last): Amount, unit: TimeUnit) -> Self {
        let slack = match (first, unit.slack) {
            (_, 0) => 0,
            // `半天`, `两天半`: a smaller part gives a smaller tolerance.
            (amount, slack) if amount == ONE / 2 => slack / 4,
            (amount, slack) if amount % ONE != 0 => slack / 2,
            // Tens and hundreds are taken as rounded.
            (amount, slack) if amount % (10 * ONE) == 0 => slack.max(amount / ONE / 5 * unit.most),
            (_, slack) => slack,
        };
        let is_days = unit.most == DAY && first % ONE == 0 && last % ONE == 0;
        let smallest = if first % ONE == 0 { unit.most } else { unit.most / 2 };
        Self { least: first * unit.least / ONE, most: last * unit.most / ONE, slack, unit: smallest, is_days }
    }

    /// Returns the sum of the length and a smaller part.
    fn and(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            most: self.most + other.most,
            slack: other.slack,
            unit: other.unit,
            is_days: self.is_days && other.is_days,
        }
    }
}

impl TimeCursor<'_> {
    /// Parses a length of one or more units in descending order.
    pub(super) fn length(&mut self) -> Option<TimeLength> {
        let _ = self.eat_any(&["整整", "足足", "长达", "历时", "持续", "整", "for ", "a full ", "a whole "]);
        self.skip_separators();
        let mut length = self.attempt(Self::part)?;
        for _ in 1..MOST_PARTS {
            let next = self.attempt(|cursor| {
                cursor.skip_separators();
                let _ = cursor.eat_any(&["零", "又", "and "]);
                cursor.part().filter(|part| part.most < length.unit)
            });
            match next {
                Some(next) => length = length.and(next),
                None => break,
            }
        }
        Some(length)
    }

    /// Parses a number with a unit.
    fn part(&mut self) -> Option<TimeLength> {
        self.attempt(Self::chinese_part).or_else(|| self.attempt(Self::english_part))
    }

    fn chinese_part(&mut self) -> Option<TimeLength> {
        let has_half = self.eat("半").is_some();
        let mut amount = if has_half { (ONE / 2, ONE / 2) } else { self.chinese_amount()? };
        let is_counted = self.eat("个").is_some();
        let add_half = |(first, last): Amount| (first + ONE / 2, last + ONE / 2);
        let mut is_whole = !has_half;
        if is_whole && is_counted && self.eat("半").is_some() {
            amount = add_half(amount);
            is_whole = false;
        }
        let unit = match CHINESE.iter().find(|(word, _)| self.eat(word).is_some()) {
            Some((_, unit)) => *unit,
            // `三月` is a month of the year; only `三个月` is a length.
            None if is_counted && self.eat("月").is_some() => MONTH,
            None => return None,
        };
        if is_whole && self.eat("半").is_some() {
            amount = add_half(amount);
        } else if is_whole && unit.most == DAY {
            let nights = |cursor: &mut Self| cursor.chinese_amount().filter(|nights| *nights == amount);
            let _ = self.attempt(|cursor| nights(cursor).and_then(|_| cursor.eat("夜")));
        }
        Some(TimeLength::of(amount, unit))
    }

    /// Parses a number or a range of numbers: `三`, `2.5`, `3-5`, `三到五`, `两三`.
    fn chinese_amount(&mut self) -> Option<Amount> {
        let first = self.chinese_number()?;
        let last = self.attempt(|cursor| {
            cursor.eat_any(&["到", "至", "-", "~"])?;
            cursor.chinese_number()
        });
        let amount = (first.0, last.map_or(first.1, |last| last.1));
        (amount.0 <= amount.1 && amount.1 <= MOST && amount.1 > 0).then_some(amount)
    }

    fn chinese_number(&mut self) -> Option<Amount> {
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.decimal().map(|number| (number, number));
        }
        let end = self.rest.find(|c| !is_plain_numeral(c)).unwrap_or(self.rest.len());
        // `两三天` are two or three days, not twenty-three.
        let (least, most) = read_between(&self.rest[..end]).filter(|(_, most)| *most <= MOST)?;
        self.rest = &self.rest[end..];
        Some((least * ONE, most * ONE))
    }

    /// Parses `3` or `2.5`, and returns hundredths.
    fn decimal(&mut self) -> Option<i64> {
        let (whole, _) = self.digits()?;
        let part = self.attempt(|cursor| {
            cursor.eat(".")?;
            let (part, digits) = cursor.digits()?;
            match digits {
                1 => Some(part * 10),
                2 => Some(part),
                _ => None,
            }
        });
        Some(whole * ONE + part.unwrap_or(0))
    }

    fn english_part(&mut self) -> Option<TimeLength> {
        if self.eat("half ").is_some() {
            let _ = self.eat_any(&["an ", "a "]);
            return Some(TimeLength::of((ONE / 2, ONE / 2), self.english_unit()?));
        }
        let first = self.english_number()?;
        let half = self.attempt(|cursor| {
            cursor.eat_any(&[" and a half ", " and half a "])?;
            Some(ONE / 2)
        });
        let last = self.attempt(|cursor| {
            cursor.skip_separators();
            cursor.eat_any(&["to ", "or ", "-"])?;
            cursor.english_number()
        });
        self.skip_separators();
        let _ = self.eat("-");
        let unit = self.english_unit()?;
        let half = half.or_else(|| self.eat(" and a half").map(|()| ONE / 2)).unwrap_or(0);
        let amount = (first + half, last.unwrap_or(first) + half);
        (amount.0 <= amount.1 && amount.1 <= MOST && amount.1 > 0).then(|| TimeLength::of(amount, unit))
    }

    /// Parses `3`, `2.5`, `three`, `twenty-one`, `an` or `a dozen`, and returns hundredths.
    fn english_number(&mut self) -> Option<i64> {
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.decimal();
        }
        if self.eat_any(&["a dozen", "one dozen"]).is_some() {
            return Some(12 * ONE);
        }
        if self.eat_any(&["a hundred", "one hundred"]).is_some() {
            return Some(self.hundreds(1));
        }
        let below_twenty = |cursor: &mut Self| {
            let word = cursor.english_word();
            let number = WORDS.iter().position(|number| *number == word)?;
            cursor.eat(WORDS[number])?;
            i64::try_from(number).ok()
        };
        let word = self.english_word();
        if matches!(word, "a" | "an") {
            self.rest = &self.rest[word.len()..];
            return Some(ONE);
        }
        if let Some(tens) = TENS.iter().position(|tens| *tens == word) {
            self.rest = &self.rest[word.len()..];
            let ones = self.attempt(|cursor| {
                cursor.eat_any(&["-", " "])?;
                below_twenty(cursor).filter(|ones| (1..10).contains(ones))
            });
            return Some((i64::try_from(tens).ok()? * 10 + 20 + ones.unwrap_or(0)) * ONE);
        }
        let number = below_twenty(self)?;
        if self.eat(" hundred").is_some() {
            return Some(self.hundreds(number));
        }
        let dozens = self.eat(" dozen").map_or(1, |()| 12);
        Some(number * dozens * ONE)
    }

    /// Parses the rest after the hundreds: `and five`, but not `and a half`.
    fn hundreds(&mut self, hundreds: i64) -> i64 {
        let rest = self.attempt(|cursor| {
            cursor.eat_any(&[" and ", " "])?;
            let is_half = cursor.rest.starts_with("a ");
            cursor.english_number().filter(|rest| !is_half && *rest < 100 * ONE)
        });
        hundreds * 100 * ONE + rest.unwrap_or(0)
    }

    fn english_unit(&mut self) -> Option<TimeUnit> {
        let word = self.english_word();
        let (_, unit) = ENGLISH.iter().find(|(words, _)| words.contains(&word))?;
        self.rest = self.rest[word.len()..].trim_start_matches('.');
        Some(*unit)
    }

    fn english_word(&self) -> &str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        &self.rest[..end]
    }
}
