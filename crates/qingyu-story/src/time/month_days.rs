//! The calendar of the days of a story that may be of both: `四月十九`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::lunar::{is_of_common_era, marked_at, open_day};
use super::moment::Moment;
use super::parse::parse;
use crate::Story;
use crate::numerals::is_plain_numeral;

/// The calendar of a month and a day in Chinese numerals without `日` or `号` in a story: the lunar one if the story has a date
/// that is certainly lunar, or else the civil one.
#[derive(Debug, Clone, Default)]
pub(crate) struct MonthDays {
    is_lunar: bool,
    /// The days that a story of lunar dates also writes as civil ones, with `日` or `号`.
    civil: BTreeSet<String>,
}

impl MonthDays {
    /// Returns the calendar of a story by the times of its events and cards.
    pub(crate) fn of(story: &Story) -> Self {
        let events = story.timeline_events.iter().map(|event| event.timestamp.as_str());
        let dates = story.characters.iter().flat_map(|card| [card.birth.as_deref(), card.death.as_deref()]);
        Self::of_times(events.chain(dates.flatten()))
    }

    fn of_times<'t>(times: impl Iterator<Item = &'t str> + Clone) -> Self {
        if !times.clone().any(is_of_common_era) {
            return Self::default();
        }
        Self { is_lunar: true, civil: times.filter_map(civil_day).map(str::to_owned).collect() }
    }

    /// Returns a time whose day may be of both calendars with the mark of the one that it has in the story: `农历四月十九`,
    /// `四月十九日`. Other times unchanged.
    pub(crate) fn mark<'t>(&self, time: &'t str) -> Cow<'t, str> {
        let Some(day) = open_day(time) else { return Cow::Borrowed(time) };
        // The days of `万历二十三年` are of its calendar.
        if parse(time).moment().is_some_and(|moment| moment.day().is_some()) {
            return Cow::Borrowed(time);
        }
        if self.is_lunar && !self.civil.contains(&time[day.clone()]) {
            return Cow::Owned(marked_at(time, day.start));
        }
        Cow::Owned(format!("{}日{}", &time[..day.end], &time[day.end..]))
    }

    /// Returns the interval of a time of the story; `None` if the words are not understood. A day that its calendar does not have
    /// is one of either.
    pub(crate) fn moment(&self, time: &str) -> Option<Moment> {
        parse(&self.mark(time)).moment().or_else(|| parse(time).moment())
    }
}

/// Returns the month and the day of a civil date in Chinese numerals: `四月十九` of `四月十九日`.
fn civil_day(time: &str) -> Option<&str> {
    let (before, after) = time.split_once('月')?;
    let start = before.trim_end_matches(is_plain_numeral).len();
    let rest = after.trim_start_matches(is_plain_numeral);
    let is_day = start < before.len() && rest.len() < after.len() && rest.starts_with(['日', '号', '號']);
    is_day.then(|| &time[start..time.len() - rest.len()])
}

#[cfg(test)]
mod tests {
    use super::{MonthDays, parse};

    #[test]
    fn a_day_of_either_calendar_is_of_that_of_the_story() {
        let cases: [(&[&str], &str, &str); 10] = [
            (&["民国十五年五月初三"], "民国十五年四月十九 20:00", "1926-05-30 20:00"),
            (&["民国十五年四月十九", "五月初三"], "民国十五年四月十九夜里", "1926-05-30 夜里"),
            (&["1926年5月1日", "腊月"], "1926年四月十九那天夜里", "1926-05-30 夜里"),
            (&["民国十五年五月初三", "四月十九日"], "民国十五年四月十九", "1926-04-19"),
            (&["1926年5月1日"], "民国十五年四月十九 20:00", "1926-04-19 20:00"),
            (&["万历二十三年三月初五"], "民国十五年四月十九", "1926-04-19"),
            (&[], "民国十五年四月十九夜里", "1926-04-19 夜里"),
            // Times of one calendar.
            (&["民国十五年五月初三"], "民国十五年四月十九日", "1926-04-19"),
            (&["五月初三"], "1926-04-19 20:00", "1926-04-19 20:00"),
            (&[], "民国十五年五月初三", "1926-06-12"),
        ];
        for (times, time, expected) in cases {
            let calendar = MonthDays::of_times(times.iter().copied());
            assert_eq!(calendar.moment(time), parse(expected).moment(), "{times:?}: {time}");
            assert!(calendar.moment(time).is_some(), "{time}");
        }
        let lunar = MonthDays::of_times(["五月初三"].into_iter());
        assert_eq!(lunar.mark("万历二十三年四月十九"), "万历二十三年四月十九");
        assert_eq!(lunar.mark("四月十九"), "农历四月十九");
        assert_eq!(lunar.mark("民国十五年四月"), "民国十五年四月");
        assert_eq!(MonthDays::default().mark("四月十九下午"), "四月十九日下午");
        // A short month has no thirtieth: the day is of either calendar.
        assert!(lunar.moment("民国十五年四月三十").is_some());
    }
}
