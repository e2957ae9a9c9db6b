//! Times named from the day on which somebody speaks: `昨夜`, `前年一月二十九日`, `last night`, `three years ago`.

use super::civil::{DAY, date_of, days, weekday};
use super::lunar::{self, is_lunar, is_open_day};
use super::lunar_words::{day_in_words, in_chinese, is_marked_day};
use super::lunar_years::LunarDay;
use super::moment::{Calendar, Moment};
use super::parse::{leading_number, parse};
use super::weekday::CHINESE_MARKS;
use crate::Language;
use crate::numerals::{is_digit_or_numeral, is_plain_numeral, read_chinese};

/// A day of a calendar with years.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CalendarDay {
    /// The name of the calendar; empty for the common era.
    era: String,
    year: i64,
    month: i64,
    day: i64,
}

/// A day of the common calendar, to read an hour or a part of a day whose day is not known.
pub(super) const SOME_DAY: CalendarDay = CalendarDay { era: String::new(), year: 2076, month: 1, day: 1 };

/// Words for a day, with its distance from that of the speaker, the longer first.
const DAYS: [(&str, i64); 24] = [
    ("大前天", -3),
    ("前天", -2),
    ("前日", -2),
    ("昨天", -1),
    ("昨日", -1),
    ("今天", 0),
    ("今日", 0),
    ("当天", 0),
    ("当日", 0),
    ("这一天", 0),
    ("这天", 0),
    ("明天", 1),
    ("明日", 1),
    ("后天", 2),
    ("this day week", 7),
    ("this day fortnight", 14),
    ("today week", 7),
    ("a week ago today", -7),
    ("a week ago to the day", -7),
    ("yesterday week", -8),
    ("day before yesterday", -2),
    ("yesterday", -1),
    ("today", 0),
    ("tomorrow", 1),
];

/// Words for a day before a part of the day, as in `昨夜`.
const BEFORE_PARTS: [(&str, i64); 6] = [("前", -2), ("昨", -1), ("今", 0), ("当", 0), ("这", 0), ("明", 1)];

/// Words for a part of a day, with the distance of the day and the part.
const ENGLISH_PARTS: [(&str, i64, &str); 6] = [
    ("night before last", -2, "night"),
    ("last night", -1, "night"),
    ("tonight", 0, "night"),
    ("this morning", 0, "morning"),
    ("this afternoon", 0, "afternoon"),
    ("this evening", 0, "evening"),
];

/// English parts of a day, as told after the day.
const PARTS_AFTER_DAY: [&str; 4] = [" morning", " afternoon", " evening", " night"];

/// English units of a time before the speaker's day that is no certain day.
const ENGLISH_UNITS: [&str; 6] = [" week", " weeks", " fortnight", " fortnights", " month", " months"];

/// Chinese units of a time before the speaker's day that is no certain day.
const CHINESE_UNITS: [&str; 5] = ["个月", "個月", "星期", "礼拜", "周"];

/// Words for a month, with its distance from that of the speaker, the longer first.
const MONTHS_TOLD: [(&str, i64); 9] = [
    ("上上个月", -2),
    ("上个月", -1),
    ("上月", -1),
    ("本月", 0),
    ("这个月", 0),
    ("这月", 0),
    ("当月", 0),
    ("下个月", 1),
    ("下月", 1),
];

/// Words for a month after a day, with its distance from that of the speaker, the longer first.
const MONTHS_AFTER: [(&str, i64); 9] = [
    (" of last month", -1),
    (" of this month", 0),
    (" of next month", 1),
    (" instant", 0),
    (" ultimo", -1),
    (" proximo", 1),
    (" inst", 0),
    (" ult", -1),
    (" prox", 1),
];

/// Words for a year, with its distance from that of the speaker, the longer first.
const YEARS: [(&str, i64); 12] = [
    ("大前年", -3),
    ("前年", -2),
    ("去年", -1),
    ("旧年", -1),
    ("今年", 0),
    ("本年", 0),
    ("明年", 1),
    ("后年", 2),
    ("year before last", -2),
    ("last year", -1),
    ("this year", 0),
    ("next year", 1),
];

