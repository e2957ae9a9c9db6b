//! The one reader of times that are told from the time of their text.

use super::direction::TimeDirection;
use super::lunar::in_calendar_of;
use super::moment::Moment;
use super::parse::parse;
use super::partial::{dated_before, dated_in_year_before, dated_like, is_day_of_year, with_year};
use super::short_year::with_whole_year;
use super::spoken::{CalendarDay, in_digits};
use super::weekday::ToldWeekday;
use crate::names::fold;

/// The time of a text, from which it tells other times: `昨夜`, `Thursday at four`, `本月初三`, `November`.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimeAnchor {
    /// A time with a full date, as written; empty if there is none.
    date: String,
    /// The last time of the text before, as written; empty if it has none.
    before: String,
    /// The days of the text, in their order.
    days: Vec<Moment>,
}

impl TimeAnchor {
    /// Returns the anchor of a text with events at these times.
    pub(crate) fn of<'t>(times: impl IntoIterator<Item = &'t str>) -> Self {
        let mut anchor = Self::default();
        times.into_iter().for_each(|time| anchor.insert(time));
        anchor
    }

    /// Returns the same anchor of a text that follows one which ends at the time `before`.
    pub(crate) fn following(self, before: &str) -> Self {
        Self { before: before.trim().to_owned(), ..self }
    }

    /// Inserts the time of an event that the text tells as happening, and returns its day. A time before the first day of
    /// the text has no effect.
    pub(crate) fn advance(&mut self, time: &str) -> Option<CalendarDay> {
        let moment = parse(time).moment()?;
        let day = CalendarDay::of(&moment)?;
        let is_earlier = |first: &Moment| moment.begins_before(first) && CalendarDay::of(first).as_ref() != Some(&day);
        if self.days.first().is_some_and(is_earlier) {
            return None;
        }
        self.insert(time);
        Some(day)
    }

    /// Inserts the time of an event; a time without a day has no effect, or only gives the year.
    fn insert(&mut self, time: &str) {
        let Some(moment) = parse(time).moment() else { return };
        if self.date.is_empty() && moment.is_dated() {
            time.trim().clone_into(&mut self.date);
        }
        if CalendarDay::of(&moment).is_some() {
            self.days.push(moment);
            self.days.sort_by_key(Moment::bounds);
            self.days.dedup_by_key(|moment| CalendarDay::of(moment));
        }
    }

    /// Returns a time with a full date, as written; empty if there is none.
    pub(crate) fn date(&self) -> &str {
        &self.date
    }

    /// Returns the time that gives others their year: that of the text, or else of the one before.
    fn base(&self) -> &str {
        if self.date.is_empty() { &self.before } else { &self.date }
    }

    /// Iterates over the days of the text, the first one first.
    pub(crate) fn days(&self) -> impl Iterator<Item = CalendarDay> {
        self.days.iter().filter_map(CalendarDay::of)
    }

    /// Returns a time told on the day `from` as a date; words that the anchor does not date unchanged.
    ///
    /// A weekday is on the only day of the text that is one, or else lies in `direction` from `from`, if the words do not
    /// say in which week. The hour or the part of the day is kept. A lunar day is only dated by a lunar date or by one of
    /// the common era from 1900 to 2100, and a weekday only by the common calendar.
    pub(crate) fn read(&self, told: &str, from: Option<&CalendarDay>, direction: TimeDirection) -> String {
        let told = told.trim();
        // In a memory, `that night` is a night of the memory.
        let is_there = direction.is_memory() && told.starts_with(['当', '这']);
        let named = || from.filter(|_| !is_there)?.resolve(&told.replace('’', "'"));
        let marked = in_calendar_of(self.base(), told);
        let dated = with_whole_year(self.base(), &marked)
            .or_else(|| self.on_weekday(told, from, direction))
            .or_else(named)
            .unwrap_or_else(|| self.with_year(told, direction));
        in_digits(&dated)
    }

    fn on_weekday(&self, told: &str, from: Option<&CalendarDay>, direction: TimeDirection) -> Option<String> {
        let folded = fold(told);
        let named = ToldWeekday::read(&folded)?;
        if named.is_of_any_week() && !direction.is_memory() {
            let own: Vec<CalendarDay> = self.days().filter(|day| day.weekday() == Some(named.weekday)).collect();
            match own.as_slice() {
                [] => {}
                [day] => return day.in_day(0, named.rest, named.language),
                // Of two days of one name none is meant.
                _ => return None,
            }
        }
        let from = from?;
        let distance = named.distance(from.weekday()?, direction)?;
        from.in_day(distance, named.rest, named.language)
    }

    /// Returns a time without a year with the year that it has near the text, or before.
    fn with_year(&self, told: &str, direction: TimeDirection) -> String {
        match direction {
            TimeDirection::OtherYear => told.to_owned(),
            TimeDirection::Memory if is_day_of_year(told) => self.last_before(told),
            TimeDirection::Memory => told.to_owned(),
            TimeDirection::Before => dated_before(self.base(), &dated_like(self.base(), told)),
            TimeDirection::After | TimeDirection::Around | TimeDirection::Open => dated_like(self.base(), told),
        }
    }

    /// Returns a day of no year as the last such day that is not after the text, if its calendar says which.
    fn last_before(&self, told: &str) -> String {
        let last = self.days.last().cloned().or_else(|| parse(self.base()).moment());
        let is_past = |dated: &String| {
            let times = last.as_ref().zip(parse(dated).moment());
            times.is_some_and(|(own, date)| own.is_comparable(&date) && !own.is_before(&date))
        };
        let dates = [Some(with_year(self.base(), told)), dated_in_year_before(self.base(), told)];
        dates.into_iter().flatten().find(is_past).unwrap_or_else(|| told.to_owned())
    }
}

