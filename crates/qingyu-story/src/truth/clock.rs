//! Compares the start and end of statements with a time of the story.

use std::sync::Arc;

use super::timeline::{Timeline, TimelinePoint};
use super::{GroundTruth, PointId, TruthStatement};
use crate::Mode;
use crate::chapters::{Chapter, ChapterLookupError, Chapters};
use crate::piece::PieceKind;
use crate::time::{LONGEST_DAY, Moment, in_year_of_story};

/// The order of a story's times, as far as certain. An owned value without borrows.
#[derive(Debug, Clone)]
pub struct Clock {
    timeline: Timeline<'static>,
    /// The reading order of the documents, by position.
    documents: Arc<[Option<u32>]>,
    chapters: Arc<Chapters>,
    /// The reading order of the chapters, from nodes and documents.
    orders: Arc<[Option<u32>]>,
    /// The times of the narrated events, each with the reading order at which the event is told, in that order; only those
    /// that are later than all before.
    reached: Arc<[(u32, Moment)]>,
}

/// A time from which the story is viewed.
#[derive(Debug, Clone)]
pub struct Time(ViewTime);

#[derive(Debug, Clone)]
enum ViewTime {
    /// An event, or a time in words.
    Point(Box<TimelinePoint>),
    /// The reading order up to whose end everything is told.
    Told(u32),
}

impl GroundTruth<'_> {
    /// Returns the order of the story's times.
    pub fn clock(&self) -> Clock {
        let documents = self.story.documents.iter().map(|document| {
            let node = document.outline_node.as_deref().and_then(|name| self.timeline.order_of_node(name));
            node.or(Some(document.order).filter(|order| *order > 0))
        });
        let documents: Arc<[Option<u32>]> = documents.collect();
        let chapters = Chapters::with(self.story, self.timeline.names());
        let order = |chapter: &Chapter| {
            let node = chapter.node.map(|node| self.story.outline_nodes[node].order).filter(|order| *order > 0);
            node.or_else(|| documents[*chapter.documents.first()?])
        };
        let orders = chapters.all().iter().map(order).collect();
        let reached = self.reached().into();
        Clock { timeline: self.timeline.detached(), documents, chapters: Arc::new(chapters), orders, reached }
    }

    /// Returns the times of the narrated events by reading order, each later than all before it on its calendar.
    fn reached(&self) -> Vec<(u32, Moment)> {
        let narrated = self.story.timeline_events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated);
        let dated = narrated.filter_map(|(position, _)| {
            let point = self.timeline.of_event(position);
            Some((self.timeline.order(point)?, self.timeline.moment(point)?.clone()))
        });
        let mut dated: Vec<(u32, Moment)> = dated.collect();
        dated.sort_by_key(|(order, moment)| (*order, moment.bounds()));
        let mut reached: Vec<(u32, Moment)> = Vec::new();
        for (order, moment) in dated {
            let mut before = reached.iter().rev().filter(|(_, before)| before.is_comparable(&moment));
            if before.next().is_none_or(|(_, before)| before.begins_before(&moment)) {
                reached.push((order, moment));
            }
        }
        reached
    }
}

impl Clock {
    /// Parses `words` as an event, a time, or an outline node or document; the latter mean the time by which their
    /// content has been told. A day without a year has that of the events told. Chapters are parsed by
    /// [`Chapters::resolve`]. Returns `None` if the words are empty or not understood.
    ///
    /// Fails if several chapters match.
    pub fn read(&self, words: &str) -> Result<Option<Time>, ChapterLookupError> {
        if let Some(point) = self.timeline.made(words) {
            let told = point.order().filter(|_| point.event().is_none());
            return Ok(Some(Time(told.map_or(ViewTime::Point(Box::new(point)), ViewTime::Told))));
        }
        if let Some(document) = self.timeline.names().resolve(PieceKind::Document, words) {
            return Ok(self.documents[document.position].map(Time::told));
        }
        match self.chapters.resolve(words) {
            Ok(chapter) => Ok(self.told(chapter)),
            Err(ChapterLookupError::Unknown { .. }) => Ok(self.day_of_story(words)),
            Err(error) => Err(error),
        }
    }

    /// Returns the time of a day without a year, in a year of the events told.
    fn day_of_story(&self, words: &str) -> Option<Time> {
        let reached: Vec<Moment> = self.reached.iter().map(|(_, moment)| moment.clone()).collect();
        let moment = in_year_of_story(&self.timeline.marked(words), &reached)?;
        Some(Time(ViewTime::Point(Box::new(TimelinePoint::at(moment)))))
    }

