//! Converts days of the proleptic Gregorian calendar to numbers, for years of any size.

pub(super) const DAY: i64 = 86_400;

/// Returns the days from 1970-01-01 to the given day, which must exist.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the year containing the second.
pub(super) fn year_of(second: i64) -> i64 {
    let day = second.div_euclid(DAY);
    // At most one year off, because a year has at most 366 and on average 365.2425 days.
    let guess = 1970 + (day * 400).div_euclid(146_097);
    [guess + 1, guess].into_iter().find(|year| days(*year, 1, 1) <= day).unwrap_or(guess - 1)
}

/// Returns the year, the month and the day of a day as counted by [`days`].
pub(super) fn date_of(day: i64) -> (i64, i64, i64) {
    let year = year_of(day * DAY);
    let month = (1..=12).rev().find(|month| days(year, *month, 1) <= day).unwrap_or(1);
    (year, month, day - days(year, month, 1) + 1)
}

/// Returns the weekday of a day since the beginning of 1970, from 0 for Monday.
pub(super) fn weekday(day: i64) -> Option<usize> {
    // 1 January 1970 was a Thursday.
    usize::try_from((day + 3).rem_euclid(7)).ok()
}

/// Returns the number of days in a month; 0 if the month does not exist.
pub(super) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_has_its_first_and_its_last_second() {
        for year in [-4001, -400, -1, 0, 1, 4, 1600, 1899, 1969, 1970, 1999, 2000, 2077, 9999, 400_001] {
            let (first, next) = (days(year, 1, 1) * DAY, days(year + 1, 1, 1) * DAY);
            assert_eq!((year_of(first), year_of(next - 1)), (year, year));
        }
    }

    #[test]
    fn a_day_has_its_date() {
        for date in [(1934, 10, 9), (1934, 1, 1), (1932, 2, 29), (1899, 12, 31), (23, 3, 5), (-4, 2, 29)] {
            assert_eq!(date_of(days(date.0, date.1, date.2)), date);
        }
    }

    #[test]
    fn months_have_their_days() {
        let usual = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        assert_eq!(std::array::from_fn(|month| days_in_month(2077, month as i64 + 1)), usual);
        let february = [(2023, 28), (2024, 29), (2026, 28), (1900, 28), (2000, 29), (2100, 28), (-4, 29)];
        for (year, days) in february {
            assert_eq!(days_in_month(year, 2), days, "{year}");
        }
        assert_eq!((days_in_month(2077, 0), days_in_month(2077, 13)), (0, 0));
    }
}
