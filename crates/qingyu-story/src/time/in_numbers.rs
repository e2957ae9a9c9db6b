//! English times in numbers, as they stand beside others.

use super::civil::DAY;
use super::parse::parse;
use super::spoken::CalendarDay;

/// Returns an English time on a day of the common era in numbers: `1911-03-11` for `Saturday the eleventh of March, 1911`,
/// `1911-03-10 21:00` for `1911-03-10 nine at night`. `None` for other times, and for parts of a day.
pub fn in_numbers(told: &str) -> Option<String> {
    let moment = parse(told).moment().filter(|_| told.is_ascii())?;
    let day = CalendarDay::of(&moment)?.in_numbers()?;
    let (_, (from, until)) = moment.day()?;
    match (from, until) {
        (0, DAY) => Some(day),
        _ if moment.is_exact() => Some(format!("{day} {:02}:{:02}", from / 3600, from % 3600 / 60)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::in_numbers;

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
