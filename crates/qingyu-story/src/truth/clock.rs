//! When what a story says begins and is over, seen from a time in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::timeline::{Point, Timeline};
use super::{GroundTruth, PointId};
use crate::piece::PieceKind;
use crate::time::chinese_number;
use crate::{OutlineNodeKind, Story};

/// The order of a story's times, as far as it is certain. It borrows nothing.
#[derive(Debug, Clone)]
pub struct Clock {
    timeline: Timeline<'static>,
    /// The places of the documents in reading order, by position.
    documents: Arc<[Option<u32>]>,
    /// The places of the chapters in reading order, by their numbers.
    chapters: Arc<BTreeMap<u32, u32>>,
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
        let chapters = Arc::new(chapters(self.story));
        Clock { timeline: self.timeline.detached(), documents: documents.collect(), chapters }
    }
}

impl Clock {
    /// The time that `words` mean: an event, a time in the story's words, or an outline node or document, for all that
    /// has been told by its end, chapters also by their number (`chapter:2`, `第2章`); none if they are empty or not
    /// understood.
    pub fn read(&self, words: &str) -> Option<Time> {
        if let Some(point) = self.timeline.made(words) {
            let told = point.order().filter(|_| !point.is_event());
            return Some(Time(told.map_or(Now::Point(Box::new(point)), Now::Told)));
        }
        if let Some(document) = self.timeline.names().resolve(PieceKind::Document, words) {
            return self.documents[document.position].map(Time::told);
        }
        self.chapters.get(&numbered(words)?).copied().map(Time::told)
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

/// The places in reading order of the chapters by their numbers: that in the title where titles have numbers, else
/// the how manieth it is. A book without outline has its documents for chapters.
fn chapters(story: &Story) -> BTreeMap<u32, u32> {
    let nodes = story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter && node.order > 0);
    let mut titles: Vec<(u32, &str)> = nodes.map(|node| (node.order, node.name.as_str())).collect();
    if titles.is_empty() {
        let documents = story.documents.iter().filter(|document| document.order > 0);
        titles = documents.map(|document| (document.order, document.title.as_str())).collect();
    }
    titles.sort_by_key(|(order, _)| *order);
    let mut chapters = BTreeMap::new();
    for (order, title) in &titles {
        if let Some(number) = numbered(title) {
            chapters.entry(number).or_insert(*order);
        }
    }
    if chapters.is_empty() {
        chapters.extend((1..).zip(titles.iter().map(|(order, _)| *order)));
    }
    chapters
}

/// The number in `chapter:2`, `chapter 2`, `ch2`, `第2章` and `第二章 旧港`.
fn numbered(words: &str) -> Option<u32> {
    let words = words.trim();
    if let Some(rest) = words.strip_prefix('第') {
        let number = rest[..rest.find(['章', '回', '节'])?].trim();
        return number.parse().ok().or_else(|| u32::try_from(chinese_number(number)?).ok());
    }
    let lower = words.to_lowercase();
    let rest = ["chapter", "ch"].into_iter().find_map(|word| lower.strip_prefix(word))?;
    let rest = rest.trim_start_matches([':', '：', '.', ' ', '\u{3000}']);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
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
