//! Times of the day that a text has told of before: `eight that evening`, `当晚八点`; and hours of a day.

use super::lunar::in_one_calendar;
use super::moment::{Moment, Window};
use super::parse::parse;
use super::partial::in_any_year;
use super::spoken::{CalendarDay, SOME_DAY, part_after_hour};
use super::weekday::weekday_in;
use crate::Language;
use crate::names::fold;

/// Chinese words for the day told of before, the longer first.
const CHINESE_DAYS: [&str; 9] = ["同一天", "那一天", "这一天", "那天", "那日", "当天", "当日", "这天", "同日"];
/// English words before a part of the day told of before, the longer first.
const ENGLISH_BEFORE: [&str; 3] = ["that same ", "the same ", "that "];

/// Returns a time told of the day before it in the text, `day`, as a date: `1898-06-09 eight in the evening` for `eight that
/// evening`. `None` for other words.
pub(crate) fn on_same_day(told: &str, day: &CalendarDay) -> Option<String> {
    let folded = fold(told);
    let told = folded.trim_end_matches(['。', '.', ',', '，', ' ']);
    if weekday_in(told).is_some() {
        return None;
    }
    match Language::of_script(told) {
        Language::Zh => day.in_day(0, chinese(told)?, Language::Zh),
        Language::En => day.in_day(0, &english(told)?, Language::En),
    }
}

/// Returns an hour or a part of the day told without a day as one of `day`. `None` for other words.
pub(crate) fn part_on_day(told: &str, day: &CalendarDay) -> Option<String> {
    let told = told.trim();
    if told.is_empty() || weekday_in(&fold(told)).is_some() {
        return None;
    }
    day.in_day(0, told, Language::of_script(told))
}

/// Returns a clock time or a double hour of old China (`酉时`) told without a day as that hour of `day`. `None` for other
/// words.
pub(crate) fn hour_on_day(told: &str, day: &CalendarDay) -> Option<String> {
    part_on_day(told, day).filter(|dated| parse(dated).moment().is_some_and(|moment| is_hour(&moment)))
}

/// Returns whether a told time is an hour or a part of the day without its day: `夜里十一点半`, `酉时三刻`, `evening`. `那天夜里`
/// is of the day told before.
pub(crate) fn lacks_day(told: &str) -> bool {
    parse(told).moment().is_none() && on_same_day(told, &SOME_DAY).is_none() && part_on_day(told, &SOME_DAY).is_some()
}

/// Returns whether two times are hours of one day, at least half an hour apart.
pub(crate) fn are_other_hours_of_one_day(one: &str, other: &str) -> bool {
    const GAP: i64 = 30 * 60;
    let hour = |words: &str| parse(words).moment().filter(is_hour);
    let (one, other) = in_one_calendar(one, other);
    let Some((one, other)) = hour(&one).zip(hour(&other)) else { return false };
    let is_one_day = CalendarDay::of(&one).is_some_and(|day| CalendarDay::of(&other) == Some(day));
    is_one_day && one.is_apart_from(&other, GAP)
}

/// Returns whether a time is at most as long as the double hour of old China.
fn is_hour(moment: &Moment) -> bool {
    const DOUBLE_HOUR: i64 = 2 * 3600;
    moment.seconds() <= DOUBLE_HOUR
}

/// Returns whether two told times are certainly at hours of the day that are at least two hours apart.
pub(crate) fn are_other_hours(one: &str, other: &str) -> bool {
    const GAP: i64 = 2 * 3600;
    let hours = hours(one).zip(hours(other));
    hours.is_some_and(|(one, other)| one.1 + GAP <= other.0 || other.1 + GAP <= one.0)
}

/// Returns the hours of the day of a told time, whether or not its words name a day.
fn hours(told: &str) -> Option<Window> {
    let dated = on_same_day(told, &SOME_DAY).or_else(|| part_on_day(told, &SOME_DAY));
    let moment = parse(told).moment().or_else(|| parse(&dated.unwrap_or_else(|| in_any_year(told))).moment())?;
    moment.day().map(|(_, window)| window)
}

/// Returns the time of day that follows Chinese words for the day told of before.
fn chinese(told: &str) -> Option<&str> {
    let day = CHINESE_DAYS.iter().find_map(|word| told.strip_prefix(word));
    let part = || {
        let rest = told.strip_prefix(['当', '那', '这', '同', '是'])?;
        rest.starts_with(['夜', '晚', '早', '晨']).then_some(rest)
    };
    day.or_else(part)
}

