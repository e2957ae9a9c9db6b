//! The times of a story as a network: what its pieces say of when things happen, and what follows from that.
//!
//! Every event that happens (narrated or told in a flashback) has a start, an end and the day it begins on; every card has
//! a birth and a death. What is dreamt, said, believed or planned has no place in story time. Calendars are points of
//! their own: nothing is known between two of them.

mod read;
mod references;
mod said;
#[cfg(test)]
mod tests;
mod travel;

use std::sync::OnceLock;

pub use said::{How, Said};
pub use travel::Hurry;

use super::network::{Contradiction, Limit, Network, Point};
use super::{Calendar, Moment};
use crate::Story;
use crate::names::Names;

/// The network of a story's times, with its points by the places of events and cards in their lists.
#[derive(Debug, Clone)]
pub struct Chronology<'s> {
    network: Network<Said<'s>>,
    events: Vec<Option<EventPoints>>,
    births: Vec<Point>,
    deaths: Vec<Point>,
    calendars: Vec<(Calendar, Point)>,
    windows: OnceLock<Vec<Windows>>,
}

/// The points of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventPoints {
    /// When it begins.
    pub start: Point,
    /// When it is over.
    pub end: Point,
    /// The beginning of the day it begins on, in the story's words: the day before, for what begins in the small hours of
    /// a night.
    day: Point,
    /// Whether it says how long it lasts.
    lasts: bool,
}

/// What is known of a point on one calendar, in seconds: the least and the most, either open.
pub type Stretch = (Option<i64>, Option<i64>);

/// The least and the most that each point is after the origin of a calendar.
#[derive(Debug, Clone)]
struct Windows {
    until: Vec<Option<Limit>>,
    after: Vec<Option<Limit>>,
}

impl<'s> Chronology<'s> {
    /// Reads the times of `story`; `names` must be of it.
    pub fn of(story: &'s Story, names: &Names) -> Self {
        read::chronology(story, names)
    }

    /// The points of the event at `position`; none if it does not happen in story time.
    pub fn event(&self, position: usize) -> Option<EventPoints> {
        self.events[position]
    }

    /// The birth of the character at `position`.
    pub fn birth(&self, position: usize) -> Point {
        self.births[position]
    }

    /// The death of the character at `position`.
    pub fn death(&self, position: usize) -> Point {
        self.deaths[position]
    }

    /// What contradicts itself, by what said it.
    pub fn contradictions(&self) -> &[Contradiction<Said<'s>>] {
        self.network.contradictions()
    }

    /// Whether the first event is certainly over before the second begins.
    pub fn is_over_before(&self, first: usize, second: usize) -> bool {
        let (Some(first), Some(second)) = (self.events[first], self.events[second]) else { return false };
        self.is_ordered(first.end, second.start)
    }

    /// Whether the first point is certainly not after the second.
    pub fn is_ordered(&self, first: Point, second: Point) -> bool {
        let on = |windows: &Windows| {
            let (latest, earliest) = (windows.after[first.index()], windows.until[second.index()]);
            latest.zip(earliest).is_some_and(|(latest, until)| latest + until <= Limit::default())
        };
        // What does not follow from dates follows from a chain that meets no calendar.
        self.windows().iter().any(on) || self.network.is_ordered_beside(first, second, &self.origins())
    }

    /// The most that `to` is certainly after `from`.
    pub fn most(&self, from: Point, to: Point) -> Option<Limit> {
        let by_dates =
            self.windows().iter().filter_map(|windows| Some(windows.until[from.index()]? + windows.after[to.index()]?));
        by_dates.chain(self.network.most_beside(from, to, &self.origins())).min()
    }

    /// What is known of `point` on the calendars it can be told on.
    pub fn stretches(&self, point: Point) -> impl Iterator<Item = (&Calendar, Stretch)> {
        let seconds = |limit: Option<Limit>| limit.map(Limit::seconds);
        let known = move |(calendar, (least, most)): (_, (_, _))| (calendar, (seconds(least), seconds(most)));
        self.limits(point).map(known).filter(|(_, stretch)| *stretch != (None, None))
    }

    /// The least and the most that `point` is after the origin of each calendar.
    pub(super) fn limits(&self, point: Point) -> impl Iterator<Item = (&Calendar, (Option<Limit>, Option<Limit>))> {
        let known =
            move |windows: &Windows| (windows.until[point.index()].map(|until| -until), windows.after[point.index()]);
        self.calendars.iter().zip(self.windows()).map(move |((calendar, _), windows)| (calendar, known(windows)))
    }

    /// A time of `point` so that with the times of all others every bound holds that stands.
    pub(super) fn possible(&self, point: Point) -> Limit {
        self.network.possible(point)
    }

    /// The moment within which `point` certainly lies, on the calendar of `like`; none if it is open on either side.
    pub(crate) fn moment_like(&self, point: Point, like: &Moment) -> Option<Moment> {
        self.limits(point).filter(|(calendar, _)| **calendar == like.calendar).find_map(stretch).filter(is_closed)
    }

    /// When each event begins: the time that is given, or what follows from others.
    pub(crate) fn beginnings(&self, times: Vec<Option<Moment>>) -> Vec<Beginning> {
        let follows = |points: EventPoints| {
            let mut within: Vec<Moment> = self.limits(points.start).filter_map(stretch).collect();
            // Of several calendars always the same one.
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
            Beginning { moment, within, ends }
        };
        times.into_iter().enumerate().map(beginning).collect()
    }

    fn windows(&self) -> &[Windows] {
        self.windows.get_or_init(|| {
            let windows = |(_, origin): &(Calendar, Point)| Windows {
                until: self.network.until(*origin),
                after: self.network.after(*origin),
            };
            self.calendars.iter().map(windows).collect()
        })
    }

    fn origins(&self) -> Vec<Point> {
        self.calendars.iter().map(|(_, origin)| *origin).collect()
    }
}

/// When an event begins, and when it is over if it says how long it lasts.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) moment: Option<Moment>,
    /// If the moment is not known: what it certainly lies within on each calendar, without an end on one side.
    pub(crate) within: Vec<Moment>,
    /// What its end lies within on each calendar, if it says how long it lasts.
    pub(crate) ends: Vec<Moment>,
}

/// The stretch between two limits of a calendar, from `i64::MIN` or until `i64::MAX` where there is none; none without any.
fn stretch((calendar, (least, most)): (&Calendar, (Option<Limit>, Option<Limit>))) -> Option<Moment> {
    if least.is_none() && most.is_none() {
        return None;
    }
    let start = least.map_or(i64::MIN, Limit::seconds);
    // A moment is without its end, so an end that can be met is a second further.
    let end = most.map_or(i64::MAX, |most| most.seconds() + i64::from(!most.is_open()));
    Some(Moment { calendar: calendar.clone(), start, end })
}

fn is_closed(stretch: &Moment) -> bool {
    stretch.start != i64::MIN && stretch.end != i64::MAX
}