/// Seasons, which are no months of a calendar.
const SEASONS: [&str; 8] = ["春", "夏", "秋", "冬", "春天", "夏天", "秋天", "冬天"];

/// The English names of the months.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl CalendarDay {
    /// Returns the day of a time on a calendar with years; `None` for a longer time.
    pub(crate) fn of(time: &Moment) -> Option<Self> {
        let (midnight, _) = time.day()?;
        let Calendar::Era(era) = &time.calendar else { return None };
        let (year, month, day) = date_of(midnight.div_euclid(DAY));
        Some(Self { era: era.clone(), year, month, day })
    }

    /// Returns the weekday of a day of the common calendar, from 0 for Monday.
    pub(super) fn weekday(&self) -> Option<usize> {
        weekday(days(self.year, self.month, self.day)).filter(|_| self.era.is_empty())
    }

    /// Returns a time of a month that is told from that of this day as a time of the calendar: `万历二十三年三月初三` for
    /// `本月初三`, `third of February, 1978` for `the third of last month`. `None` for words that name no such time.
    pub(crate) fn resolve_in_month(&self, told: &str) -> Option<String> {
        let told = told.trim().trim_end_matches(['。', '.', ',', '，']);
        if let Some((rest, shift)) = after(&MONTHS_TOLD, told) {
            let (year, month) = self.month_at(shift);
            let rest = rest.trim_start_matches(['的', ' ']);
            // A lunar day is one of the lunar month.
            if self.era.is_empty() && is_marked_day(rest) {
                let month = self.lunar()?.month_at(shift)?;
                let dated = format!("{}{rest}", lunar::in_words(month));
                return parse(&dated).moment().is_some().then_some(dated);
            }
            let month = if self.era.is_empty() { month.to_string() } else { in_chinese(month) };
            let dated = format!("{}{month}月{rest}", year_in_words(&self.era, year)?);
            let is_told = shift <= 0 || !rest.is_empty();
            return (is_told && parse(&dated).moment().is_some()).then(|| in_digits(&dated));
        }
        let name = |month: i64| MONTHS.get(usize::try_from(month - 1).ok()?);
        let lower = told.to_ascii_lowercase();
        let lower = lower.strip_prefix("on ").unwrap_or(&lower);
        let lower = lower.strip_prefix("the ").unwrap_or(lower);
        let (day, shift) = match lower {
            "last month" => ("", -1),
            "this month" => ("", 0),
            _ => MONTHS_AFTER.iter().find_map(|(words, shift)| Some((lower.strip_suffix(words)?, *shift)))?,
        };
        let (year, month) = self.month_at(shift);
        let dated = match day {
            "" => format!("{} {year}", name(month)?),
            day => format!("{day} of {}, {year}", name(month)?),
        };
        (self.era.is_empty() && parse(&dated).moment().is_some()).then_some(dated)
    }

    /// Returns the year and the month at a distance in months; leap months of the moon are not counted.
    fn month_at(&self, shift: i64) -> (i64, i64) {
        let months = self.year * 12 + self.month - 1 + shift;
        (months.div_euclid(12), months.rem_euclid(12) + 1)
    }

    /// Returns a time named from this day as a time of the calendar: `1934年10月9日夜` for `昨夜`, `1978-03-17 night` for `last
    /// night`, `1932年1月29日` for `前年一月二十九日`, and words of weeks or months ago with this day: `a month before 1978-03-18`.
    /// `None` for words that name no such time.
    pub(super) fn resolve(&self, told: &str) -> Option<String> {
        if let Some(dated) = self.resolve_in_month(told) {
            return Some(dated);
        }
        let told = told.trim().trim_end_matches(['。', '.', ',', '，']);
        if told.is_ascii() {
            let lower = told.to_ascii_lowercase();
            let from = lower.strip_prefix("the ").or_else(|| lower.strip_prefix("on ")).unwrap_or(&lower);
            return self.english(from, &told[told.len() - from.len()..]).or_else(|| self.english_length(&lower, told));
        }
        self.chinese(told).or_else(|| self.chinese_length(told))
    }

    /// Returns `a month ago` as a time before this day. It is no certain day, but stays true on later days.
    fn english_length(&self, lower: &str, told: &str) -> Option<String> {
        let length = lower.strip_suffix(" ago")?;
        let is_length = ENGLISH_UNITS.iter().any(|unit| length.ends_with(unit));
        let day = self.in_numbers().filter(|_| is_length)?;
        Some(format!("{} before {day}", &told[..length.len()]))
    }

    /// Returns `一个月前` as a time before this day.
    fn chinese_length(&self, told: &str) -> Option<String> {
        let length = ["之前", "以前", "前"].iter().find_map(|words| told.strip_suffix(words))?;
        let is_counted = length.starts_with(|c: char| is_digit_or_numeral(c) || "半几两".contains(c));
        let is_length = is_counted && CHINESE_UNITS.iter().any(|unit| length.ends_with(unit));
        is_length.then(|| format!("{}之前{length}", self.in_words()))
    }

    /// Returns the ways in which a text may write the day, without its year, in lower case.
    pub(crate) fn written(&self) -> Vec<String> {
        let (month, day) = (self.month, self.day);
        let name = usize::try_from(month - 1).ok().and_then(|at| MONTHS.get(at)).map_or("", |name| *name);
        let name = name.to_ascii_lowercase();
        let (month_words, day_words) = (in_chinese(month), in_chinese(day));
        let mut forms: Vec<String> = ["日", "号"]
            .iter()
            .flat_map(|mark| [format!("{month_words}月{day_words}{mark}"), format!("{month}月{day}{mark}")])
            .collect();
        // `初九` is the day of a lunar month, `十月十九` perhaps one of either.
        if !self.era.is_empty() || day > 10 {
            forms.push(format!("{month_words}月{}", day_in_words(day)));
        }
        forms.extend([format!("{name} {day}"), format!("{day} {name}")]);
        forms.extend(self.lunar().map(lunar::written).unwrap_or_default());
        forms
    }

    /// Returns the lunar day of a day of the common calendar.
    fn lunar(&self) -> Option<LunarDay> {
        LunarDay::of(days(self.year, self.month, self.day)).filter(|_| self.era.is_empty())
    }

    fn chinese(&self, told: &str) -> Option<String> {
        if let Some((rest, shift)) = after(&DAYS, told) {
            return self.in_day(shift, rest, Language::Zh);
        }
        if let Some((rest, shift)) = after(&YEARS, told) {
            return self.in_year(shift, rest);
        }
        if let Some((rest, shift)) = after(&BEFORE_PARTS, told)
            && rest.starts_with(['夜', '晚', '早', '晨'])
        {
            return self.in_day(shift, rest, Language::Zh);
        }
        let end = told.find(|c: char| !is_digit_or_numeral(c)).unwrap_or(told.len());
        let count = read_chinese(&told[..end])?;
        let rest = &told[end..];
        match rest.strip_prefix("年前") {
            // A year without a day is no more than about so long ago.
            Some(rest) => self.in_year(-count, rest).filter(|_| !rest.trim_matches(['的', ' ']).is_empty()),
            None => {
                let rest = rest.strip_prefix("天前").or_else(|| rest.strip_prefix("日前"))?;
                self.in_day(-count, rest, Language::Zh)
            }
        }
    }

    /// Parses `lower`, the lower-case form of `told`.
    fn english(&self, lower: &str, told: &str) -> Option<String> {
        if let Some((words, shift, part)) = ENGLISH_PARTS.iter().find(|(words, ..)| lower.starts_with(words)) {
            return self.at_hour(*shift, lower[words.len()..].trim_start_matches([' ', ',']), part);
        }
        if let Some((rest, shift)) = after(&DAYS, lower) {
            return self.at_hour(shift, rest.trim_start_matches([' ', ',']), "");
        }
        let hour = hour_before_day(lower).and_then(|(hour, shift, part)| self.at_hour(shift, hour, part));
        if hour.is_some() {
            return hour;
        }
        // `last November` is the one before this month.
        let month = lower
            .strip_prefix("last ")
            .and_then(|name| MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name)));
        if let Some(month) = month {
            let year = if i64::try_from(month).ok()? + 1 < self.month { self.year } else { self.year - 1 };
            return Some(format!("{} {year}", MONTHS[month])).filter(|_| self.era.is_empty());
        }
        let counted = |words: &str| {
            let (count, length) = leading_number(words)?;
            (count.fract() == 0.0 && (0.0..1e5).contains(&count)).then_some((count as i64, length))
        };
        if let Some((count, length)) = counted(lower) {
            let rest = lower[length..].trim_start();
            if let Some(rest) = rest.strip_prefix("days ago").or_else(|| rest.strip_prefix("day ago")) {
                return self.in_day(-count, rest, Language::En);
            }
            if let Some(rest) = rest.strip_prefix("years ago").or_else(|| rest.strip_prefix("year ago")) {
                return self.in_english_year(-count, &told[told.len() - rest.len()..]);
            }
        }
        for (words, shift) in YEARS {
            if let Some(rest) = lower.strip_suffix(words) {
                let rest = rest.trim_end();
                let rest = rest.strip_suffix(" the").or_else(|| rest.strip_suffix(" of")).unwrap_or(rest);
                let rest = rest.trim_end_matches([' ', ',']);
                return match rest.is_empty() {
                    true => Some((self.year + shift).to_string()).filter(|_| self.era.is_empty()),
                    false => self.in_english_year(shift, &told[..rest.len()]),
                };
            }
        }
        // `on August 16, three years ago`
        let before = lower.strip_suffix("years ago")?.trim_end();
        let at = before.rfind([' ', ',']).map_or(0, |at| at + 1);
        let (count, _) = counted(&before[at..])?;
        self.in_english_year(-count, told[..at].trim_end_matches([' ', ',']))
    }

    /// Returns an hour of a part of the day at a distance: `1978-03-17 nine at night`. The part alone without an hour.
    fn at_hour(&self, shift: i64, hour: &str, part: &str) -> Option<String> {
        if hour.is_empty() {
            return self.in_day(shift, part, Language::En);
        }
        let bare = hour.strip_prefix("at ").unwrap_or(hour);
        // `midnight` says its part itself.
        let told = match part_after_hour(part) {
            Some(part) => [format!("{bare} {part}"), bare.to_owned()],
            None => [bare.to_owned(), format!("at {bare}")],
        };
        told.iter().find_map(|hour| self.in_day(shift, hour, Language::En))
    }

    /// Returns the day at a distance, with the rest of the words as a time of day.
    pub(super) fn in_day(&self, shift: i64, rest: &str, language: Language) -> Option<String> {
        let date = self.at(shift)?;
        let rest = rest.trim_start_matches(['的', ' ', ',', '，']);
        let plain = match rest {
            "早" => "早上",
            "晨" => "早晨",
            other => other.strip_prefix("in the ").or_else(|| other.strip_prefix("at ")).unwrap_or(other),
        };
        let dated = |rest: &str| match (language, date.in_numbers()) {
            (Language::En, Some(day)) => format!("{day} {rest}").trim_end().to_owned(),
            _ => in_digits(&format!("{}{rest}", date.in_words())),
        };
        // A bare number is an hour only after `at`.
        [plain, rest].into_iter().map(dated).find(|dated| parse(dated).moment().is_some())
    }

    /// Returns a time of the year at a distance.
    fn in_year(&self, shift: i64, rest: &str) -> Option<String> {
        let rest = rest.trim_start_matches(['的', ' ', ',', '，']);
        let dated = format!("{}{rest}", year_in_words(&self.era, self.year + shift)?);
        (SEASONS.contains(&rest) || parse(&dated).moment().is_some()).then(|| in_digits(&dated))
    }

    fn in_english_year(&self, shift: i64, rest: &str) -> Option<String> {
        let rest = rest.trim().trim_start_matches(',').trim_start();
        let rest = rest.strip_prefix("on ").or_else(|| rest.strip_prefix("in ")).unwrap_or(rest);
        let dated = format!("{rest}, {}", self.year + shift);
        (self.era.is_empty() && parse(&dated).moment().is_some()).then_some(dated)
    }

    /// Returns the day at a distance; of a calendar of the moon only within the month, whose length is not known.
    fn at(&self, shift: i64) -> Option<Self> {
        if self.era.is_empty() {
            let (year, month, day) = date_of(days(self.year, self.month, self.day) + shift);
            return Some(Self { era: String::new(), year, month, day });
        }
        let day = self.day + shift;
        (1..=29).contains(&day).then(|| Self { day, ..self.clone() })
    }

    /// Returns a day of the common calendar in numbers, `1978-03-17`; `None` for other calendars.
    pub(super) fn in_numbers(&self) -> Option<String> {
        self.era.is_empty().then(|| format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }

    /// Returns the day in the words of its calendar: `1934年10月9日`, `万历二十三年三月初五`.
    pub(crate) fn in_words(&self) -> String {
        match self.era.as_str() {
            "" => format!("{}年{}月{}日", self.year, self.month, self.day),
            era => {
                let year = year_in_words(era, self.year).unwrap_or_default();
                format!("{year}{}月{}", in_chinese(self.month), day_in_words(self.day))
            }
        }
    }
}

