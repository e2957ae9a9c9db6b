//! The calendar of the times of a story that name none: `四月十九`, `十五年五月初二`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::lunar::{date_in_numerals, has_day, is_of_common_era, marked_at, open_day};
use super::lunar_words::CIVIL_MARKS;
use super::moment::{Calendar, Moment};
use super::parse::parse;
use super::short_year::{lacks_era, with_whole_year};
use crate::Story;

/// The calendar of a story. A month and a day in Chinese numerals without `日` or `号` are of the lunar one if the story has a date
/// that is certainly lunar, or else of the civil one; a year without its era is one of the era of most times.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoryCalendar {
    is_lunar: bool,
    /// The days that a story of lunar dates also writes as civil ones, with `日` or `号`.
    civil: BTreeSet<String>,
    /// A time of the era of most times, if one lacks its era; empty if none does.
    date: String,
}

impl StoryCalendar {
    /// Returns the calendar of a story by the times of its events and cards.
    pub(crate) fn of(story: &Story) -> Self {
        let events = story.timeline_events.iter().map(|event| event.timestamp.as_str());
        let dates = story.characters.iter().flat_map(|card| [card.birth.as_deref(), card.death.as_deref()]);
        Self::of_times(events.chain(dates.flatten()))
    }

    fn of_times<'t>(times: impl Iterator<Item = &'t str> + Clone) -> Self {
        let date = if times.clone().any(lacks_era) { date_of_most(times.clone()) } else { String::new() };
        if !times.clone().any(is_of_common_era) {
            return Self { date, ..Self::default() };
        }
        Self { is_lunar: true, civil: times.filter_map(civil_day).map(str::to_owned).collect(), date }
    }

    /// Returns a time whose day may be of both calendars with the mark of the one that it has in the story: `农历四月十九`,
    /// `四月十九日`, and a year without its era as one of the story's era. Other times unchanged.
    pub(crate) fn mark<'t>(&self, time: &'t str) -> Cow<'t, str> {
        let whole = if lacks_era(time) { with_whole_year(&self.date, time) } else { None };
        match whole {
            Some(whole) => Cow::Owned(self.mark_day(&whole).into_owned()),
            None => self.mark_day(time),
        }
    }

    fn mark_day<'t>(&self, time: &'t str) -> Cow<'t, str> {
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
        match self.mark(time) {
            Cow::Borrowed(time) => parse(time).moment(),
            Cow::Owned(marked) => parse(&marked).moment().or_else(|| parse(time).moment()),
        }
    }
}

/// Returns the first time of the era that most of the times name; empty if none names one.
fn date_of_most<'t>(times: impl Iterator<Item = &'t str>) -> String {
    let mut counts: BTreeMap<Calendar, (usize, &'t str)> = BTreeMap::new();
    for time in times.filter(|time| !lacks_era(time)) {
        if let Some(moment) = parse(time).moment().filter(Moment::is_dated) {
            counts.entry(moment.calendar).or_insert((0, time)).0 += 1;
        }
    }
    let most = counts.into_values().max_by_key(|(count, _)| *count);
    most.map(|(_, time)| time.to_owned()).unwrap_or_default()
}

/// Returns the month and the day of a civil date in Chinese numerals: `四月十九` of `四月十九日`.
fn civil_day(time: &str) -> Option<&str> {
    let range = date_in_numerals(time)?;
    let (date, rest) = (&time[range.clone()], &time[range.end..]);
    (has_day(date) && rest.starts_with(CIVIL_MARKS)).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::{StoryCalendar, parse};

    #[test]
    fn a_day_of_either_calendar_is_of_that_of_the_story() {
        let cases: [(&[&str], &str, &str); 14] = [
            (&["民国十五年五月初三"], "民国十五年四月十九 20:00", "1926-05-30 20:00"),
            (&["民国十五年四月十九", "五月初三"], "民国十五年四月十九夜里", "1926-05-30 夜里"),
            (&["1926年5月1日", "腊月"], "1926年四月十九那天夜里", "1926-05-30 夜里"),
            (&["民国十五年五月初三", "四月十九日"], "民国十五年四月十九", "1926-04-19"),
            (&["1926年5月1日"], "民国十五年四月十九 20:00", "1926-04-19 20:00"),
            (&["万历二十三年三月初五"], "民国十五年四月十九", "1926-04-19"),
            (&[], "民国十五年四月十九夜里", "1926-04-19 夜里"),
            // A year without its era.
            (&["宣统三年", "民国十五年五月初三", "民国八年", "十五年"], "十五年五月初二 17:00", "1926-06-11 17:00"),
            (&["1926年6月1日", "15年6月2日"], "15年6月2日", "1926-06-02"),
            (&["万历二十年三月初五", "十五年六月初九"], "十五年六月初九", "万历十五年六月初九"),
            (&["2024年6月1日", "十五年六月初九"], "十五年六月初九", "十五年六月初九"),
            // Times of one calendar.
            (&["民国十五年五月初三"], "民国十五年四月十九日", "1926-04-19"),
            (&["五月初三"], "1926-04-19 20:00", "1926-04-19 20:00"),
            (&[], "民国十五年五月初三", "1926-06-12"),
        ];
        for (times, time, expected) in cases {
            let calendar = StoryCalendar::of_times(times.iter().copied());
            assert_eq!(calendar.moment(time), parse(expected).moment(), "{times:?}: {time}");
            assert!(calendar.moment(time).is_some(), "{time}");
        }
        let lunar = StoryCalendar::of_times(["五月初三"].into_iter());
        assert_eq!(lunar.mark("万历二十三年四月十九"), "万历二十三年四月十九");
        assert_eq!(lunar.mark("四月十九"), "农历四月十九");
        assert_eq!(lunar.mark("民国十五年四月"), "民国十五年四月");
        assert_eq!(StoryCalendar::default().mark("四月十九下午"), "四月十九日下午");
        // A short month has no thirtieth: the day is of either calendar.
        assert!(lunar.moment("民国十五年四月三十").is_some());
    }
}
