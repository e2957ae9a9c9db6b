//! Dates in digits.

use super::civil::{DAY, date_of};
use super::moment::Calendar;
use super::parse::parse;
use super::partial::with_year;

/// Returns a told time in the form of a planned one in digits, `1898-06-09 10:00`, with the planned year if it has none.
/// `None` if the planned time has another form, or if the told one is neither a whole day nor a time of the clock.
pub(crate) fn in_digits_like(planned: &str, told: &str) -> Option<String> {
    if !is_in_digits(planned) {
        return None;
    }
    let moment = parse(&with_year(planned, told)).moment()?;
    if !matches!(&moment.calendar, Calendar::Era(era) if era.is_empty()) {
        return None;
    }
    let (year, month, day) = date_of(moment.start.div_euclid(DAY));
    let date = format!("{year:04}-{month:02}-{day:02}");
    let minutes = moment.start.rem_euclid(DAY) / 60;
    match moment.seconds() {
        DAY if minutes == 0 => Some(date),
        0..=60 => Some(format!("{date} {:02}:{:02}", minutes / 60, minutes % 60)),
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
    use super::in_digits_like;

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
}