    /// Returns the time by which the chapter with the given number has been told.
    pub fn chapter(&self, number: u32) -> Result<Time, ChapterLookupError> {
        let given = number.to_string();
        let chapter = self.chapters.resolve(&given)?;
        self.told(chapter).ok_or(ChapterLookupError::Unknown { given })
    }

    fn told(&self, chapter: &Chapter) -> Option<Time> {
        let place = usize::try_from(chapter.place).ok()?.checked_sub(1)?;
        self.orders.get(place).copied()?.map(Time::told)
    }

    /// Returns the reading order of an event or outline node.
    pub fn order(&self, point: PointId) -> Option<u32> {
        self.timeline.order(point)
    }

    /// Returns the point of the event at the given timeline position.
    pub fn event(&self, position: usize) -> PointId {
        self.timeline.of_event(position)
    }

    /// Returns whether `a` is certainly over before `b` begins.
    pub fn is_before(&self, a: PointId, b: PointId) -> bool {
        self.timeline.is_before(a, b)
    }

    /// Returns whether two points are the same, or neither is certainly before the other and neither is longer than a day:
    /// only the order of telling then says which is first.
    pub fn is_ordered_by_telling(&self, a: PointId, b: PointId) -> bool {
        self.timeline.is_ordered_by_telling(a, b)
    }

    /// Returns whether a statement may hold at `now`: it has been told, does not certainly begin later, and is not certainly
    /// over.
    pub(crate) fn may_hold(&self, statement: &TruthStatement<'_>, now: &Time) -> bool {
        let begins_later = statement.span.from.is_some_and(|from| self.is_later(from, now));
        let is_over = statement.span.until.is_some_and(|until| self.is_over(until, now));
        !now.is_untold(statement.order) && !begins_later && !is_over
    }

    /// Returns whether a statement starting at `point` certainly begins after `time`.
    pub fn is_later(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            ViewTime::Point(now) => self.timeline.precedes(now, &self.timeline[point]),
            ViewTime::Told(now) => self.timeline.order(point).is_some_and(|order| order > *now),
        }
    }

    /// Returns whether a statement ending at `point` is certainly over at `time`.
    pub fn is_over(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            ViewTime::Point(now) => self.timeline.precedes(&self.timeline[point], now),
            ViewTime::Told(now) => self.timeline.order(point).is_some_and(|order| order < *now),
        }
    }

    /// Returns whether `point` is certainly reached at `time`.
    pub fn is_reached(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            ViewTime::Point(now) => self.timeline[point].is_on_the_day_of(now) || self.is_over(point, time),
            ViewTime::Told(now) => match self.timeline.order(point) {
                Some(order) => order <= *now,
                None => self.timeline.moment(point).is_some_and(|moment| self.is_date_reached(moment, *now)),
            },
        }
    }

    /// Returns whether a date is certainly reached by the events told up to the end of a reading order: an event is later, or
    /// on the day.
    fn is_date_reached(&self, date: &Moment, now: u32) -> bool {
        let is_day = date.seconds() <= LONGEST_DAY;
        let told = self.reached.iter().rev().filter(|(order, _)| *order <= now);
        let mut alike = told.filter(|(_, moment)| moment.is_comparable(date));
        // The last one is the latest of its calendar.
        let last = alike.next().map(|(_, moment)| moment);
        last.is_some_and(|last| date.is_before(last) || is_day && !last.begins_before(date))
    }
}

impl Time {
    /// Returns the time by which everything up to the given reading order has been told.
    pub fn told(order: u32) -> Self {
        Self(ViewTime::Told(order))
    }

    /// Returns the reading order, if the time is one.
    pub fn order(&self) -> Option<u32> {
        match self.0 {
            ViewTime::Told(order) => Some(order),
            ViewTime::Point(_) => None,
        }
    }

    /// Returns whether the time is a date or an event that is certainly over before `moment`.
    pub(super) fn is_before(&self, moment: &Moment) -> bool {
        matches!(&self.0, ViewTime::Point(point) if point.is_before_moment(moment))
    }

    /// Returns the position of the event, if the time is one.
    pub(super) fn event(&self) -> Option<usize> {
        match &self.0 {
            ViewTime::Point(point) => point.event(),
            ViewTime::Told(_) => None,
        }
    }

    /// Returns whether content at the given reading order has not been told yet.
    pub fn is_untold(&self, told: Option<u32>) -> bool {
        matches!((&self.0, told), (ViewTime::Told(now), Some(told)) if told > *now)
    }
}
