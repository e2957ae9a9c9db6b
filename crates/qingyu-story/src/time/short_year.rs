//! Years shortened to their end: `Spring of 'thirteen`, `'90`.

use super::parse::parse;
use super::partial::common_year;
use crate::numerals::read_english;

/// Returns a time with a year shortened to its end, such as `Spring of 'thirteen`, with the whole year: the last one before
/// the end of the year of the chapter with the time `date`. `None` for other times.
pub(super) fn with_whole_year(date: &str, told: &str) -> Option<String> {
    let own: i64 = common_year(date)?.parse().ok()?;
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
    times.into_iter().find(|words| parse(words).moment().is_some())
}

#[cfg(test)]
mod tests {
    use super::with_whole_year;

    #[test]
    fn a_shortened_year_is_the_last_one_before_the_end_of_the_chapters() {
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
