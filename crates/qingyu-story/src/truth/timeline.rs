//! Points of story time: events, times in words, and outline nodes that stand for the time at which they play.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::frame::order_of_node;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{self, Beginning, Moment};
use crate::{Mode, Story};

/// A point of a story's time: an event, a time in words, or an outline node. A [`Clock`](super::Clock) compares them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(u32);

/// All points that a story speaks of, and their order as far as it is certain.
#[derive(Debug, Clone)]
pub(crate) struct Timeline<'s> {
    names: Arc<Names>,
    /// The points of the events come first, each at the event's position.
    backbone: Arc<Backbone>,
    /// The points after those of the events.
    points: Vec<Point>,
    seen: FxHashMap<&'s str, Option<PointId>>,
    /// One moment of each calendar.
    calendars: Vec<Moment>,
}

/// The events of a story as points, and what each comes after.
#[derive(Debug)]
pub(crate) struct Backbone {
    after: Arc<Vec<Vec<usize>>>,
    /// How many events come before each event at least, one after the other; none in a circle.
    depths: Vec<Option<u32>>,
    points: Vec<Point>,
    /// The places of the outline nodes in reading order, by position; 0 if not given.
    orders: Vec<u32>,
    /// One moment of each calendar.
    calendars: Vec<Moment>,
}

#[derive(Debug, Clone)]
pub(crate) struct Point {
    moment: Option<Moment>,
    /// Of an event whose moment is not known: what it lies within on each calendar, without an end on one side.
    within: Vec<Moment>,
    /// Of an event that says how long it lasts: what its end lies within on each calendar.
    ends: Vec<Moment>,
    /// The calendar, beginning and end of the moment, or of the place in reading order.
    stretch: Option<(usize, i64, i64)>,
    event: Option<usize>,
    /// The place in reading order of the outline node, or of the one that tells the event.
    order: Option<u32>,
    is_node: bool,
}

/// The line on which outline nodes stand.
const READING: usize = usize::MAX;

impl Backbone {
    /// The events of `story`, with the beginning of each and what it comes directly after.
    pub(super) fn of(story: &Story, names: &Names, beginnings: &[Beginning], after: Arc<Vec<Vec<usize>>>) -> Self {
        let mut calendars = Vec::new();
        let orders: Vec<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
        let mut point = |(position, Beginning { moment, within, ends }): (usize, &Beginning)| {
            let event = &story.timeline_events[position];
            let order = event.outline_node.as_deref().filter(|_| event.mode == Mode::Narrated);
            let order = order.and_then(|name| order_of_node(story, names, name));
            let stretch = moment.as_ref().map(|moment| stretch(&mut calendars, moment));
            let (moment, within, ends) = (moment.clone(), within.clone(), ends.clone());
            Point { moment, within, ends, stretch, event: Some(position), order, is_node: false }
        };
        let points = beginnings.iter().enumerate().map(&mut point).collect();
        Self { depths: depths(&after), after, points, orders, calendars }
    }
}

impl<'s> Timeline<'s> {
    pub(super) fn new(names: Arc<Names>, backbone: Arc<Backbone>) -> Self {
        let calendars = backbone.calendars.clone();
        Self { names, backbone, points: Vec::new(), seen: FxHashMap::default(), calendars }
    }

