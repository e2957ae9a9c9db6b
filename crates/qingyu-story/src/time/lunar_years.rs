//! Converts days of the Chinese lunar calendar from 1900 to 2100.

use crate::time::civil;

/// The first year of the table.
const FIRST_YEAR: i64 = 1900;

/// The lunar years from 1900 to 2100. Bits 15 to 4 are the months from the first to the twelfth, set for 30 days and clear for
/// 29; bits 3 to 0 are the number of the month that a leap month follows, 0 for none; bit 16 is set if the leap month has 30
/// days.
///
/// The table of the Hong Kong Observatory's conversion tables in the form in which most calendar programs publish it. Where the
/// published copies differ (1954, 1956, 1978, 1996, 2033, 2057, 2060), the one is taken whose months begin on the days of the
/// new moons (Meeus, Astronomical Algorithms, chapter 49).
#[rustfmt::skip]
const YEARS: [u32; 201] = [
    0x04bd8, 0x04ae0, 0x0a570, 0x054d5, 0x0d260, 0x0d950, 0x16554, 0x056a0, 0x09ad0, 0x055d2,
    0x04ae0, 0x0a5b6, 0x0a4d0, 0x0d250, 0x1d255, 0x0b540, 0x0d6a0, 0x0ada2, 0x095b0, 0x14977,
    0x04970, 0x0a4b0, 0x0b4b5, 0x06a50, 0x06d40, 0x1ab54, 0x02b60, 0x09570, 0x052f2, 0x04970,
    0x06566, 0x0d4a0, 0x0ea50, 0x06e95, 0x05ad0, 0x02b60, 0x186e3, 0x092e0, 0x1c8d7, 0x0c950,
    0x0d4a0, 0x1d8a6, 0x0b550, 0x056a0, 0x1a5b4, 0x025d0, 0x092d0, 0x0d2b2, 0x0a950, 0x0b557,
    0x06ca0, 0x0b550, 0x15355, 0x04da0, 0x0a5b0, 0x14573, 0x052b0, 0x0a9a8, 0x0e950, 0x06aa0,
    0x0aea6, 0x0ab50, 0x04b60, 0x0aae4, 0x0a570, 0x05260, 0x0f263, 0x0d950, 0x05b57, 0x056a0,
    0x096d0, 0x04dd5, 0x04ad0, 0x0a4d0, 0x0d4d4, 0x0d250, 0x0d558, 0x0b540, 0x0b6a0, 0x195a6,
    0x095b0, 0x049b0, 0x0a974, 0x0a4b0, 0x0b27a, 0x06a50, 0x06d40, 0x0af46, 0x0ab60, 0x09570,
    0x04af5, 0x04970, 0x064b0, 0x074a3, 0x0ea50, 0x06b58, 0x05ac0, 0x0ab60, 0x096d5, 0x092e0,
    0x0c960, 0x0d954, 0x0d4a0, 0x0da50, 0x07552, 0x056a0, 0x0abb7, 0x025d0, 0x092d0, 0x0cab5,
    0x0a950, 0x0b4a0, 0x0baa4, 0x0ad50, 0x055d9, 0x04ba0, 0x0a5b0, 0x15176, 0x052b0, 0x0a930,
    0x07954, 0x06aa0, 0x0ad50, 0x05b52, 0x04b60, 0x0a6e6, 0x0a4e0, 0x0d260, 0x0ea65, 0x0d530,
    0x05aa0, 0x076a3, 0x096d0, 0x04afb, 0x04ad0, 0x0a4d0, 0x1d0b6, 0x0d250, 0x0d520, 0x0dd45,
    0x0b5a0, 0x056d0, 0x055b2, 0x049b0, 0x0a577, 0x0a4b0, 0x0aa50, 0x1b255, 0x06d20, 0x0ada0,
    0x14b63, 0x09370, 0x049f8, 0x04970, 0x064b0, 0x168a6, 0x0ea50, 0x06b20, 0x1a6c4, 0x0aae0,
    0x092e0, 0x0d2e3, 0x0c960, 0x0d557, 0x0d4a0, 0x0da50, 0x05d55, 0x056a0, 0x0a6d0, 0x055d4,
    0x052d0, 0x0a9b8, 0x0a950, 0x0b4a0, 0x0b6a6, 0x0ad50, 0x055a0, 0x0aba4, 0x0a5b0, 0x052b0,
    0x0b273, 0x06930, 0x07337, 0x06aa0, 0x0ad50, 0x14b55, 0x04b60, 0x0a570, 0x054e4, 0x0d160,
    0x0e968, 0x0d520, 0x0daa0, 0x16aa6, 0x056d0, 0x04ae0, 0x0a9d4, 0x0a2d0, 0x0d150, 0x0f252,
    0x0d520,
];

/// A day of the lunar calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::time) struct LunarDay {
    /// The year of the common era in which the lunar year begins.
    pub(in crate::time) year: i64,
    pub(in crate::time) month: i64,
    pub(in crate::time) is_leap: bool,
    pub(in crate::time) day: i64,
}

impl LunarDay {
    /// Returns the lunar day of a civil day as counted by [`civil::days`]; `None` outside of the table.
    pub(in crate::time) fn of(civil_day: i64) -> Option<Self> {
        let mut rest = civil_day - first_day();
        if rest < 0 {
            return None;
        }
        for (year, word) in (FIRST_YEAR..).zip(YEARS) {
            for (month, is_leap, length) in months(word) {
                if rest < length {
                    return Some(Self { year, month, is_leap, day: rest + 1 });
                }
                rest -= length;
            }
        }
        None
    }

