//! Years shortened to their end, or without their era: `Spring of 'thirteen`, `'90`, `八三年五月`, `十五年六月`.

use super::moment::Calendar;
use super::parse::parse;
use super::years::common_year;
use crate::language::is_han;
use crate::numerals::{read_chinese, read_english};

/// The number of years for which people look ahead by two digits: `九〇年` of 1988 is 1990, `四五年` of 2024 is 1945.
const AHEAD: i64 = 10;

/// The year before the first one of the Republic of China.
const BEFORE_REPUBLIC: i64 = 1911;

/// The last year that a book counts from the Republic without saying so.
const LAST_OF_REPUBLIC: i64 = 1949;

/// The maximum number of years between a year of the Republic without its era and the year of the chapter.
const NEAR_IN_REPUBLIC: i64 = 15;

/// Returns a time with a year shortened to its end, such as `Spring of 'thirteen`, with the whole year: the last one that is at
/// most [`AHEAD`] years after that of the chapter with the time `date`. A year without its era has that of `date`. `None` for
/// other times.
pub(super) fn with_whole_year(date: &str, told: &str) -> Option<String> {
    with_year_up_to(date, told, AHEAD)
}

/// Same as [`with_whole_year`], with the year nearest to that of `date`.
pub(super) fn with_nearest_year(date: &str, told: &str) -> Option<String> {
    with_year_up_to(date, told, 50)
}

/// Returns a time with the whole year, of those shortened to their end the last one that is at most `ahead` years after that
/// of `date`.
fn with_year_up_to(date: &str, told: &str, ahead: i64) -> Option<String> {
    with_era(date, told).or_else(|| {
        let own: i64 = common_year(date)?.parse().ok()?;
        with_year_of(told, |end| last_up_to(own + ahead, end))
    })
}

/// Returns the last year with these two last digits that is at most `latest`.
fn last_up_to(latest: i64, end: i64) -> i64 {
    latest - (latest - end).rem_euclid(100)
}

/// Returns whether the year at the beginning of a Chinese time has no era: `十五年六月`, `15年`.
pub(crate) fn lacks_era(told: &str) -> bool {
    year_without_era(told.trim()).is_some()
}

/// Returns a Chinese time whose year has no era with the year of the era of `date`: `万历十五年六月` of `万历二十年`. With a date
/// from the Republic of China before 1950 it is a year of the Republic, as one of the common era: `1926年六月`, if that is at
/// most [`NEAR_IN_REPUBLIC`] years away.
fn with_era(date: &str, told: &str) -> Option<String> {
    let told = told.trim();
    let (year, rest) = year_without_era(told)?;
    let moment = parse(date).moment();
    let dated = match moment.as_ref().map(|moment| (&moment.calendar, moment.years().0)) {
        Some((Calendar::Era(era), own)) if !era.is_empty() => {
            let is_counted = own < 100 && era.chars().all(is_han);
            is_counted.then(|| format!("{era}{told}"))?
        }
        Some((Calendar::Days, _)) => return None,
        known => {
            let own = known.map(|(_, own)| own).or_else(|| common_year(date)?.parse().ok())?;
            let whole = BEFORE_REPUBLIC + year;
            let republic = BEFORE_REPUBLIC + 1..=LAST_OF_REPUBLIC;
            let distance = (whole - own).abs();
            let is_near = [own, whole].iter().all(|year| republic.contains(year)) && distance <= NEAR_IN_REPUBLIC;
            // `12年` may be 1912, too.
            let is_end = told.as_bytes().get(..2).is_some_and(|end| end.iter().all(u8::is_ascii_digit));
            let is_nearest = !is_end || distance <= (last_up_to(own + 50, year) - own).abs();
            (is_near && is_nearest).then(|| format!("{whole}年{rest}"))?
        }
    };
    let is_season = rest.starts_with(['春', '夏', '秋', '冬']);
    Some(dated).filter(|dated| is_season || parse(dated).moment().is_some())
}

/// Returns the number of a year without an era at the beginning of a Chinese time, and the words after it. A year in two
/// Chinese digits is one shortened to its end, and `三年` alone a duration.
fn year_without_era(told: &str) -> Option<(i64, &str)> {
    let (numeral, rest) = told.split_once('年')?;
    let is_end = numeral.chars().count() == 2 && numeral.chars().all(|c| CHINESE_DIGITS.contains(c));
    let is_duration = numeral.contains(['两', '兩']) || rest.starts_with('代') || begins_duration(rest);
    let year = if numeral == "元" { 1 } else { read_chinese(numeral)? };
    let is_year = (1..100).contains(&year) && (year >= 10 || !rest.is_empty());
    (is_year && !is_end && !is_duration).then_some((year, rest))
}

/// The Chinese digits of a year that is shortened to its end.
const CHINESE_DIGITS: &str = "零〇一二三四五六七八九";

/// Returns whether a year followed by these words is the length of a time.
fn begins_duration(rest: &str) -> bool {
    rest.starts_with(['前', '后', '来', '间', '内', '多', '以', '之', '级'])
}

/// Returns a time with a shortened year with the year that `whole` makes of its last two digits.
fn with_year_of(told: &str, whole: impl Fn(i64) -> i64) -> Option<String> {
    let told = told.trim();
    if let Some((end, rest)) = chinese(told) {
        return Some(format!("{}年{rest}", whole(end)));
    }
    let at = told.rfind(['\'', '’', '‘'])?;
    let mark = told[at..].chars().next()?;
    let digits = &told[at + mark.len_utf8()..];
    // Not the mark of a genitive or a contraction.
    let is_free = told[..at].chars().next_back().is_none_or(|before| before == ' ');
    let number = match digits.len() {
        2 if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        _ => read_english(&digits.to_lowercase()),
    };
    let end = number.filter(|number| is_free && *number < 100).map(i64::from)?;
    in_year(&told[..at], whole(end))
}