/// Returns the time of day in English words that name the day told of before: `at eight in the evening` for `at eight that
/// evening`.
fn english(told: &str) -> Option<String> {
    let (before, after) = ENGLISH_BEFORE.iter().find_map(|words| told.split_once(words))?;
    let before = before.trim_end_matches([' ', ',']);
    let before = if matches!(before, "later" | "on") { "" } else { before };
    let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
    let (part, rest) = after.split_at(end);
    let part = match part {
        "day" => "",
        part => part_after_hour(part)?,
    };
    let words = [before, part, rest.trim_start_matches([' ', ','])];
    let words: Vec<&str> = words.into_iter().filter(|words| !words.is_empty()).collect();
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{CalendarDay, are_other_hours, are_other_hours_of_one_day, hour_on_day, lacks_day, on_same_day, parse};

    fn day() -> CalendarDay {
        CalendarDay::of(&parse("1898-06-09").moment().expect("it is a date")).expect("it is a day")
    }

    #[test]
    fn a_time_of_the_day_told_before_is_a_date() {
        for (told, expected) in [
            ("eight that evening", Some("1898-06-09 eight in the evening")),
            ("At eight that evening", Some("1898-06-09 eight in the evening")),
            ("three that afternoon", Some("1898-06-09 three in the afternoon")),
            ("that evening", Some("1898-06-09 evening")),
            ("that same evening, at eight", Some("1898-06-09 evening at eight")),
            ("later that night", Some("1898-06-09 night")),
            ("that day", Some("1898-06-09")),
            ("当晚八点", Some("1898年6月9日晚8点")),
            ("那天晚上八点", Some("1898年6月9日晚上8点")),
            ("当天下午三点", Some("1898年6月9日下午3点")),
            ("当夜", Some("1898年6月9日夜")),
            ("eight in the evening", None),
            ("Friday, at eight that evening", None),
            ("that year", None),
            ("the day after that", None),
            ("那年冬天", None),
            ("那天之后", None),
        ] {
            assert_eq!(on_same_day(told, &day()).as_deref(), expected, "{told}");
        }
    }

    #[test]
    fn hours_are_compared_without_their_days() {
        let morning = "Thursday the ninth of June, at ten in the morning";
        for (one, other, is_other) in [
            (morning, "eight that evening", true),
            ("1898-06-09 10:00", "eight in the evening", true),
            ("六月九日上午十点", "当晚八点", true),
            (morning, "eleven in the morning", false),
            (morning, "that night", false),
            (morning, "", false),
            ("", "", false),
        ] {
            assert_eq!(are_other_hours(one, other), is_other, "{one}: {other}");
        }
    }

    #[test]
    fn an_hour_is_one_of_the_day() {
        for (told, expected) in [
            ("seven in the evening", Some("1898-06-09 seven in the evening")),
            ("half past six in the evening", Some("1898-06-09 half past six in the evening")),
            ("eleven at night", Some("1898-06-09 eleven at night")),
            ("晚上八点", Some("1898年6月9日晚上8点")),
            ("下午五点", Some("1898年6月9日下午5点")),
            ("下午五点一刻", Some("1898年6月9日下午5点一刻")),
            ("酉时三刻", Some("1898年6月9日酉时三刻")),
            ("夜里十一点半", Some("1898年6月9日夜里11点半")),
            ("傍晚六点多", Some("1898年6月9日傍晚6点多")),
            ("14:30", Some("1898-06-09 14:30")),
            // Before noon or after, and before midnight or after.
            ("五点", None),
            ("at five", None),
            ("夜里一点", None),
            ("evening", None),
            ("夜里", None),
            ("Thursday, eight in the evening", None),
            ("礼拜日晚上八点", None),
            ("once", None),
            ("", None),
        ] {
            assert_eq!(hour_on_day(told, &day()).as_deref(), expected, "{told}");
        }
    }

    #[test]
    fn an_hour_without_its_day_is_known_as_one() {
        for told in ["下午五点", "酉时三刻", "夜里", "五点", "half past six in the evening", "at five", "evening"]
        {
            assert!(lacks_day(told), "{told}");
        }
        for told in [
            "1898年6月9日下午5点",
            "六月九日",
            "那年冬天",
            "那天",
            "当晚八点",
            "that night",
            "周三下午三点",
            "five",
            "once",
            "",
        ] {
            assert!(!lacks_day(told), "{told}");
        }
    }

    #[test]
    fn hours_are_compared_on_one_day() {
        for (one, other, is_other) in [
            ("1926-06-18 17:00", "1926年6月18日下午6点半", true),
            ("1926-06-18 17:00", "1926-06-18 half past six in the evening", true),
            ("1926-06-18 17:00", "民国十五年五月初九戌时", true),
            ("民国十五年四月十九 17:00", "民国十五年四月十九下午6点半", true),
            ("民国十五年四月十九 17:00", "民国十五年五月初九下午6点半", false),
            ("1926-06-18 17:00", "民国十五年五月初九酉时", false),
            ("1926-06-18 17:00", "1926年6月18日下午5点一刻", false),
            ("1926-06-18 18:30", "1926年6月18日傍晚6点多", false),
            ("1926-06-18 17:00", "1926-06-19 18:30", false),
            ("1926-06-18 09:00", "1926年6月18日傍晚", false),
            ("1926-06-18 17:00", "1926年6月18日5点", false),
            ("1926-06-18", "1926-06-18 17:00", false),
            ("1926-06-18 17:00", "下午六点半", false),
        ] {
            assert_eq!(are_other_hours_of_one_day(one, other), is_other, "{one}: {other}");
        }
    }
}