/// Returns whether a told time begins with a weekday: `Thursday at four`, `下周一`.
pub(crate) fn names_weekday(told: &str) -> bool {
    ToldWeekday::read(&fold(told)).is_some()
}

/// Returns a weekday in a week counted from the day of a memory as a date: `the last Sunday` before it. `None` for other
/// words, and if they do not say in which week.
pub(crate) fn weekday_of_memory(told: &str, day: &CalendarDay) -> Option<String> {
    let folded = fold(told);
    let named = ToldWeekday::read(&folded)?;
    let distance = named.counted_distance(day.weekday()?)?;
    day.in_day(distance, named.rest, named.language)
}

/// Returns whether a told time is a weekday counted from another day than the speaker's: `the last Sunday`.
pub(crate) fn is_weekday_of_other_day(told: &str) -> bool {
    ToldWeekday::read(&fold(told)).is_some_and(|named| named.is_of_other_day())
}

/// Returns whether a told time names a weekday that a date does not have.
pub(crate) fn is_other_weekday(date: &str, told: &str) -> bool {
    let folded = fold(told);
    let own = parse(date).moment().and_then(|moment| moment.weekday());
    ToldWeekday::read(&folded).zip(own).is_some_and(|(told, own)| told.weekday != own)
}

#[cfg(test)]
mod tests {
    use super::{TimeAnchor, TimeDirection, is_other_weekday, names_weekday, parse, weekday_of_memory};

    /// Returns the date of a time told on the first of `days`.
    fn read(days: &[&str], told: &str, direction: TimeDirection) -> String {
        let anchor = TimeAnchor::of(days.iter().copied());
        let first = anchor.days().next();
        anchor.read(told, first.as_ref(), direction)
    }

