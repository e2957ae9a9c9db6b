//! The calendar of the times of a story that name none: `四月十九`, `十五年五月初二`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::civil::DAY;
use super::lunar::{date_in_numerals, has_day, is_lunar, is_of_common_era, marked_at, open_day};
use super::lunar_words::{CALENDARS, CIVIL_MARKS, LUNAR_CALENDAR};
use super::moment::{Calendar, Moment};
use super::parse::{dated_days, hour_after_numbered_day, parse};
use super::short_year::{lacks_era, with_whole_year};
use super::spoken::CalendarDay;
use crate::Story;

/// The calendar of a story. A month and a day in Chinese numerals without `日` or `号` are of the lunar one if the story has a date
/// that is certainly lunar, or else of the civil one; a year without its era is one of the era of most times.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoryCalendar {
    is_lunar: bool,
    /// Whether most of its lunar dates name their calendar: `农历四月十九`.
    names_lunar: bool,
    /// The days that a story of lunar dates also writes as civil ones, with `日` or `号`.
    civil: BTreeSet<String>,
    /// A time of the era of most times, if one lacks its era; empty if none does.
    date: String,
    /// The day before `Day 1`, in days since 1970, if the story dates its numbered days.
    day_zero: Option<i64>,
}

impl StoryCalendar {
    /// Returns the calendar of a story by its world and the times of its events and cards.
    pub(crate) fn of(story: &Story) -> Self {
        let events = story.timeline_events.iter().map(|event| event.timestamp.as_str());
        let dates = story.characters.iter().flat_map(|card| [card.birth.as_deref(), card.death.as_deref()]);
        Self { day_zero: day_zero(story), ..Self::of_times(events.chain(dates.flatten())) }
    }

    fn of_times<'t>(times: impl Iterator<Item = &'t str> + Clone) -> Self {
        let date = if times.clone().any(lacks_era) { date_of_most(times.clone()) } else { String::new() };
        if !times.clone().any(is_of_common_era) {
            return Self { date, ..Self::default() };
        }
        let is_named = |time: &&str| CALENDARS.iter().any(|name| time.contains(name));
        let named = times.clone().filter(is_named).count();
        let plain = times.clone().filter(|time| is_lunar(time) && !is_named(time)).count();
        let civil = times.filter_map(civil_day).map(str::to_owned).collect();
        Self { is_lunar: true, names_lunar: named > plain, civil, date, ..Self::default() }
    }

    /// Returns a time whose day may be of both calendars with the mark of the one that it has in the story: `农历四月十九`,
    /// `四月十九日`, a year without its era as one of the story's era, and a numbered day as its date. Other times unchanged.
    pub(crate) fn mark<'t>(&self, time: &'t str) -> Cow<'t, str> {
        if let Some(dated) = self.numbered(time).and_then(|moment| in_date(time, &moment)) {
            return Cow::Owned(dated);
        }
        let whole = if lacks_era(time) { with_whole_year(&self.date, time) } else { None };
        match whole {
            Some(whole) => Cow::Owned(self.mark_day(&whole).into_owned()),
            None => self.mark_day(time),
        }
    }

    /// Returns the number of a day of the common calendar, given in days since 1970, from `Day 1` on, if the story numbers its days.
    pub(super) fn number_of(&self, day: i64) -> Option<i64> {
        Some(day - self.day_zero?).filter(|number| *number >= 1)
    }

    /// Returns a time of a numbered day on the common calendar, if the story says of which date it is.
    fn numbered(&self, time: &str) -> Option<Moment> {
        let shift = self.day_zero? * DAY;
        let moment = parse(time).moment().filter(|moment| moment.calendar == Calendar::Days)?;
        let calendar = Calendar::Era(String::new());
        Some(Moment { calendar, start: moment.start + shift, end: moment.end + shift })
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

    /// Returns a time in the form of the story's own ones: `三月十一` for `农历三月十一` in a story that reads the day so and mostly
    /// writes `三月初九`. Other times unchanged.
    pub(crate) fn in_own_form(&self, time: String) -> String {
        let Some(at) = time.find(LUNAR_CALENDAR).filter(|_| self.is_lunar && !self.names_lunar) else { return time };
        let plain = format!("{}{}", &time[..at], &time[at + LUNAR_CALENDAR.len()..]);
        let is_same = self.moment(&plain).is_some_and(|own| parse(&time).moment() == Some(own));
        if is_same { plain } else { time }
    }

    /// Returns the interval of a time of the story; `None` if the words are not understood. A day that its calendar does not have
    /// is one of either.
    pub(crate) fn moment(&self, time: &str) -> Option<Moment> {
        if let Some(dated) = self.numbered(time) {
            return Some(dated);
        }
        match self.mark(time) {
            Cow::Borrowed(time) => parse(time).moment(),
            Cow::Owned(marked) => parse(&marked).moment().or_else(|| parse(time).moment()),
        }
    }
}

