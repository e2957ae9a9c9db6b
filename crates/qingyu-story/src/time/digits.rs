//! Dates in digits.

use super::civil::DAY;
use super::moment::Moment;
use super::parse::parse;
use super::partial::with_year;
use super::spoken::CalendarDay;

/// Returns a told time in the form of a planned one in digits, `1898-06-09 10:00`, with the planned year if it has none.
/// `None` if the planned time has another form, or if the told one is neither a whole day nor a time of the clock.
pub(crate) fn in_digits_like(planned: &str, told: &str) -> Option<String> {
    if !is_in_digits(planned) {
        return None;
    }
    day_or_minute(&parse(&with_year(planned, told)).moment()?)
}

/// Returns an English time on a day of the common era in numbers: `1911-03-11` for `Saturday the eleventh of March, 1911`,
/// `1911-03-10 21:00` for `1911-03-10 nine at night`. `None` for other times, and for parts of a day.
pub fn in_numbers(told: &str) -> Option<String> {
    day_or_minute(&parse(told).moment().filter(|_| told.is_ascii())?)
}

/// Returns a whole day or a minute of the common era in digits; `None` for other times.
fn day_or_minute(moment: &Moment) -> Option<String> {
    let day = CalendarDay::of(moment)?.in_numbers()?;
    let (_, (from, until)) = moment.day()?;
    match (from, until) {
        (0, DAY) => Some(day),
        _ if moment.is_exact() => Some(format!("{day} {:02}:{:02}", from / 3600, from % 3600 / 60)),
        _ => None,
    }
}

/// Returns whether a time has the form `1898-06-08` or `1898-06-08 10:00`.
fn is_in_digits(time: &str) -> bool {
    let time = time.trim();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | ' ');
    time.starts_with(|c: char| c.is_ascii_digit()) && time.matches('-').count() == 2 && time.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::{in_digits_like, in_numbers};

    #[test]
    fn a_told_day_takes_the_form_of_the_plan() {
        for (planned, told, expected) in [
            ("1898-06-08 10:00", "Thursday the ninth of June, at ten in the morning", Some("1898-06-09 10:00")),
            ("1898-06-08", "June 9", Some("1898-06-09")),
            ("2077-03-05 22:00", "3月6日", Some("2077-03-06")),
            ("2077-03-05 22:00", "三月初六", Some("2077-03-29")),
            ("2077-03-05 22:00", "三月十六", None),
            ("2077年3月5日", "3月6日", None),
            ("景和十七年八月初二", "八月十二", None),
            ("1898-06-08 10:00", "the next day", None),
        ] {
            assert_eq!(in_digits_like(planned, told).as_deref(), expected, "{planned}: {told}");
        }
    }

    #[test]
    fn a_day_or_an_hour_is_in_numbers() {
        for (told, expected) in [
            ("Saturday the eleventh of March, 1911", Some("1911-03-11")),
            ("March 5, 2077", Some("2077-03-05")),
            ("1911-03-10 nine at night", Some("1911-03-10 21:00")),
            ("1911-03-11 07:30", Some("1911-03-11 07:30")),
            ("1911-03-10 night", None),
            ("March, 1911", None),
            ("1911年3月11日", None),
            ("Day 3, 14:00", None),
            ("last night", None),
            ("", None),
        ] {
            assert_eq!(in_numbers(told).as_deref(), expected, "{told}");
        }
    }
}
