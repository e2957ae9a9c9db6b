//! Years told in words that count from the chapter: `March of last year`, 去年三月, `'thirteen`.

use crate::numerals::read_english;
use crate::time;

/// Words for a year in English, with the years from the chapter's own.
const ENGLISH: [(&str, i64); 3] = [("last year", -1), ("this year", 0), ("next year", 1)];
/// Words for a year in Chinese, with the years from the chapter's own.
const CHINESE: [(&str, i64); 6] = [("去年", -1), ("前年", -2), ("今年", 0), ("本年", 0), ("明年", 1), ("后年", 2)];

/// Returns a time told by words for a year, with the year itself; `None` if there are none, or the year of the chapter with
/// the time `date` is unknown.
pub(super) fn with_relative_year(date: &str, told: &str) -> Option<String> {
    let own = common_year(date)?;
    let told = told.trim();
    if let Some((years, rest)) = CHINESE.iter().find_map(|(word, years)| Some((years, told.strip_prefix(word)?))) {
        return readable([format!("{}年{}", own + years, rest.trim_start_matches(['的', '，']))]);
    }
    let lower = told.to_lowercase();
    let (at, years) = ENGLISH.iter().find_map(|(word, years)| Some((lower.strip_suffix(word)?.len(), years)))?;
    in_year(told.get(..at)?, own + years)
}

/// Returns a time with a year shortened to its end, such as `Spring of 'thirteen`, with the whole year: the last one before
/// the end of the year of the chapter with the time `date`. `None` for other times.
pub(super) fn with_whole_year(date: &str, told: &str) -> Option<String> {
    let own = common_year(date)?;
    let told = told.trim();
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
    let year = own - own.rem_euclid(100) + end;
    in_year(&told[..at], if year > own { year - 100 } else { year })
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
    times.into_iter().find(|words| time::parse(words).moment().is_some())
}

/// Returns the year of a date of the common era.
fn common_year(date: &str) -> Option<i64> {
    let digits: String = date.trim().chars().take_while(char::is_ascii_digit).collect();
    let rest = &date.trim()[digits.len()..];
    let is_year = digits.len() == 4 && (rest.is_empty() || rest.starts_with(['-', '/', '年', '.']));
    digits.parse().ok().filter(|_| is_year)
}

#[cfg(test)]
mod tests {
    use super::{with_relative_year, with_whole_year};

    #[test]
    fn a_year_that_counts_from_the_chapter_is_told_by_its_number() {
        for (date, told, expected) in [
            ("1926-10-04 16:00", "March of last year", Some("March, 1925")),
            ("1926-10-04", "last year", Some("1925")),
            ("1926-10-04", "this year", Some("1926")),
            ("2019年1月16日 09:00", "去年三月", Some("2018年三月")),
            ("2019年1月16日", "前年", Some("2017年")),
            ("万历二十年三月初五", "去年三月", None),
            ("", "last year", None),
            ("1926-10-04", "March", None),
        ] {
            assert_eq!(with_relative_year(date, told).as_deref(), expected, "{date}: {told}");
        }
        for (date, told, expected) in [
            ("1926-10-04", "'thirteen", Some("1913")),
            ("1926-10-04", "April of ’13", Some("April, 1913")),
            ("1926-10-04", "'ninety", Some("1890")),
            ("1926-10-04", "Nell's", None),
            ("1926-10-04", "1913", None),
            ("Day 3", "'thirteen", None),
        ] {
            assert_eq!(with_whole_year(date, told).as_deref(), expected, "{date}: {told}");
        }
    }
}