    /// The same points without the words by which they were found.
    pub(super) fn detached(&self) -> Timeline<'static> {
        Timeline {
            names: Arc::clone(&self.names),
            backbone: Arc::clone(&self.backbone),
            points: self.points.clone(),
            seen: FxHashMap::default(),
            calendars: self.calendars.clone(),
        }
    }

    /// The names of the story.
    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// The point that `words` mean: an event, a time, or an outline node; none if they are empty or not understood.
    pub(crate) fn point(&mut self, words: &'s str) -> Option<PointId> {
        if let Some(known) = self.seen.get(words) {
            return *known;
        }
        let found = self.read(words);
        self.seen.insert(words, found);
        found
    }

    fn read(&mut self, words: &str) -> Option<PointId> {
        let mut point = self.made(words)?;
        if let Some(event) = point.event {
            return Some(self.of_event(event));
        }
        point.stretch = match &point.moment {
            Some(moment) => Some(stretch(&mut self.calendars, moment)),
            None => point.order.map(|order| (READING, i64::from(order), i64::from(order) + 1)),
        };
        Some(self.add(point))
    }

    /// The point that `words` mean, which need not be part of the story; without its place unless it is an event.
    pub(super) fn made(&self, words: &str) -> Option<Point> {
        if let Some(event) = self.names.resolve(PieceKind::Event, words) {
            return Some(self[self.of_event(event.position)].clone());
        }
        let (within, ends) = (Vec::new(), Vec::new());
        let plain = Point { moment: None, within, ends, stretch: None, event: None, order: None, is_node: false };
        if let Some(moment) = time::parse(words).moment() {
            return Some(Point { moment: Some(moment), ..plain });
        }
        let order = self.order_of_node(words)?;
        Some(Point { order: Some(order), is_node: true, ..plain })
    }

    /// The point that words of the story mean, if they were read as one.
    pub(crate) fn known(&self, words: &str) -> Option<PointId> {
        self.seen.get(words).copied().flatten()
    }

    /// The point of an event.
    pub(crate) fn of_event(&self, position: usize) -> PointId {
        PointId(u32::try_from(position).expect("events are fewer than four thousand million"))
    }

    /// The event that the point is.
    pub(crate) fn event(&self, point: PointId) -> Option<usize> {
        self[point].event
    }

    /// The moment of the point, if it is known.
    pub(crate) fn moment(&self, point: PointId) -> Option<&Moment> {
        self[point].moment.as_ref()
    }

    /// The place in reading order at which the point is told.
    pub(crate) fn order(&self, point: PointId) -> Option<u32> {
        self[point].order
    }

    /// The place in reading order of an outline node.
    pub(crate) fn order_of_node(&self, name: &str) -> Option<u32> {
        let node = self.names.resolve(PieceKind::OutlineNode, name)?;
        Some(self.backbone.orders[node.position]).filter(|order| *order > 0)
    }

    /// Whether `a` is certainly over before `b` begins. What is told of an event that lasts may happen at its end.
    pub(crate) fn is_before(&self, a: PointId, b: PointId) -> bool {
        a != b && self.precedes(&self[a], &self[b])
    }

    /// Whether `first` is certainly over before `second` begins; they must not be the same.
    pub(super) fn precedes(&self, first: &Point, second: &Point) -> bool {
        if first.is_over_before(second) {
            return true;
        }
        if second.begins_before(first) {
            return false;
        }
        match (first, second) {
            (Point { event: Some(early), .. }, Point { event: Some(late), .. }) => {
                // What has no time at all is told in its order, unless something says otherwise.
                let is_told_first = || {
                    let are_timeless = first.moment.is_none() && second.moment.is_none();
                    are_timeless && matches!((first.order, second.order), (Some(first), Some(second)) if first < second)
                };
                (self.comes_after(*late, *early) || is_told_first()) && !self.comes_after(*early, *late)
            }
            (Point { is_node: true, .. }, _) | (_, Point { is_node: true, .. }) => {
                matches!((first.order, second.order), (Some(first), Some(second)) if first < second)
            }
            _ => false,
        }
    }

    /// Whether both are certainly the same moment, to the minute.
    pub(crate) fn is_same(&self, a: PointId, b: PointId) -> bool {
        let (first, second) = (&self[a], &self[b]);
        let same_event = a == b && first.event.is_some();
        let minutes = first.moment.as_ref().zip(second.moment.as_ref());
        same_event || minutes.is_some_and(|(first, second)| first.is_same_minute(second))
    }

    /// Whether both are the same moment, day or outline node.
    pub(crate) fn is_same_day(&self, a: PointId, b: PointId) -> bool {
        self[a].is_on_the_day_of(&self[b])
    }

    /// The line on which the point lies, with its beginning and end; none if it is known only by what comes before it.
    pub(crate) fn place(&self, point: PointId) -> Option<(usize, i64, i64)> {
        self[point].stretch
    }

    fn comes_after(&self, late: usize, early: usize) -> bool {
        let Backbone { after, depths, .. } = &*self.backbone;
        let floor = depths[early];
        let may_lead_back = |event: usize| !matches!((depths[event], floor), (Some(at), Some(floor)) if at <= floor);
        let mut open = vec![late];
        let mut seen = BTreeSet::new();
        while let Some(event) = open.pop() {
            for before in &after[event] {
                if *before == early {
                    return true;
                }
                if may_lead_back(*before) && seen.insert(*before) {
                    open.push(*before);
                }
            }
        }
        false
    }

    fn add(&mut self, point: Point) -> PointId {
        self.points.push(point);
        self.of_event(self.backbone.points.len() + self.points.len() - 1)
    }
}