/// Returns a time of a numbered day in the words of its date, which is `moment`: `2231-03-14 16:10` for `Day 412, 16:10`.
fn in_date(time: &str, moment: &Moment) -> Option<String> {
    let day = CalendarDay::of(moment)?.in_numbers()?;
    let dated = match moment.day()? {
        (_, (0, DAY)) => day,
        _ => format!("{day} {}", hour_after_numbered_day(time)?),
    };
    (parse(&dated).moment().as_ref() == Some(moment)).then_some(dated)
}

/// Returns the day before the first of a story's numbered days, in days since 1970, by most of the dates that its world, the
/// beginning of its outline and its events give to such days.
fn day_zero(story: &Story) -> Option<i64> {
    const MOST_NODES: usize = 30;
    let world = story.worldview.iter().flat_map(|world| {
        let rules = world.rules.iter().flat_map(|rule| [rule.statement.as_str(), rule.limit.as_str()]);
        [world.era.as_str(), world.summary.as_str()].into_iter().chain(rules)
    });
    let outline = story.outline_nodes.iter().take(MOST_NODES).map(|node| node.description.as_str());
    let events = story.timeline_events.iter().map(|event| event.timestamp.as_str());
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for (number, day) in world.chain(outline).chain(events).flat_map(dated_days) {
        *counts.entry(day - number).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    counts.into_iter().find(|(_, count)| count * 2 > all).map(|(day, _)| day)
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
    use serde_json::json;

    use super::{StoryCalendar, parse};
    use crate::Story;

    #[test]
    fn a_numbered_day_is_the_date_that_the_story_gives_it() {
        let of = |rule: &str, times: &[&str]| {
            let events: Vec<_> = times.iter().map(|time| json!({"title": "A", "timestamp": time})).collect();
            let story: Story = serde_json::from_value(json!({
                "worldview": {"rules": [{"name": "R", "statement": rule}]}, "timeline_events": events
            }))
            .unwrap();
            StoryCalendar::of(&story)
        };
        let rule = "Day 1 is 27 January 2230, so that Day 412 is Monday 14 March 2231.";
        for (calendar, time, expected) in [
            (of(rule, &[]), "Day 406", "2231-03-08"),
            (of(rule, &[]), "Day 412, 1610", "2231-03-14 16:10"),
            (of(rule, &[]), "Day 409, last Friday, at 23:20", "2231-03-11 23:20"),
            (of(rule, &[]), "Day 412, half past six", "2231-03-14 half past six"),
            (of("", &["Day 412, Monday 14 March 2231, 1610", "Day 409, 23:20"]), "Day 409, night", "2231-03-11 night"),
            (of("第1天是2230年1月27日。", &[]), "第412天夜里", "2231-03-14 夜里"),
            // The story does not date them, or not certainly, and `第二天` is the next day.
            (of("", &["Day 412"]), "Day 406", "Day 406"),
            (of("Day 1 is 27 January 2230. Day 2 is 27 January 2230.", &[]), "Day 3", "Day 3"),
            (of("第二天，2230年1月27日，船到了。", &[]), "第3天", "第3天"),
            (of("On Monday 14 March 2231 they left.", &[]), "Day 3", "Day 3"),
        ] {
            assert_eq!(calendar.moment(time), parse(expected).moment(), "{time}");
            assert_eq!(parse(&calendar.mark(time)).moment(), parse(expected).moment(), "{time}");
        }
    }

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
        let forms: [(&[&str], &str, &str); 5] = [
            (&["民国二十二年三月初九"], "民国二十二年农历三月十一，巳时", "民国二十二年三月十一，巳时"),
            (&["民国二十二年三月初九"], "民国二十二年三月初九，卯时", "民国二十二年三月初九，卯时"),
            (&["民国二十二年农历三月初九"], "民国二十二年农历三月十一", "民国二十二年农历三月十一"),
            // The story also writes the day as a civil one, or has no lunar date.
            (&["五月初三", "三月十一日"], "民国二十二年农历三月十一", "民国二十二年农历三月十一"),
            (&["1933年4月3日"], "民国二十二年农历三月十一", "民国二十二年农历三月十一"),
        ];
        for (times, time, expected) in forms {
            let calendar = StoryCalendar::of_times(times.iter().copied());
            assert_eq!(calendar.in_own_form(time.to_owned()), expected, "{times:?}");
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
