//! Times without a year or a month.

use super::civil::DAY;
use super::lunar::{in_calendar_of, is_open_day, near};
use super::lunar_words::LUNAR_CALENDAR;
use super::moment::{LONGEST_DAY, Moment};
use super::parse::parse;
use super::short_year::with_nearest_year;
use super::spoken::{CalendarDay, MONTHS};
use super::weekday::weekday_in;
use super::years::{common_year, year_in_digits};
use crate::names::fold;

/// Returns the told time, with the planned time's year, and month, if not parsable without; a year shortened to its end is
/// the one nearest to the planned one, and so is that of a lunar day beside a civil date.
pub(crate) fn with_year(planned: &str, told: &str) -> String {
    let words = told.trim();
    let planned = planned.trim();
    let told = &*in_calendar_of(planned, words);
    if let Some(dated) = with_nearest_year(planned, told) {
        return dated;
    }
    // `民国十五年四月十九` is a time of either calendar, unless the planned time says which.
    let readings = if is_open_day(words) { [told, words] } else { [words, told] };
    let mut different = readings.into_iter().skip(usize::from(told == words));
    if let Some(dated) = different.find(|words| parse(words).moment().is_some()) {
        return dated.to_owned();
    }
    if told.is_empty() || told.contains('年') {
        return words.to_owned();
    }
    if let Some(dated) = near(planned, told) {
        return dated;
    }
    let through = |word: char| planned.find(word).map(|at| format!("{}{told}", &planned[..at + word.len_utf8()]));
    let year = common_year(planned);
    let completed = [
        through('年'),
        year.and_then(|year| with_common_year(told, year)),
        year.map(|year| format!("{year}年{told}")),
        through('月').filter(|_| !told.contains('月')),
    ];
    let completed: Vec<String> = completed.into_iter().flatten().collect();
    let is_date = |dated: &&String| parse(dated).moment().is_some();
    let is_day = |dated: &&String| parse(&in_any_year(dated)).moment().is_some();
    let dated = completed.iter().find(is_date).or_else(|| completed.iter().find(is_day));
    dated.map_or_else(|| words.to_owned(), String::clone)
}

/// Returns an English time without a year with a year after its month and day, wherever they stand: `Thursday the nineteenth
/// of October, 1911, at ten in the morning`. `None` for words that are then no time.
fn with_common_year(told: &str, year: &str) -> Option<String> {
    if !names_month(told) {
        return None;
    }
    let is_end =
        |at: &usize| told[..*at].ends_with(char::is_alphanumeric) && !told[*at..].starts_with(char::is_alphanumeric);
    let mut ends = told.char_indices().rev().map(|(at, c)| at + c.len_utf8()).filter(is_end);
    ends.find_map(|end| {
        let (date, rest) = told.split_at(end);
        let comma = if rest.starts_with(' ') { "," } else { "" };
        let dated = format!("{date}, {year}{comma}{rest}");
        parse(&dated).moment().is_some().then_some(dated)
    })
}

/// Returns whether one of the words is the English name of a month, or its beginning.
fn names_month(told: &str) -> bool {
    let is_month = |word: &str| {
        let begins = |month: &&str| month.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        word.len() >= 3 && MONTHS.iter().any(begins)
    };
    told.split(|c: char| !c.is_ascii_alphabetic()).any(is_month)
}

/// Returns a time with the year of `known`, if it has none of its own and both are then at most half a year apart; other
/// times unchanged.
pub(crate) fn dated_like(known: &str, told: &str) -> String {
    let dated = with_year(known, told);
    let times = parse(known).moment().zip(parse(&dated).moment());
    let is_near = times.is_some_and(|(known, dated)| are_within_half_a_year(&known, &dated));
    if is_near { dated } else { told.trim().to_owned() }
}

/// Returns a time without a year as that of the last such time before `known`, if that is less than half a year ago: in
/// March, `November` is the one before. Other times unchanged.
pub(crate) fn dated_before(known: &str, told: &str) -> String {
    let told = told.trim();
    let last_year = || {
        let dated = dated_in_year_before(known, told)?;
        let times = parse(known).moment().zip(parse(&dated).moment())?;
        are_within_half_a_year(&times.0, &times.1).then_some(dated)
    };
    let is_dated = parse(told).moment().is_some();
    if is_dated { told.to_owned() } else { last_year().unwrap_or_else(|| told.to_owned()) }
}

/// Returns a time without a year with the year before that of `known`; `None` if the year of `known` is not in digits.
pub(crate) fn dated_in_year_before(known: &str, told: &str) -> Option<String> {
    let year = year_in_digits(known)?;
    let before = year.parse::<u32>().ok()?.checked_sub(1)?;
    Some(with_year(&known.replacen(year, &format!("{before:04}"), 1), told))
}

/// Returns whether two times of one calendar begin at most half a year apart.
fn are_within_half_a_year(one: &Moment, other: &Moment) -> bool {
    const HALF_A_YEAR: u64 = 183 * 86_400;
    one.is_comparable(other) && one.bounds().0.abs_diff(other.bounds().0) <= HALF_A_YEAR
}

