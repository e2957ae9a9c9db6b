//! Orders points of story time: events, times in words, and outline nodes representing the time of their content.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::event_dates::event_of_date;
use crate::language::has_words;
use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::time::{self, EventBeginning, Moment, StoryCalendar};
use crate::{Mode, Story, TimelineEvent};

/// A point of story time: an event, a time in words, or an outline node. Points are compared by a
/// [`Clock`](super::Clock).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(u32);

/// All points mentioned in a story, and their order as far as certain.
#[derive(Debug, Clone)]
pub(crate) struct Timeline<'s> {
    names: Arc<Names>,
    /// The event points, each at the event's position.
    backbone: Arc<EventPointTable>,
    /// The points after the event points.
    points: Vec<TimelinePoint>,
    seen: FxHashMap<&'s str, Option<PointId>>,
    /// A sample moment of each calendar.
    calendars: Vec<Moment>,
}

/// The events of a story as points, with the predecessors of each.
#[derive(Debug)]
pub(crate) struct EventPointTable {
    after: Arc<Vec<Vec<usize>>>,
    /// The length of the longest chain of predecessors of each event; `None` within a cycle.
    depths: Vec<Option<u32>>,
    points: Vec<TimelinePoint>,
    /// The folded titles of the events that happen; empty for the others.
    titles: Vec<String>,
    /// The reading order of the outline nodes, by position; defaults to 0.
    orders: Vec<u32>,
    /// A sample moment of each calendar.
    calendars: Vec<Moment>,
    /// The calendar of the days that may be of two.
    story_calendar: Arc<StoryCalendar>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct TimelinePoint {
    moment: Option<Moment>,
    /// For an event without a moment: the bounds on each calendar, open on one side.
    within: Vec<Moment>,
    /// For an event with a duration: the bounds of the end on each calendar.
    ends: Vec<Moment>,
    /// The calendar, start and end of the moment, or of the reading order.
    stretch: Option<(usize, i64, i64)>,
    event: Option<usize>,
    /// The reading order of the outline node, or of the node with the event.
    order: Option<u32>,
    is_node: bool,
}

/// The line number of outline nodes.
const READING: usize = usize::MAX;

impl EventPointTable {
    /// Builds the events of `story` with the beginning and the direct predecessors of each.
    pub(super) fn of(
        story: &Story,
        names: &Names,
        beginnings: &[EventBeginning],
        after: Arc<Vec<Vec<usize>>>,
        story_calendar: Arc<StoryCalendar>,
    ) -> Self {
        let mut calendars = Vec::new();
        let orders: Vec<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
        let mut point = |(position, EventBeginning { moment, within, ends }): (usize, &EventBeginning)| {
            let event = &story.timeline_events[position];
            let order = event.outline_node.as_deref().filter(|_| event.mode == Mode::Narrated);
            let order = order.and_then(|name| order_of_node(story, names, name));
            let stretch = moment.as_ref().map(|moment| stretch(&mut calendars, moment));
            let (moment, within, ends) = (moment.clone(), within.clone(), ends.clone());
            TimelinePoint { moment, within, ends, stretch, event: Some(position), order, is_node: false }
        };
        let points = beginnings.iter().enumerate().map(&mut point).collect();
        let title = |event: &TimelineEvent| match event.mode {
            Mode::Narrated | Mode::Flashback => fold(&event.title),
            _ => String::new(),
        };
        let titles = story.timeline_events.iter().map(title).collect();
        Self { depths: depths(&after), after, points, titles, orders, calendars, story_calendar }
    }

    /// Returns the day of the only event that fits a date which names one; `None` if none or several fit, or if the day of
    /// the event is unknown.
    fn day_of_event(&self, date: &str) -> Option<Moment> {
        let date = fold(date);
        let event = event_of_date(&date)?;
        let named = |fits: &dyn Fn(&str) -> bool| {
            let fitting = self.titles.iter().enumerate().filter(|(_, title)| fits(title));
            fitting.map(|(position, _)| position).collect::<Vec<usize>>()
        };
        let called = named(&|title: &str| title == event);
        let fitting = if called.is_empty() { named(&|title: &str| has_words(title, event)) } else { called };
        let [one] = fitting.as_slice() else { return None };
        self.points[*one].moment.as_ref().map(Moment::with_its_night)
    }
}

impl<'s> Timeline<'s> {
    pub(super) fn new(names: Arc<Names>, backbone: Arc<EventPointTable>) -> Self {
        let calendars = backbone.calendars.clone();
        Self { names, backbone, points: Vec::new(), seen: FxHashMap::default(), calendars }
    }

