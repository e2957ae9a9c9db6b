//! The points of events, births and deaths, and their certain order.

use std::sync::OnceLock;

use super::said::BoundSource;
use crate::time::moment::{Calendar, Moment};
use crate::time::network::{Contradiction, Limit, Network, TimePoint};

/// The temporal network of a story, with points indexed by the positions of events and cards.
#[derive(Debug, Clone)]
pub(crate) struct Chronology<'s> {
    pub(super) network: Network<BoundSource<'s>>,
    pub(super) events: Vec<Option<EventPoints>>,
    pub(super) births: Vec<TimePoint>,
    pub(super) deaths: Vec<TimePoint>,
    pub(super) calendars: Vec<(Calendar, TimePoint)>,
    pub(super) windows: OnceLock<Vec<CalendarLimits>>,
}

/// The network points of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventPoints {
    /// The beginning of the event.
    pub(crate) start: TimePoint,
    /// The end of the event.
    pub(crate) end: TimePoint,
    /// The start of the event's day in story terms: for the small hours of a night, the previous day.
    pub(super) day: TimePoint,
    /// Whether the event states a duration.
    pub(super) lasts: bool,
}

/// The earliest and latest second of a point on a calendar; `None` is unbounded.
pub(crate) type SecondsRange = (Option<i64>, Option<i64>);

/// The least and greatest distance of each point from a calendar's origin.
#[derive(Debug, Clone)]
pub(super) struct CalendarLimits {
    until: Vec<Option<Limit>>,
    after: Vec<Option<Limit>>,
}

impl<'s> Chronology<'s> {
    /// Returns the points of the event at `position`, or `None` if the event is outside story time.
    pub(crate) fn event(&self, position: usize) -> Option<EventPoints> {
        self.events[position]
    }

    /// Returns the birth point of the character at `position`.
    pub(crate) fn birth(&self, position: usize) -> TimePoint {
        self.births[position]
    }

    /// Returns the death point of the character at `position`.
    pub(crate) fn death(&self, position: usize) -> TimePoint {
        self.deaths[position]
    }

    /// Returns the contradictions between times, ordered by source.
    pub(crate) fn contradictions(&self) -> &[Contradiction<BoundSource<'s>>] {
        self.network.contradictions()
    }

    /// Returns whether the first event is certainly over before the second begins.
    pub(crate) fn is_over_before(&self, first: usize, second: usize) -> bool {
        let (Some(first), Some(second)) = (self.events[first], self.events[second]) else { return false };
        self.is_ordered(first.end, second.start)
    }

    /// Returns whether the first point is certainly not after the second.
    pub(crate) fn is_ordered(&self, first: TimePoint, second: TimePoint) -> bool {
        let on = |windows: &CalendarLimits| {
            let (latest, earliest) = (windows.after[first.index()], windows.until[second.index()]);
            latest.zip(earliest).is_some_and(|(latest, until)| latest + until <= Limit::default())
        };
        // Relations without dates can follow from chains which avoid all calendar origins.
        self.windows().iter().any(on) || self.network.is_ordered_beside(first, second, &self.origins())
    }

    /// Returns the greatest certain distance from `from` to `to`.
    pub(crate) fn most(&self, from: TimePoint, to: TimePoint) -> Option<Limit> {
        let by_dates =
            self.windows().iter().filter_map(|windows| Some(windows.until[from.index()]? + windows.after[to.index()]?));
        by_dates.chain(self.network.most_beside(from, to, &self.origins())).min()
    }

    /// Returns the known range of `point` on each of its calendars.
    pub(crate) fn stretches(&self, point: TimePoint) -> impl Iterator<Item = (&Calendar, SecondsRange)> {
        let seconds = |limit: Option<Limit>| limit.map(Limit::seconds);
        let known = move |(calendar, (least, most)): (_, (_, _))| (calendar, (seconds(least), seconds(most)));
        self.limits(point).map(known).filter(|(_, stretch)| *stretch != (None, None))
    }

