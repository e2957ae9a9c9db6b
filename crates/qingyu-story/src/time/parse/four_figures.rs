//! Clock times of four figures: `0540`, `1610`, `1610 hours`, `1610时`.

use super::cursor::TimeCursor;

/// Words after four figures that make them a clock time, the longer first.
const HOURS: [&str; 6] = [" hours", " hrs", "hours", "hrs", "h", "时"];

impl TimeCursor<'_> {
    /// Parses the hour and the minute of four figures. After a day they are no year.
    pub(super) fn four_figures(&mut self) -> Option<(i64, i64)> {
        let (value, length) = self.digits()?;
        let _ = self.eat_any(&HOURS);
        let (hour, minute) = (value / 100, value % 100);
        let ends = !self.rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "-/.:年月".contains(c));
        let is_clock = (hour < 24 && minute < 60) || value == 2400;
        (length == 4 && ends && is_clock).then_some((hour, minute))
    }

    /// Returns whether the words begin with four figures that may be a year: neither `0540` nor `1610 hours` nor `1610 on`.
    pub(super) fn begins_with_year(&self) -> bool {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &self.rest[length..];
        let is_hour =
            self.rest.starts_with('0') || after.starts_with(" on ") || HOURS.iter().any(|word| after.starts_with(word));
        length == 4 && !is_hour
    }
}