    /// Returns the same points without the borrowed words used as cache keys.
    pub(super) fn detached(&self) -> Timeline<'static> {
        Timeline {
            names: Arc::clone(&self.names),
            backbone: Arc::clone(&self.backbone),
            points: self.points.clone(),
            seen: FxHashMap::default(),
            calendars: self.calendars.clone(),
        }
    }

    /// Returns the names of the story.
    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// Parses `words` as an event, a time, or an outline node and registers the point; returns `None` if empty or not
    /// understood.
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

    /// Parses `words` without registering the point; the words need not occur in the story. Only event points have a
    /// position on a line.
    pub(super) fn made(&self, words: &str) -> Option<TimelinePoint> {
        if let Some(event) = self.names.resolve(PieceKind::Event, words) {
            return Some(self[self.of_event(event.position)].clone());
        }
        if let Some(moment) = self.moment_of(words) {
            return Some(TimelinePoint::at(moment));
        }
        if let Some(order) = self.order_of_node(words) {
            return Some(TimelinePoint { order: Some(order), is_node: true, ..TimelinePoint::default() });
        }
        self.backbone.day_of_event(words).map(TimelinePoint::at)
    }

    /// Returns the moment of a time in the story's words; events and outline nodes are not looked up.
    pub(crate) fn moment_of(&self, words: &str) -> Option<Moment> {
        self.backbone.story_calendar.moment(words)
    }

    /// Returns a time with the mark of its calendar in the story; other words unchanged.
    pub(super) fn marked<'t>(&self, words: &'t str) -> Cow<'t, str> {
        self.backbone.story_calendar.mark(words)
    }

    /// Returns the registered point of words in the story.
    pub(crate) fn known(&self, words: &str) -> Option<PointId> {
        self.seen.get(words).copied().flatten()
    }

    /// Returns the point of an event.
    pub(crate) fn of_event(&self, position: usize) -> PointId {
        PointId(u32::try_from(position).expect("events are fewer than four thousand million"))
    }

    /// Returns the event of a point.
    pub(crate) fn event(&self, point: PointId) -> Option<usize> {
        self[point].event
    }

    /// Returns the moment of the point, if known.
    pub(crate) fn moment(&self, point: PointId) -> Option<&Moment> {
        self[point].moment.as_ref()
    }

    /// Returns the reading order at which the point is told.
    pub(crate) fn order(&self, point: PointId) -> Option<u32> {
        self[point].order
    }

    /// Returns the reading order of an outline node.
    pub(crate) fn order_of_node(&self, name: &str) -> Option<u32> {
        let node = self.names.resolve(PieceKind::OutlineNode, name)?;
        Some(self.backbone.orders[node.position]).filter(|order| *order > 0)
    }

    /// Returns whether `a` is certainly over before `b` begins. Statements about a lasting event may hold only at the
    /// end.
    pub(crate) fn is_before(&self, a: PointId, b: PointId) -> bool {
        a != b && self.precedes(&self[a], &self[b])
    }

    /// Returns whether `first` is certainly over before `second` begins; the points must differ.
    pub(super) fn precedes(&self, first: &TimelinePoint, second: &TimelinePoint) -> bool {
        if first.is_over_before(second) {
            return true;
        }
        if second.begins_before(first) {
            return false;
        }
        match (first, second) {
            (TimelinePoint { event: Some(early), .. }, TimelinePoint { event: Some(late), .. }) => {
                // Points without any time follow the order of telling by default.
                let is_told_first = || {
                    let are_timeless = first.moment.is_none() && second.moment.is_none();
                    are_timeless && matches!((first.order, second.order), (Some(first), Some(second)) if first < second)
                };
                (self.comes_after(*late, *early) || is_told_first()) && !self.comes_after(*early, *late)
            }
            (TimelinePoint { is_node: true, .. }, _) | (_, TimelinePoint { is_node: true, .. }) => {
                matches!((first.order, second.order), (Some(first), Some(second)) if first < second)
            }
            _ => false,
        }
    }

    /// Returns whether two points are the same, or neither is certainly before the other and neither is longer than a day:
    /// only the order of telling then says which is first.
    pub(crate) fn is_ordered_by_telling(&self, a: PointId, b: PointId) -> bool {
        let is_long = |point: PointId| self.moment(point).is_some_and(|moment| moment.seconds() > time::LONGEST_DAY);
        a == b || !is_long(a) && !is_long(b) && !self.is_before(a, b) && !self.is_before(b, a)
    }

    /// Returns whether both points are certainly the same moment, to the minute.
    pub(crate) fn is_same(&self, a: PointId, b: PointId) -> bool {
        let (first, second) = (&self[a], &self[b]);
        let same_event = a == b && first.event.is_some();
        let minutes = first.moment.as_ref().zip(second.moment.as_ref());
        same_event || minutes.is_some_and(|(first, second)| first.is_same_minute(second))
    }

    /// Returns whether both points are the same moment, day or outline node.
    pub(crate) fn is_same_day(&self, a: PointId, b: PointId) -> bool {
        self[a].is_on_the_day_of(&self[b])
    }

    /// Returns the line of the point with the start and end, or `None` if only predecessors are known.
    pub(crate) fn place(&self, point: PointId) -> Option<(usize, i64, i64)> {
        self[point].stretch
    }

    fn comes_after(&self, late: usize, early: usize) -> bool {
        let EventPointTable { after, depths, .. } = &*self.backbone;
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

    fn add(&mut self, point: TimelinePoint) -> PointId {
        self.points.push(point);
        self.of_event(self.backbone.points.len() + self.points.len() - 1)
    }
}