    /// Returns the least and greatest distance of `point` from each calendar's origin.
    pub(in crate::time) fn limits(
        &self,
        point: TimePoint,
    ) -> impl Iterator<Item = (&Calendar, (Option<Limit>, Option<Limit>))> {
        let known = move |windows: &CalendarLimits| {
            (windows.until[point.index()].map(|until| -until), windows.after[point.index()])
        };
        self.calendars.iter().zip(self.windows()).map(move |((calendar, _), windows)| (calendar, known(windows)))
    }

    /// Returns a time for `point` from a schedule satisfying every active bound.
    pub(in crate::time) fn possible(&self, point: TimePoint) -> Limit {
        self.network.possible(point)
    }

    /// Returns the moment certainly containing `point` on the calendar of `like`, or `None` if unbounded on either
    /// side.
    pub(crate) fn moment_like(&self, point: TimePoint, like: &Moment) -> Option<Moment> {
        self.limits(point).filter(|(calendar, _)| **calendar == like.calendar).find_map(stretch).filter(is_closed)
    }

    /// Returns the beginning of each event: the stated time or bounds derived from other times.
    pub(crate) fn beginnings(&self, times: Vec<Option<Moment>>) -> Vec<EventBeginning> {
        let follows = |points: EventPoints| {
            let mut within: Vec<Moment> = self.limits(points.start).filter_map(stretch).collect();
            // Sorted, so the choice between calendars is deterministic.
            within.sort_by(|one, other| one.calendar.cmp(&other.calendar));
            match within.iter().position(is_closed) {
                Some(known) => (Some(within.swap_remove(known)), Vec::new()),
                None => (None, within),
            }
        };
        let beginning = |(position, time): (usize, Option<Moment>)| {
            let points = self.events.get(position).copied().flatten();
            let (moment, within) = match (time, points) {
                (None, Some(points)) => follows(points),
                (time, _) => (time, Vec::new()),
            };
            let lasting = points.filter(|points| points.lasts).into_iter();
            let ends = lasting.flat_map(|points| self.limits(points.end).filter_map(stretch)).collect();
            EventBeginning { moment, within, ends }
        };
        times.into_iter().enumerate().map(beginning).collect()
    }

    fn windows(&self) -> &[CalendarLimits] {
        self.windows.get_or_init(|| {
            let windows = |(_, origin): &(Calendar, TimePoint)| CalendarLimits {
                until: self.network.until(*origin),
                after: self.network.after(*origin),
            };
            self.calendars.iter().map(windows).collect()
        })
    }

    fn origins(&self) -> Vec<TimePoint> {
        self.calendars.iter().map(|(_, origin)| *origin).collect()
    }
}

/// The known beginning of an event, and the end if the event states a duration.
#[derive(Debug)]
pub(crate) struct EventBeginning {
    pub(crate) moment: Option<Moment>,
    /// The bounds on each calendar if the moment is unknown, possibly open on one side.
    pub(crate) within: Vec<Moment>,
    /// The bounds of the end on each calendar, if the event states a duration.
    pub(crate) ends: Vec<Moment>,
}

/// Returns the moment between two limits, with `i64::MIN` or `i64::MAX` for a missing limit; `None` without any limit.
fn stretch((calendar, (least, most)): (&Calendar, (Option<Limit>, Option<Limit>))) -> Option<Moment> {
    if least.is_none() && most.is_none() {
        return None;
    }
    let start = least.map_or(i64::MIN, Limit::seconds);
    // Moments exclude their end, so an attainable end moves one second later.
    let end = most.map_or(i64::MAX, |most| most.seconds() + i64::from(!most.is_open()));
    Some(Moment { calendar: calendar.clone(), start, end })
}

fn is_closed(stretch: &Moment) -> bool {
    stretch.start != i64::MIN && stretch.end != i64::MAX
}