/// Returns what follows the first of the words with which a text begins, and its distance.
fn after<'t>(words: &[(&str, i64)], text: &'t str) -> Option<(&'t str, i64)> {
    words.iter().find_map(|(word, shift)| Some((text.strip_prefix(word)?, *shift)))
}

/// Splits lower-case words at a day that follows an hour: `eight last night`, `nine yesterday morning`. Returns the hour, the
/// distance of the day, and the part of the day.
fn hour_before_day(lower: &str) -> Option<(&str, i64, &str)> {
    let part_of_day = ENGLISH_PARTS.iter().find_map(|(words, shift, part)| {
        let before = lower.strip_suffix(words)?;
        Some((before, *shift, *part))
    });
    let (before, shift, part) = match part_of_day {
        Some(found) => found,
        None => {
            let part = PARTS_AFTER_DAY.into_iter().find(|part| lower.ends_with(part)).unwrap_or("");
            let day = &lower[..lower.len() - part.len()];
            let (before, shift) = DAYS.iter().find_map(|(words, shift)| Some((day.strip_suffix(words)?, *shift)))?;
            (before, shift, part.trim_start())
        }
    };
    let hour = before.trim_end_matches([' ', ',']);
    let hour = hour.strip_suffix(" the").unwrap_or(hour).trim_end_matches([' ', ',']);
    (before.ends_with([' ', ',']) && !hour.is_empty()).then_some((hour, shift, part))
}