    #[test]
    fn a_weekday_lies_in_the_direction_of_what_is_told() {
        use TimeDirection::{After, Around, Before, Memory, Open};
        // 14 March 1978 was a Tuesday.
        for (told, direction, expected) in [
            ("Tuesday, three o'clock", Before, "1978-03-14 three o'clock"),
            ("on Thursday at four", Before, "1978-03-09 at four"),
            ("on Thursday at four", After, "1978-03-16 at four"),
            ("On Thursday", Around, "1978-03-16"),
            ("Saturday night", Around, "1978-03-11 night"),
            ("the night of Saturday", Before, "1978-03-11 night"),
            ("on the evening of last Friday", Before, "1978-03-10 evening"),
            ("Monday last", Before, "1978-03-13"),
            ("last Monday", After, "1978-03-13"),
            ("last Tuesday", Before, "1978-03-07"),
            ("next Friday", Before, "1978-03-17"),
            ("Tuesday next", Before, "1978-03-21"),
            ("Thursday week", Before, "1978-03-23"),
            ("this day week", Before, "1978-03-21"),
            ("Wednesday of last week", Before, "1978-03-08"),
            ("this Friday, at half past nine in the evening", Before, "1978-03-17 half past nine in the evening"),
            ("last Monday", Memory, "1978-03-13"),
            ("周三下午三点", Before, "1978年3月8日下午3点"),
            ("周三下午三点", After, "1978年3月15日下午3点"),
            ("礼拜二晚上", Before, "1978年3月14日晚上"),
            ("星期天", Around, "1978年3月12日"),
            ("上周三", Before, "1978年3月8日"),
            ("上个礼拜二晚上", Before, "1978年3月7日晚上"),
            ("下周一", Before, "1978年3月20日"),
            ("这周五上午九点", Before, "1978年3月17日上午9点"),
            ("下下个星期日", Before, "1978年4月2日"),
            // The last one before a day that is told of, which need not be the speaker's.
            ("the last Sunday", Before, "the last Sunday"),
            ("on the last Sunday", Memory, "on the last Sunday"),
            ("the next Friday", Memory, "the next Friday"),
            ("最后一个星期天", Memory, "最后一个星期天"),
            // Neither the words nor the direction say which one.
            ("Thursday", Open, "Thursday"),
            ("Thursday", Memory, "Thursday"),
            ("礼拜四", Memory, "礼拜四"),
            // No weekday of a date.
            ("every Thursday", Before, "every Thursday"),
            ("a Thursday in May", Before, "a Thursday in May"),
            ("Thursdays", Before, "Thursdays"),
            ("the Sunday before", Before, "the Sunday before"),
            ("每周三", Before, "每周三"),
            ("周三前后", Before, "周三前后"),
            ("上周", Before, "上周"),
            ("周一鸣", Before, "周一鸣"),
        ] {
            let dated = read(&["1978-03-14 09:00"], told, direction);
            assert_eq!(dated, expected, "{told} {direction:?}");
            assert_eq!(parse(&dated).moment().is_some(), expected != told, "{told}");
        }
        for days in [&[][..], &["万历二十三年三月初五"], &["第3天"], &["1978"]] {
            assert_eq!(read(days, "Thursday", TimeDirection::Before), "Thursday", "{days:?}");
        }
        assert!(names_weekday("Next Thursday at four") && names_weekday("下周一"));
        assert!(!names_weekday("three days later") && !names_weekday("周后"));
        assert!(
            is_other_weekday("1978-03-14 09:00", "Thursday at four") && is_other_weekday("1978年3月14日", "下周一")
        );
        assert!(!is_other_weekday("1978-03-14", "last Tuesday") && !is_other_weekday("1978-03", "Thursday"));
    }

    #[test]
    fn a_weekday_of_a_memory_is_counted_from_its_day() {
        // 28 February 1911 was a Tuesday.
        let day = |date: &str| TimeAnchor::of([date]).days().next().expect("it is a day");
        for (told, expected) in [
            ("the last Sunday", Some("1911-02-26")),
            ("on the last Sunday night", Some("1911-02-26 night")),
            ("last Tuesday", Some("1911-02-21")),
            ("the next Friday", Some("1911-03-03")),
            ("最后一个星期天", Some("1911年2月26日")),
            ("上个星期天晚上", Some("1911年2月26日晚上")),
            ("下个礼拜五", Some("1911年3月10日")),
            ("Sunday", None),
            ("星期天", None),
            ("the day before", None),
        ] {
            assert_eq!(weekday_of_memory(told, &day("1911-02-28")).as_deref(), expected, "{told}");
        }
        assert_eq!(weekday_of_memory("the last Sunday", &day("景和十七年八月初十")), None);
    }

    #[test]
    fn a_weekday_of_the_text_is_its_day() {
        let days = ["1978-03-18 21:00", "1978-03-19"];
        assert_eq!(read(&days, "Sunday at four", TimeDirection::Before), "1978-03-19 at four");
        assert_eq!(read(&days, "Sunday", TimeDirection::Open), "1978-03-19");
        let days = ["1978-03-12", "1978-03-19"];
        assert_eq!(read(&days, "Sunday", TimeDirection::Before), "Sunday", "of two days of one name none is meant");
    }

    #[test]
    fn a_month_is_counted_from_that_of_the_text() {
        for (day, told, expected) in [
            ("万历二十三年三月初五", "本月初三", "万历二十三年三月初三"),
            ("万历二十三年三月初五", "上月十五", "万历二十三年二月十五"),
            ("万历二十三年三月初五", "下个月初一夜里", "万历二十三年四月初一夜里"),
            ("万历二十三年正月初五", "上月廿三", "万历二十二年十二月廿三"),
            ("1934年10月10日", "本月3日", "1934年10月3日"),
            ("1934年10月10日", "上个月三十号傍晚", "1934年9月30号傍晚"),
            ("1934年1月10日", "上月", "1933年12月"),
            ("1978-03-14", "the third of this month", "third of March, 1978"),
            ("1978-01-14", "on the fifteenth of last month", "fifteenth of December, 1977"),
            ("1978-03-14", "the 3rd inst.", "3rd of March, 1978"),
            ("1978-03-14", "last month", "February 1978"),
            // A lunar day is counted in lunar months.
            ("1934年10月10日", "本月初三", "1934年九月初三"),
            ("民国十五年五月初九", "上月廿三夜里", "1926年四月廿三夜里"),
            // A day that is none, and what comes is not counted without a day.
            ("1934年10月10日", "本月三十五日", "本月三十五日"),
            ("1934年10月10日", "下月", "下月"),
            ("万历元年正月初五", "上月十五", "上月十五"),
            ("1978-03-14", "the end of last month", "the end of last month"),
        ] {
            assert_eq!(read(&[day], told, TimeDirection::Before), expected, "{day}: {told}");
        }
    }

