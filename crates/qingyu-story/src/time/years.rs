//! The years of times.

use crate::language::is_han;

/// Returns the year of a time, with its era: `万历二十年` of `万历二十年三月`, `1977` of `November, 1977`.
pub(crate) fn year_of(told: &str) -> Option<&str> {
    let in_words = told.find('年').map(|at| &told[..at + '年'.len_utf8()]);
    in_words.or_else(|| year_in_digits(told))
}

/// Returns the year of a time of the common era, if it is in digits.
pub(super) fn common_year(told: &str) -> Option<&str> {
    let year = year_in_digits(told)?;
    let before = &told[..told.find(year)?];
    // `星历2077年` and `Year 2077` are of calendars of their own.
    let is_of_era = before.ends_with(is_han) || before.trim_end().to_ascii_lowercase().ends_with("year");
    Some(year).filter(|_| !is_of_era)
}

/// Returns the first number of four digits.
pub(super) fn year_in_digits(told: &str) -> Option<&str> {
    told.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 4)
}

#[cfg(test)]
mod tests {
    use super::{common_year, year_of};

    #[test]
    fn a_time_has_its_year() {
        for (told, year, common) in [
            ("万历二十年三月", Some("万历二十年"), None),
            ("November, 1977", Some("1977"), Some("1977")),
            ("2077-03-05 09:00", Some("2077"), Some("2077")),
            ("2019年1月16日", Some("2019年"), Some("2019")),
            ("星历2077年3月", Some("星历2077年"), None),
            ("Year 2077, Day 45", Some("2077"), None),
            ("Day 3", None, None),
            ("", None, None),
        ] {
            assert_eq!((year_of(told), common_year(told)), (year, common), "{told}");
        }
    }
}