/// Returns the last two digits of a year at the beginning of a Chinese time, and the words after it: `八三年五月`. `四五年前`
/// is a duration.
fn chinese(told: &str) -> Option<(i64, &str)> {
    let (digits, rest) = told.split_once('年')?;
    let is_digit = |c: char| c.is_ascii_digit() || CHINESE_DIGITS.contains(c);
    let is_year = digits.chars().count() == 2 && digits.chars().all(is_digit);
    read_chinese(digits).filter(|_| is_year && !begins_duration(rest)).map(|end| (end, rest))
}

/// Returns the words before a year with the year, as a readable time; the year alone if they say no time.
fn in_year(before: &str, year: i64) -> Option<String> {
    let before = before.trim_end().trim_end_matches([',', '，']);
    let before = before.strip_suffix(" of").unwrap_or(before).trim();
    let before = ["in ", "In ", "the "].iter().find_map(|word| before.strip_prefix(word)).unwrap_or(before);
    match before {
        "" | "in" | "In" | "of" => readable([year.to_string()]),
        _ => readable([format!("{before}, {year}"), format!("{before} {year}"), year.to_string()]),
    }
}

/// Returns the first of the times that can be read.
fn readable<const COUNT: usize>(times: [String; COUNT]) -> Option<String> {
    times.into_iter().find(|words| parse(words).moment().is_some())
}

#[cfg(test)]
mod tests {
    use super::{lacks_era, with_nearest_year, with_whole_year};

    #[test]
    fn a_shortened_year_is_the_last_one_or_soon() {
        for (date, told, expected) in [
            ("1926-10-04", "'thirteen", Some("1913")),
            ("1926-10-04", "April of ’13", Some("April, 1913")),
            ("1926-10-04", "'ninety", Some("1890")),
            ("1926-10-04", "Nell's", None),
            ("1926-10-04", "1913", None),
            ("Day 3", "'thirteen", None),
            ("1988年10月23日", "八三年五月", Some("1983年五月")),
            ("1988年10月23日", "83年5月9号，下午两点", Some("1983年5月9号，下午两点")),
            ("1988年10月23日", "七九年二月", Some("1979年二月")),
            ("1988年10月23日", "九〇年", Some("1990年")),
            ("2024年3月1日", "四五年", Some("1945年")),
            ("1988年10月23日", "八三年冬天", Some("1983年冬天")),
            ("1988年10月23日", "四五年前", None),
            ("1988年10月23日", "二十年", None),
            ("1988年10月23日", "一九八三年", None),
            ("万历二十三年三月初五", "二三年三月", None),
            ("12年3月5日", "13年3月", None),
        ] {
            assert_eq!(with_whole_year(date, told).as_deref(), expected, "{date}: {told}");
        }
    }

    #[test]
    fn a_year_without_an_era_has_that_of_the_chapter() {
        for (date, told, expected) in [
            ("1926年6月16日 19:00", "十五年六月十六号，礼拜三", Some("1926年六月十六号，礼拜三")),
            ("1926-06-16", "十五年六月十六号，礼拜三，晚上七点", Some("1926年六月十六号，礼拜三，晚上七点")),
            ("民国十五年六月十四日", "十五年六月", Some("1926年六月")),
            ("1926年6月16日", "15年6月16日", Some("1926年6月16日")),
            ("1926年6月16日", "十五年", Some("1926年")),
            ("1926年6月16日", "三年九月", Some("1914年九月")),
            ("1926年6月16日", "元年秋天", Some("1912年秋天")),
            ("1926年6月16日", "廿五年六月", Some("1936年六月")),
            // Neither near in the Republic nor of another era.
            ("1890年6月16日", "十五年六月", None),
            ("1926年6月16日", "四十年六月", None),
            ("2024年6月16日", "十五年六月", None),
            ("1926年6月16日", "十五年五月初九，礼拜五", Some("1926年五月初九，礼拜五")),
            ("民国十五年五月初九", "十五年四月初二", Some("1926年四月初二")),
            // Durations and decades.
            ("1926年6月16日", "三年", None),
            ("1926年6月16日", "十五年前", None),
            ("1926年6月16日", "两年三月", None),
            ("1926年6月16日", "三十年代", None),
            ("1926年6月16日", "二三年六月", Some("1923年六月")),
            ("1926年6月16日", "23年6月", Some("1923年6月")),
            ("1926年6月16日", "光绪十五年六月", None),
            ("万历二十三年三月初五", "十五年六月初九", Some("万历十五年六月初九")),
            ("万历元年三月初五", "二年正月", Some("万历二年正月")),
            ("星历2077年3月", "十五年六月", None),
            ("第3天", "十五年六月", None),
            ("十二年三月五日", "十三年三月", None),
        ] {
            assert_eq!(with_whole_year(date, told).as_deref(), expected, "{date}: {told}");
        }
        assert!(lacks_era("十五年六月") && lacks_era("15年6月16日") && lacks_era("十五年五月初九"));
        assert!(!lacks_era("民国十五年") && !lacks_era("1926年六月") && !lacks_era("八三年五月") && !lacks_era("三年"));
    }

    #[test]
    fn a_shortened_year_is_near_that_of_the_plan() {
        for (date, told, expected) in [
            ("1983年5月9日 14:00", "八三年五月", "1983年五月"),
            ("1983年5月9日 14:00", "八四年", "1984年"),
            ("2003-05-09", "九八年夏天", "1998年夏天"),
            ("1911-10-18", "'thirteen", "1913"),
        ] {
            assert_eq!(with_nearest_year(date, told).as_deref(), Some(expected), "{date}: {told}");
        }
    }
}