    #[test]
    fn a_year_is_the_last_one_or_the_nearest() {
        use TimeDirection::{Around, Before, Memory, OtherYear};
        for (told, direction, expected) in [
            ("November", Before, "November, 1977"),
            ("November", Around, "November"),
            ("'thirteen", Memory, "1913"),
            ("March 5", Memory, "March 5, 1978"),
            ("December 3", Memory, "December 3, 1977"),
            ("December 3", OtherYear, "December 3"),
            ("last night", Memory, "1978-03-13 night"),
            ("yesterday at four o’clock", Before, "1978-03-13 four o'clock"),
        ] {
            assert_eq!(read(&["1978-03-14"], told, direction), expected, "{told} {direction:?}");
        }
        assert_eq!(read(&["1934年10月10日"], "当夜", TimeDirection::Memory), "当夜");
        let dated = read(&["1926年6月14日 17:00"], "十五年六月十六号，礼拜三，晚上七点", Before);
        assert_eq!(dated, "1926年6月16号，礼拜三，晚上7点");
        assert_eq!(read(&["万历二十年三月初五"], "十五年六月初九", Memory), "万历十五年六月初九");
        for (told, direction, expected) in [
            ("八三年五月九号，下午两点", OtherYear, "1983年5月9号，下午2点"),
            ("1983年五月九号下午两点", Memory, "1983年5月9号下午2点"),
            ("七九年二月", Memory, "1979年2月"),
            ("十月二十号礼拜四", Before, "1988年10月20号礼拜四"),
            ("前天礼拜五", Before, "1988年10月21日礼拜五"),
            ("礼拜日六点多", Before, "1988年10月23日6点多"),
            ("大前天夜里", Before, "1988年10月20日夜里"),
        ] {
            let dated = read(&["1988年10月23日"], told, direction);
            assert_eq!(dated, expected, "{told} {direction:?}");
            assert!(parse(&dated).moment().is_some(), "{dated}");
        }
    }

    #[test]
    fn a_lunar_day_is_one_beside_lunar_days() {
        use TimeDirection::{After, Before, Memory};
        for (day, told, direction, expected) in [
            ("民国十五年五月初九", "五月初十下午五点", After, "民国十五年五月初十下午五点"),
            ("民国十五年五月初九", "四月十九那天夜里", Before, "民国十五年农历四月十九那天夜里"),
            ("民国十五年五月初九", "四月十九", Memory, "民国十五年农历四月十九"),
            ("民国十五年五月初九", "十五年四月十九", Memory, "1926年农历四月十九"),
            ("民国十五年五月初九", "民国十四年闰四月初二", Memory, "民国十四年闰四月初二"),
            ("1926年6月18日", "五月初十", After, "1926年五月初十"),
            ("1926年6月18日", "正月十五", Before, "1926年正月十五"),
            ("1926年6月18日", "四月十九", Before, "1926年四月十九"),
        ] {
            let dated = read(&[day], told, direction);
            assert_eq!(dated, expected, "{day}: {told}");
            assert_eq!(parse(&dated).moment().is_some(), told != expected || told.contains('年'), "{dated}");
        }
    }

    #[test]
    fn a_text_without_a_date_has_the_year_of_the_one_before() {
        use TimeDirection::{After, Before, Memory};
        let mut anchor = TimeAnchor::default().following("1988年10月23日傍晚5点");
        for (told, direction, expected) in [
            ("十月三十号，礼拜日，早上八点", After, "1988年10月30号，礼拜日，早上8点"),
            ("十月三十号早上八点", Before, "1988年10月30号早上8点"),
            ("八三年五月", Memory, "1983年5月"),
            ("大前天夜里", Memory, "大前天夜里"),
        ] {
            assert_eq!(anchor.read(told, None, direction), expected, "{told} {direction:?}");
        }
        assert_eq!(anchor.date(), "", "it is no day of the text");
        let day = anchor.advance("1988年10月30号早上8点");
        assert_eq!(anchor.read("大前天夜里", day.as_ref(), Memory), "1988年10月27日夜里");
    }
}