/// Returns whether a time has a month and a day and no year: `腊月初八夜里`, `March 5`.
pub(crate) fn is_day_of_year(text: &str) -> bool {
    let is_plain = |text: &str| parse(text).moment().is_none();
    let has_year = text.contains('年');
    !has_year
        && is_plain(text)
        && parse(&in_any_year(text)).moment().is_some_and(|moment| moment.seconds() <= LONGEST_DAY)
}

/// Returns a time with a leap year instead of its own year, to compare months and days.
pub(crate) fn in_any_year(text: &str) -> String {
    let text = text.trim();
    let day = text.find('年').map_or(text, |at| &text[at + '年'.len_utf8()..]);
    let dated = format!("{LUNAR_CALENDAR}4年{day}");
    if parse(&dated).moment().is_some() {
        return dated;
    }
    with_common_year(day, "2076").unwrap_or_else(|| format!("{day}, 2076"))
}

/// Returns a day without a year as a time in one of the years of a story whose events happen at `reached`, in their order:
/// in which the day has the weekday that the words name, and of these the last one that the story has reached.
pub(crate) fn in_year_of_story(words: &str, reached: &[Moment]) -> Option<Moment> {
    let words = words.trim();
    if !is_day_of_year(words) {
        return None;
    }
    let mut dates: Vec<Moment> = Vec::new();
    for day in reached.iter().filter_map(CalendarDay::of) {
        let date = parse(&with_year(&day.in_words(), words)).moment();
        if let Some(date) = date
            && !dates.contains(&date)
        {
            dates.push(date);
        }
    }
    if let Some(weekday) = weekday_in(&fold(words)) {
        let is_right = |date: &Moment| date.weekday() == Some(weekday);
        if dates.iter().any(is_right) {
            dates.retain(is_right);
        }
    }
    let is_reached = |date: &&Moment| reached.iter().any(|time| time.is_comparable(date) && !time.is_before(date));
    dates.iter().rev().find(is_reached).or(dates.first()).cloned()
}

/// Returns the same text for all times that begin on one day; a time without a day stands for itself.
pub(crate) fn day_of(text: &str) -> String {
    let moment = parse(text).moment().or_else(|| parse(&in_any_year(text)).moment());
    moment.map_or_else(|| text.trim().to_owned(), |moment| moment.bounds().0.div_euclid(DAY).to_string())
}

#[cfg(test)]
mod tests {
    use super::{Moment, dated_before, dated_like, day_of, in_year_of_story, is_day_of_year, parse, with_year};

    #[test]
    fn a_time_takes_the_year_of_another_one() {
        for (planned, told, expected) in [
            ("万历二十三年三月初五 亥时", "三月初六，亥时", "万历二十三年三月初六，亥时"),
            ("2077-03-05", "3月6日", "2077年3月6日"),
            ("1911年10月18日", "19 October, at ten", "19 October, 1911, at ten"),
            ("1911-03-13", "two, Monday the thirteenth of March", "two, Monday the thirteenth of March, 1911"),
            ("1911-03-13", "two on Monday the thirteenth of March", "two on Monday the thirteenth of March, 1911"),
            ("1911-03-13", "two, the thirteenth of March", "two, the thirteenth of March"),
            ("1983年5月9日 14:00", "八三年五月", "1983年五月"),
            ("1983年5月9日 14:00", "八四年五月", "1984年五月"),
            ("1911-10-18 10:00", "October of '13", "October, 1913"),
            ("万历二十三年三月初五", "八三年五月", "八三年五月"),
            ("1927-01-26", "腊月廿三", "1926年腊月廿三"),
            ("民国十五年五月初九", "腊月廿三", "民国十五年腊月廿三"),
            ("民国十四年五月初九", "闰四月初二", "民国十四年闰四月初二"),
            ("五月初九", "四月十九", "四月十九"),
        ] {
            assert_eq!(with_year(planned, told), expected, "{planned}: {told}");
        }
    }

