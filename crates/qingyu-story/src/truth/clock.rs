//! When what a story says begins and is over, seen from a time in it.

use std::sync::Arc;

use super::timeline::{Point, Timeline};
use super::{GroundTruth, PointId};
use crate::chapters::{Chapter, Chapters, Unresolved};
use crate::piece::PieceKind;

/// The order of a story's times, as far as it is certain. It borrows nothing.
#[derive(Debug, Clone)]
pub struct Clock {
    timeline: Timeline<'static>,
    /// The places of the documents in reading order, by position.
    documents: Arc<[Option<u32>]>,
    chapters: Arc<Chapters>,
    /// The places of the chapters in reading order, as nodes and documents tell them.
    orders: Arc<[Option<u32>]>,
}

/// A time from which a story is seen.
#[derive(Debug, Clone)]
pub struct Time(Now);

#[derive(Debug, Clone)]
enum Now {
    /// An event, or a time in the story's words.
    Point(Box<Point>),
    /// The place in reading order up to whose end everything is told.
    Told(u32),
}

impl GroundTruth<'_> {
    /// The order of the story's times.
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
        Clock { timeline: self.timeline.detached(), documents, chapters: Arc::new(chapters), orders }
    }
}

impl Clock {
    /// The time that `words` mean: an event, a time in the story's words, or an outline node or document, for all that
    /// has been told by its end, chapters as [`Chapters::resolve`] reads them; none if they are empty, or not understood.
    ///
    /// Fails if they may mean several chapters.
    pub fn read(&self, words: &str) -> Result<Option<Time>, Unresolved> {
        if let Some(point) = self.timeline.made(words) {
            let told = point.order().filter(|_| !point.is_event());
            return Ok(Some(Time(told.map_or(Now::Point(Box::new(point)), Now::Told))));
        }
        if let Some(document) = self.timeline.names().resolve(PieceKind::Document, words) {
            return Ok(self.documents[document.position].map(Time::told));
        }
        match self.chapters.resolve(words) {
            Ok(chapter) => Ok(self.told(chapter)),
            Err(Unresolved::Unknown { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The time by which the chapter of that number has been told.
    pub fn chapter(&self, number: u32) -> Result<Time, Unresolved> {
        let given = number.to_string();
        let chapter = self.chapters.resolve(&given)?;
        self.told(chapter).ok_or(Unresolved::Unknown { given })
    }

    fn told(&self, chapter: &Chapter) -> Option<Time> {
        let place = usize::try_from(chapter.place).ok()?.checked_sub(1)?;
        self.orders.get(place).copied()?.map(Time::told)
    }

    /// The place in reading order of an event or outline node.
    pub fn order(&self, point: PointId) -> Option<u32> {
        self.timeline.order(point)
    }

    /// The point of the event at that position of the timeline.
    pub fn event(&self, position: usize) -> PointId {
        self.timeline.of_event(position)
    }

    /// Whether `a` is certainly over before `b` begins.
    pub fn is_before(&self, a: PointId, b: PointId) -> bool {
        self.timeline.is_before(a, b)
    }

    /// Whether what begins at `point` certainly begins later than `time`.
    pub fn is_later(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            Now::Point(now) => self.timeline.precedes(now, &self.timeline[point]),
            Now::Told(now) => self.timeline.order(point).is_some_and(|order| order > *now),
        }
    }

    /// Whether what ends at `point` is certainly over at `time`.
    pub fn is_over(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            Now::Point(now) => self.timeline.precedes(&self.timeline[point], now),
            Now::Told(now) => self.timeline.order(point).is_some_and(|order| order < *now),
        }
    }

    /// Whether `point` is certainly reached at `time`.
    pub fn is_reached(&self, point: PointId, time: &Time) -> bool {
        match &time.0 {
            Now::Point(now) => self.timeline[point].is_on_the_day_of(now) || self.is_over(point, time),
            Now::Told(now) => self.timeline.order(point).is_some_and(|order| order <= *now),
        }
    }
}

impl Time {
    /// The time by which everything up to that place in reading order has been told.
    pub fn told(order: u32) -> Self {
        Self(Now::Told(order))
    }

    /// The place in reading order, if it is one.
    pub fn order(&self) -> Option<u32> {
        match self.0 {
            Now::Told(order) => Some(order),
            Now::Point(_) => None,
        }
    }

    /// Whether what is told at that place in reading order has not been told yet.
    pub fn is_untold(&self, told: Option<u32>) -> bool {
        matches!((&self.0, told), (Now::Told(now), Some(told)) if told > *now)
    }
}