/// Returns the words for a part of the day after an hour: `in the evening`; `None` for other words.
pub(super) fn part_after_hour(part: &str) -> Option<&'static str> {
    match part {
        "morning" => Some("in the morning"),
        "afternoon" => Some("in the afternoon"),
        "evening" => Some("in the evening"),
        "night" => Some("at night"),
        _ => None,
    }
}

/// Returns a year in the words of its calendar; `None` before its first year.
fn year_in_words(era: &str, year: i64) -> Option<String> {
    match (era, year) {
        ("", year) => Some(format!("{year}年")),
        (era, 1) => Some(format!("{era}元年")),
        (era, year) => (year > 1).then(|| format!("{era}{}年", in_chinese(year))),
    }
}

/// Returns a date with its year in digits with the month, the day and the hour in digits, too: `1934年10月12日9点` for
/// `1934年十月十二日九点`. Other times unchanged, and those of days that are or may be lunar, which are never in digits.
pub(super) fn in_digits(dated: &str) -> String {
    if !dated.starts_with(|c: char| c.is_ascii_digit())
        || !dated.contains('年')
        || is_lunar(dated)
        || is_open_day(dated)
    {
        return dated.to_owned();
    }
    let (mut text, mut rest) = (String::with_capacity(dated.len()), dated);
    while let Some(c) = rest.chars().next() {
        // `礼拜四九点` is nine o'clock on a Thursday.
        if CHINESE_MARKS.iter().any(|mark| text.ends_with(mark)) {
            text.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !is_plain_numeral(c)).unwrap_or(rest.len());
        let number =
            read_chinese(&rest[..end]).filter(|_| rest[end..].starts_with(['月', '日', '号', '点', '时', '分']));
        // `初九` is a day of the moon, whatever follows.
        match number.filter(|_| !text.ends_with('初')) {
            Some(number) => text.push_str(&number.to_string()),
            None if end > 0 => text.push_str(&rest[..end]),
            None => text.push(c),
        }
        rest = &rest[if end == 0 { c.len_utf8() } else { end }..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(date: &str) -> CalendarDay {
        CalendarDay::of(&parse(date).moment().expect("it is a date")).expect("it is a day")
    }

    #[test]
    fn a_time_named_from_a_day_is_a_date() {
        for (from, told, expected) in [
            ("1934年10月10日 6:00", "昨夜", Some("1934年10月9日夜")),
            ("1934年10月10日 6:00", "昨天傍晚", Some("1934年10月9日傍晚")),
            ("1934年10月10日 6:00", "今早", Some("1934年10月10日早上")),
            ("1934年10月10日 6:00", "当夜", Some("1934年10月10日夜")),
            ("1934年10月10日 6:00", "三天前", Some("1934年10月7日")),
            ("1934年3月1日", "前天", Some("1934年2月27日")),
            ("1934年10月10日", "前年一月二十九日", Some("1932年1月29日")),
            ("1934年10月12日", "三年前的八月十六日", Some("1931年8月16日")),
            ("1934年10月12日", "去年冬天", Some("1933年冬天")),
            ("1934年10月12日", "去年", Some("1933年")),
            ("民国二十三年十月十二日", "昨夜", Some("1934年10月11日夜")),
            ("民国十五年五月初九", "昨夜", Some("1926年6月17日夜")),
            ("民国十五年五月初一", "前天", Some("1926年6月8日")),
            ("民国十五年五月初九", "本月初三", Some("1926年五月初三")),
            ("1925年6月22日", "上月初二", Some("1925年闰四月初二")),
            ("万历二十三年三月初五", "昨夜", Some("万历二十三年三月初四夜")),
            ("万历二十三年三月初五", "前年腊月初八", Some("万历二十一年腊月初八")),
            ("万历二十三年三月初一", "昨夜", None),
            ("1934年10月12日", "三年前", None),
            ("1934年10月12日", "那年冬天", None),
            ("1934年10月12日", "前头", None),
            ("1934年10月12日", "夜里", None),
            ("1978-03-18", "last night", Some("1978-03-17 night")),
            ("1978-03-18", "Yesterday morning", Some("1978-03-17 morning")),
            ("1978-03-18", "the night before last", Some("1978-03-16 night")),
            ("1978-03-18", "two days ago", Some("1978-03-16")),
            ("1978-03-18", "last November", Some("November 1977")),
            ("1978-03-18", "last year", Some("1977")),
            ("1978-03-18", "March of last year", Some("March, 1977")),
            ("1934年10月12日", "去年三月", Some("1933年3月")),
            ("1978-03-18", "on August 16, three years ago", Some("August 16, 1975")),
            ("1978-03-18", "three years ago, on August 16", Some("August 16, 1975")),
            ("1978-03-18", "August 16 last year", Some("August 16, 1977")),
            ("1978-03-18", "three years ago", None),
            ("1978-03-18", "last night, nine", Some("1978-03-17 nine at night")),
            ("1978-03-18", "Last night at half past nine", Some("1978-03-17 half past nine at night")),
            ("1978-03-18", "eight last night", Some("1978-03-17 eight at night")),
            ("1978-03-18", "at ten o'clock last night", Some("1978-03-17 ten o'clock at night")),
            ("1978-03-18", "nine, the night before last", Some("1978-03-16 nine at night")),
            ("1978-03-18", "last night at midnight", Some("1978-03-17 midnight")),
            ("1978-03-18", "seven this morning", Some("1978-03-18 seven in the morning")),
            ("1978-03-18", "nine yesterday morning", Some("1978-03-17 nine in the morning")),
            ("1978-03-18", "four o'clock yesterday", Some("1978-03-17 four o'clock")),
            ("1978-03-18", "nine tomorrow", Some("1978-03-19 at nine")),
            ("1978-03-18", "nine tomorrow morning", Some("1978-03-19 nine in the morning")),
            ("1978-03-18", "yesterday, nine", Some("1978-03-17 at nine")),
            ("1978-03-18", "tomorrow at four", Some("1978-03-19 at four")),
            ("1978-03-18", "tomorrow morning", Some("1978-03-19 morning")),
            ("1934年10月10日", "昨夜九点", Some("1934年10月9日夜9点")),
            ("1934年10月10日", "昨天晚上八点", Some("1934年10月9日晚上8点")),
            // It is no certain day, but must not be counted from another one.
            ("1978-03-18", "a month ago", Some("a month before 1978-03-18")),
            ("1978-03-18", "Three weeks ago", Some("Three weeks before 1978-03-18")),
            ("1934年10月10日", "一个月前", Some("1934年10月10日之前一个月")),
            ("1934年10月10日", "两个星期以前", Some("1934年10月10日之前两个星期")),
            ("万历二十三年三月初五", "半个月前", Some("万历二十三年三月初五之前半个月")),
            ("1978-03-18", "a month before 1978-03-18", None),
            ("1934年10月10日", "1934年10月10日之前一个月", None),
            ("1978-03-18", "last night, with the door open", None),
            ("1978-03-18", "long ago", None),
            ("1978-03-18", "once", None),
        ] {
            assert_eq!(day(from).resolve(told).as_deref(), expected, "{from}: {told}");
        }
    }

    #[test]
    fn a_date_is_written_in_one_kind_of_numerals() {
        for (told, expected) in [
            ("1934年十月十二日九点", "1934年10月12日9点"),
            ("1934年10月九号夜里", "1934年10月9号夜里"),
            ("1934年十月十五日下午四点钟", "1934年10月15日下午4点钟"),
            ("1934年腊月初八", "1934年腊月初八"),
            ("1926年五月初九下午五点", "1926年五月初九下午五点"),
            ("1988年十月二十号礼拜四九点", "1988年10月20号礼拜四9点"),
            ("民国二十年十二月", "民国二十年十二月"),
            ("十月十二日", "十月十二日"),
        ] {
            assert_eq!(in_digits(told), expected);
        }
    }

    #[test]
    fn a_text_writes_a_day_in_several_ways() {
        let forms = day("1934年10月9日").written();
        for form in ["十月九日", "10月9号", "九月初二", "october 9", "9 october"] {
            assert!(forms.iter().any(|other| other == form), "{form}: {forms:?}");
        }
        assert!(!forms.iter().any(|form| form == "十月初九"), "a lunar day is another day: {forms:?}");
        assert!(day("万历二十三年三月初五").written().iter().any(|form| form == "三月初五"));
    }
}