impl TimelinePoint {
    /// Returns a time that is no event.
    pub(super) fn at(moment: Moment) -> Self {
        Self { moment: Some(moment), ..Self::default() }
    }

    /// Returns whether the point certainly begins before `other`, on some calendar.
    fn begins_before(&self, other: &Self) -> bool {
        self.times().any(|one| other.times().any(|other| one.is_before(other)))
    }

    /// Returns whether the point is certainly over before `other`, on some calendar.
    fn is_over_before(&self, other: &Self) -> bool {
        match self.ends.as_slice() {
            [] => self.begins_before(other),
            ends => ends.iter().any(|end| other.times().any(|other| end.is_before(other))),
        }
    }

    /// Returns whether the point is certainly over before `moment`.
    pub(super) fn is_before_moment(&self, moment: &Moment) -> bool {
        self.times().any(|time| time.is_before(moment))
    }

    /// Returns the known bounds on each calendar.
    fn times(&self) -> impl Iterator<Item = &Moment> {
        self.moment.iter().chain(&self.within)
    }

    /// Returns the position of the event that the point is.
    pub(super) fn event(&self) -> Option<usize> {
        self.event
    }

    /// Returns the reading order at which the point is told.
    pub(super) fn order(&self) -> Option<u32> {
        self.order
    }

    /// Returns whether both points are the same event, minute, day or outline node.
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
    type Output = TimelinePoint;

    fn index(&self, point: PointId) -> &TimelinePoint {
        let events = &self.backbone.points;
        let index = point.0 as usize;
        events.get(index).unwrap_or_else(|| &self.points[index - events.len()])
    }
}

/// Returns the calendar index, start and end of a moment, and inserts a new calendar.
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

/// Returns the length of the longest chain leading to each event, or `None` for events in or after a cycle.
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

/// Returns the reading order of an outline node.
pub(super) fn order_of_node(story: &Story, names: &Names, name: &str) -> Option<u32> {
    let node = names.resolve(PieceKind::OutlineNode, name)?;
    Some(story.outline_nodes[node.position].order).filter(|order| *order > 0)
}