    #[test]
    fn a_day_without_a_year_has_the_year_of_what_happens_around_it() {
        for (known, told, expected) in [
            ("2019年1月16日 09:00", "一月十六日傍晚", "2019年一月十六日傍晚"),
            ("2019年1月16日 09:00", "一月十六日下午两点", "2019年一月十六日下午两点"),
            ("万历二十三年三月初五 亥时", "三月初六", "万历二十三年三月初六"),
            ("March 5, 2077", "March 6", "March 6, 2077"),
            ("March 5, 2077", "3月6日", "2077年3月6日"),
            ("2077-03-05 09:00", "March 6", "March 6, 2077"),
            ("1978-03-17 08:30", "the seventeenth of March", "the seventeenth of March, 1978"),
            ("1978-03-17 08:30", "Friday, the seventeenth of March", "Friday, the seventeenth of March, 1978"),
            ("1911-10-18 10:00", "19 October, at ten in the morning", "19 October, 1911, at ten in the morning"),
            ("1911-10-18 10:00", "October 19, ten in the morning", "October 19, 1911, ten in the morning"),
            ("1911-10-18 10:00", "October the nineteenth at noon", "October the nineteenth, 1911, at noon"),
            ("1988年10月23日", "十月三十号，礼拜日，早上八点", "1988年十月三十号，礼拜日，早上八点"),
            ("1988年10月23日", "十月二十号礼拜四", "1988年十月二十号礼拜四"),
            ("2019年1月16日 09:00", "腊月十一", "2018年腊月十一"),
            ("2019年1月16日 09:00", "一月十六", "2019年一月十六"),
            ("民国十五年五月初九", "五月初十夜里", "民国十五年五月初十夜里"),
            ("民国十五年五月初九", "四月十九那天夜里", "民国十五年农历四月十九那天夜里"),
            ("民国十五年五月初九", "民国十五年四月十九", "民国十五年农历四月十九"),
            ("1926-06-18 17:00", "初十", "1926年五月初十"),
            ("2019年1月16日 09:00", "十二月三日", "十二月三日"),
            ("2019年1月16日 09:00", "1998年12月3日", "1998年12月3日"),
            ("", "一月十六日", "一月十六日"),
            ("2019年1月16日 09:00", "那天", "那天"),
        ] {
            assert_eq!(dated_like(known, told), expected, "{known}: {told}");
        }
        for date in ["Thursday the nineteenth of October", "Thursday, 19 October", "Thursday, the 19th of October"] {
            for hour in ["", ", at ten in the morning", " at ten in the morning", ", ten in the morning", ", 10 a.m."] {
                let dated = dated_like("1911-10-18 10:00", &format!("{date}{hour}"));
                assert_eq!(dated.replace(", 1911,", ", 1911"), format!("{date}, 1911{}", hour.trim_start_matches(',')));
            }
        }
        for day in [
            "腊月初八夜里",
            "农历四月十九",
            "一月十六日下午两点",
            "March 5",
            "the fifth of March, at ten",
            "十月二十号礼拜四",
        ] {
            assert!(is_day_of_year(day), "{day}");
        }
        for other in ["2019年1月16日", "1998年腊月初八", "腊月", "夜里", "第3天", "那天", ""] {
            assert!(!is_day_of_year(other), "{other}");
        }
    }

    #[test]
    fn what_began_in_a_month_of_no_year_began_in_the_last_one() {
        for (known, told, expected) in [
            ("1978-03-17 08:30", "November", "November, 1977"),
            ("1978-03-17 08:30", "the sixth of November", "the sixth of November, 1977"),
            ("2019年1月16日 09:00", "十二月三日", "2018年十二月三日"),
            ("1978-03-17 08:30", "July", "July"),
            ("1978-03-17 08:30", "1964-03-10", "1964-03-10"),
            ("Day 3", "November", "November"),
            ("", "November", "November"),
            ("1978-03-17 08:30", "that night", "that night"),
        ] {
            assert_eq!(dated_before(known, told), expected, "{known}: {told}");
        }
    }

    #[test]
    fn a_day_without_a_year_is_the_last_one_of_the_story() {
        let find = |reached: &[&str], words: &str| {
            let reached: Vec<Moment> = reached.iter().filter_map(|time| parse(time).moment()).collect();
            in_year_of_story(words, &reached)
        };
        let cases: [(&[&str], &str, Option<&str>); 13] = [
            (&["1911-10-17 15:00", "1911-10-18"], "Thursday the nineteenth of October", Some("1911-10-19")),
            (&["1911-10-17"], "19 October, at ten in the morning", Some("1911-10-19 10:00")),
            (&["1983年5月9日 14:00", "1988年10月23日"], "十月二十号礼拜四", Some("1988-10-20")),
            (&["1983年5月9日 14:00", "1988年10月23日"], "十月二十号", Some("1988-10-20")),
            (&["1983年5月9日 14:00", "1988年10月23日"], "五月九号礼拜一", Some("1988-05-09")),
            (&["1983年5月9日 14:00", "1988年10月23日"], "五月十号礼拜二", Some("1988-05-10")),
            (&["1983年5月9日 14:00", "1988年10月23日"], "五月九号星期四", Some("1988-05-09")),
            (&["1982年5月9日 14:00", "1988年10月23日"], "五月九号星期天", Some("1982-05-09")),
            (&["1977-12-01", "1978-03-14"], "December 3", Some("1977-12-03")),
            (&["1978-03-14"], "December 3", Some("1978-12-03")),
            (&["1978-03-14"], "December", None),
            (&["第3天"], "December 3", None),
            (&[], "December 3", None),
        ];
        for (reached, words, expected) in cases {
            let expected = expected.and_then(|date| parse(date).moment());
            assert_eq!(find(reached, words), expected, "{words}");
        }
    }

    #[test]
    fn the_hours_of_a_day_are_on_one_day() {
        for (one, other) in
            [("万历二十年三月初五 辰时", "万历二十年三月初五 午时"), ("三月初五 辰时", "三月初五，午时")]
        {
            assert_eq!(day_of(one), day_of(other), "{one}: {other}");
        }
        assert_ne!(day_of("万历二十年三月初五 辰时"), day_of("万历二十年三月初三 辰时"));
        assert_eq!(day_of(" 那年冬天 "), "那年冬天");
    }
}
