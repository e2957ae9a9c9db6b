//! Years shortened to their end: `Spring of 'thirteen`, `'90`, `八三年五月`.

use super::parse::parse;
use super::years::common_year;
use crate::numerals::{read_chinese, read_english};

/// The number of years for which people look ahead by two digits: `九〇年` of 1988 is 1990, `四五年` of 2024 is 1945.
const AHEAD: i64 = 10;

/// Returns a time with a year shortened to its end, such as `Spring of 'thirteen`, with the whole year: the last one that is at
/// most [`AHEAD`] years after that of the chapter with the time `date`. `None` for other times.
pub(super) fn with_whole_year(date: &str, told: &str) -> Option<String> {
    let own: i64 = common_year(date)?.parse().ok()?;
    with_year_of(told, |end| own + AHEAD - (own + AHEAD - end).rem_euclid(100))
}

/// Same as [`with_whole_year`], with the year nearest to that of `date`.
pub(super) fn with_nearest_year(date: &str, told: &str) -> Option<String> {
    let own: i64 = common_year(date)?.parse().ok()?;
    with_year_of(told, |end| own + 50 - (own + 50 - end).rem_euclid(100))
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
    let is_digit = |c: char| c.is_ascii_digit() || "零〇一二三四五六七八九".contains(c);
    let is_year = digits.chars().count() == 2 && digits.chars().all(is_digit);
    let is_duration = rest.starts_with(['前', '后', '来', '间', '内', '多', '以', '之', '级']);
    read_chinese(digits).filter(|_| is_year && !is_duration).map(|end| (end, rest))
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
    use super::{with_nearest_year, with_whole_year};

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