    /// Returns the first day of the month at a distance in months, leap months counted; `None` outside of the table.
    pub(in crate::time) fn month_at(self, shift: i64) -> Option<Self> {
        let mut first = Self { day: 1, ..self };
        for _ in 0..shift.abs() {
            let (begin, length) = month_of(first.year, first.month, first.is_leap)?;
            let other = Self::of(if shift < 0 { begin - 1 } else { begin + length })?;
            first = Self { day: 1, ..other };
        }
        Some(first)
    }
}

/// Returns whether the table has a lunar year.
pub(in crate::time) fn has_year(year: i64) -> bool {
    word(year).is_some()
}

/// Returns the first civil day of a lunar year, as counted by [`civil::days`], and its number of days; `None` outside of the
/// table.
pub(in crate::time) fn year_of(year: i64) -> Option<(i64, i64)> {
    let own = word(year)?;
    let before = (FIRST_YEAR..year).zip(YEARS).map(|(_, word)| days_of(word));
    Some((first_day() + before.sum::<i64>(), days_of(own)))
}

/// Returns the first civil day of a lunar month, as counted by [`civil::days`], and its number of days; `None` outside of the
/// table, and for a leap month that the year does not have.
pub(in crate::time) fn month_of(year: i64, month: i64, is_leap: bool) -> Option<(i64, i64)> {
    let (mut first, _) = year_of(year)?;
    for (number, leap, length) in months(word(year)?) {
        if (number, leap) == (month, is_leap) {
            return Some((first, length));
        }
        first += length;
    }
    None
}

fn word(year: i64) -> Option<u32> {
    YEARS.get(usize::try_from(year - FIRST_YEAR).ok()?).copied()
}

/// Returns the civil day with which the first year of the table begins: 31 January 1900.
fn first_day() -> i64 {
    civil::days(FIRST_YEAR, 1, 31)
}

/// Iterates over the months of a year: the number, whether it is the leap month, and the number of days.
fn months(word: u32) -> impl Iterator<Item = (i64, bool, i64)> {
    let length = move |bit: u32| if word & bit == 0 { 29 } else { 30 };
    let (leap, leap_length) = (word & 0xf, length(0x1_0000));
    (1..=12_u32).flat_map(move |month| {
        let own = [(i64::from(month), false, length(0x1_0000 >> month))];
        own.into_iter().chain((month == leap).then_some((i64::from(month), true, leap_length)))
    })
}

fn days_of(word: u32) -> i64 {
    months(word).map(|(.., length)| length).sum()
}

#[cfg(test)]
mod tests {
    use super::{LunarDay, has_year, month_of, year_of};
    use crate::time::civil::{date_of, days};

    #[test]
    fn a_lunar_day_is_a_civil_day() {
        for ((year, month, is_leap, day), (civil_year, civil_month, civil_day)) in [
            ((1900, 1, false, 1), (1900, 1, 31)),
            ((1900, 8, true, 1), (1900, 9, 24)),
            ((1911, 8, false, 19), (1911, 10, 10)),
            ((1925, 4, true, 2), (1925, 5, 23)),
            ((1926, 5, false, 9), (1926, 6, 18)),
            ((1926, 12, false, 23), (1927, 1, 26)),
            ((1937, 5, false, 29), (1937, 7, 7)),
            ((1949, 8, false, 10), (1949, 10, 1)),
            ((1996, 6, false, 1), (1996, 7, 16)),
            ((2018, 12, false, 11), (2019, 1, 16)),
            ((2023, 2, true, 1), (2023, 3, 22)),
            ((2024, 1, false, 1), (2024, 2, 10)),
            ((2024, 1, false, 15), (2024, 2, 24)),
            ((2033, 11, true, 1), (2033, 12, 22)),
            ((2100, 12, false, 29), (2101, 1, 28)),
        ] {
            let civil = days(civil_year, civil_month, civil_day);
            let (first, length) = month_of(year, month, is_leap).unwrap();
            assert!(day <= length);
            assert_eq!(date_of(first + day - 1), (civil_year, civil_month, civil_day));
            assert_eq!(LunarDay::of(civil), Some(LunarDay { year, month, is_leap, day }));
        }
        assert_eq!(month_of(1926, 4, true), None, "there was no such month");
        assert_eq!(month_of(1926, 13, false), None);
        assert_eq!(LunarDay::of(days(1900, 1, 30)), None);
        assert_eq!(LunarDay::of(days(2101, 1, 29)), None);
        assert!(has_year(1900) && has_year(2100) && !has_year(1899) && !has_year(2101));
    }

    #[test]
    fn years_follow_each_other_without_a_gap() {
        for year in 1900..2100 {
            let ((first, length), (next, _)) = (year_of(year).unwrap(), year_of(year + 1).unwrap());
            assert_eq!(first + length, next, "{year}");
            assert!((353..=355).contains(&length) || (383..=385).contains(&length), "{year}: {length}");
            let (civil, month, _) = date_of(first);
            assert_eq!((civil, month <= 2), (year, true), "a lunar year begins in January or February");
        }
    }

    #[test]
    fn a_month_is_counted_with_leap_months() {
        let day = LunarDay { year: 1925, month: 5, is_leap: false, day: 9 };
        for (shift, expected) in
            [(0, (1925, 5, false)), (-1, (1925, 4, true)), (-2, (1925, 4, false)), (8, (1926, 1, false))]
        {
            let month = day.month_at(shift).map(|first| (first.year, first.month, first.is_leap));
            assert_eq!(month, Some(expected), "{shift}");
        }
    }
}