impl Point {
    /// Whether it certainly begins before the other does, on some calendar.
    fn begins_before(&self, other: &Self) -> bool {
        self.times().any(|one| other.times().any(|other| one.is_before(other)))
    }

    /// Whether its time is certainly over before the other's, on some calendar.
    fn is_over_before(&self, other: &Self) -> bool {
        match self.ends.as_slice() {
            [] => self.begins_before(other),
            ends => ends.iter().any(|end| other.times().any(|other| end.is_before(other))),
        }
    }

    /// What it lies within, on each calendar on which that is known.
    fn times(&self) -> impl Iterator<Item = &Moment> {
        self.moment.iter().chain(&self.within)
    }

    /// Whether it is an event.
    pub(super) fn is_event(&self) -> bool {
        self.event.is_some()
    }

    /// The place in reading order at which it is told.
    pub(super) fn order(&self) -> Option<u32> {
        self.order
    }

    /// Whether both are the same event, minute, day or outline node.
    pub(super) fn is_on_the_day_of(&self, other: &Self) -> bool {
        let days = self.moment.as_ref().zip(other.moment.as_ref());
        let same_day = days.is_some_and(|(first, second)| {
            first.is_same_minute(second) || first == second && first.bounds().1 - first.bounds().0 <= DAY
        });
        let same_event = self.event.is_some() && self.event == other.event;
        same_event || same_day || (self.is_node && other.is_node && self.order == other.order)
    }
}

impl std::ops::Index<PointId> for Timeline<'_> {
    type Output = Point;

    fn index(&self, point: PointId) -> &Point {
        let events = &self.backbone.points;
        let index = point.0 as usize;
        events.get(index).unwrap_or_else(|| &self.points[index - events.len()])
    }
}

/// The calendar, beginning and end of a moment; a calendar that is new is added.
fn stretch(calendars: &mut Vec<Moment>, moment: &Moment) -> (usize, i64, i64) {
    let known = calendars.iter().position(|other| other.is_comparable(moment));
    let calendar = known.unwrap_or_else(|| {
        calendars.push(moment.clone());
        calendars.len() - 1
    });
    let (start, end) = moment.bounds();
    (calendar, start, end)
}

const DAY: i64 = 24 * 60 * 60;

/// The length of the longest chain that leads to each event; none for events in a circle and after one.
fn depths(after: &[Vec<usize>]) -> Vec<Option<u32>> {
    let mut followers = vec![Vec::new(); after.len()];
    let mut open_before: Vec<usize> = after.iter().map(Vec::len).collect();
    for (event, before) in after.iter().enumerate() {
        before.iter().for_each(|before| followers[*before].push(event));
    }
    let mut depths = vec![None; after.len()];
    let mut ready: Vec<(usize, u32)> =
        (0..after.len()).filter(|event| open_before[*event] == 0).map(|event| (event, 0)).collect();
    let mut longest = vec![0; after.len()];
    while let Some((event, depth)) = ready.pop() {
        depths[event] = Some(depth);
        for follower in &followers[event] {
            longest[*follower] = longest[*follower].max(depth + 1);
            open_before[*follower] -= 1;
            if open_before[*follower] == 0 {
                ready.push((*follower, longest[*follower]));
            }
        }
    }
    depths
}
