//! Whether something is so at a time: the same rules by which the ground truth answers.
//!
//! What certainly begins later, is certainly over, or is told later is not so. Of a word with one value at a time
//! (`is_at`, the holder of a thing) the one holds that has not been replaced by one that certainly began since.

use std::cell::RefCell;

use qingyu_story::predicate;
use qingyu_story::truth::{PointId, Time};
use rustc_hash::FxHashMap;

use super::{Dated, EdgeId, Node, Property, StoryGraph};

/// Over which time something must be so.
#[derive(Debug, Clone)]
pub enum Span {
    /// At any time.
    Ever,
    /// As of a time.
    AsOf(Time),
    /// At some time from the first to the second.
    During(Time, Time),
}

/// Tells what is so over a [`Span`] of one graph.
#[derive(Debug)]
pub struct Holding<'g> {
    graph: &'g StoryGraph,
    span: Span,
    /// What was found out about points: whether they are later than the span, over before it, reached at its beginning.
    points: RefCell<FxHashMap<(PointId, Ask), bool>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Ask {
    Later,
    Over,
    Reached,
}

impl<'g> Holding<'g> {
    /// For one graph and one span of time.
    pub fn new(graph: &'g StoryGraph, span: Span) -> Self {
        Self { graph, span, points: RefCell::default() }
    }

    /// Whether the edge may hold: nothing says that it does not.
    pub fn holds(&self, edge: EdgeId) -> bool {
        let dated = &self.graph[edge].dated;
        self.may_be(dated) && !self.is_replaced(edge)
    }

    /// The values of a property that the node may have, as far as they are told as being so.
    pub(crate) fn values<'n>(&self, node: &'n Node, property: &str) -> Vec<&'n Property> {
        let all = node.properties.get(property).map_or(&[][..], Vec::as_slice);
        let is_single = !matches!(self.span, Span::Ever) && predicate::find(property).is_some_and(|word| word.single);
        let is_replaced = |one: &Property| {
            let since = |other: &Property| {
                let other = &other.dated;
                other.is_narrated() && self.has_begun(other) && other.is_after(&one.dated, self.graph)
            };
            is_single && all.iter().any(since)
        };
        let may_be = |one: &&Property| one.dated.is_certain() && self.may_be(&one.dated);
        all.iter().filter(may_be).filter(|one| !is_replaced(one)).collect()
    }

    /// Whether it certainly holds: it has certainly begun.
    pub fn is_certain(&self, edge: EdgeId) -> bool {
        let dated = &self.graph[edge].dated;
        matches!(self.span, Span::Ever) || dated.is_first || self.is_reached(dated)
    }

    /// Whether what is dated so may hold.
    pub(crate) fn may_be(&self, dated: &Dated) -> bool {
        let (start, end) = match &self.span {
            Span::Ever => return true,
            Span::AsOf(time) => (time, time),
            Span::During(start, end) => (start, end),
        };
        if end.is_untold(dated.told) {
            return false;
        }
        let later = match (end.order(), dated.begin) {
            (Some(now), _) => dated.begin_order.is_some_and(|order| order > now),
            (None, Some(begin)) => self.asked(begin, Ask::Later, || self.graph.clock().is_later(begin, end)),
            (None, None) => false,
        };
        let over = || match (start.order(), dated.end) {
            (Some(now), _) => dated.end_order.is_some_and(|order| order < now),
            (None, Some(end)) => self.asked(end, Ask::Over, || self.graph.clock().is_over(end, start)),
            (None, None) => false,
        };
        !later && !over()
    }

    /// Whether what is dated so has certainly begun at the end of the span.
    fn is_reached(&self, dated: &Dated) -> bool {
        let (Span::AsOf(end) | Span::During(_, end)) = &self.span else { return true };
        match (end.order(), dated.begin) {
            (Some(now), _) => dated.begin_order.is_some_and(|order| order <= now),
            (None, Some(begin)) => self.graph.clock().is_reached(begin, end),
            (None, None) => false,
        }
    }

    /// Whether what is dated so had certainly begun when the span begins; of a stretch of time, before it.
    fn has_begun(&self, dated: &Dated) -> bool {
        let Some(begin) = dated.begin else { return false };
        match &self.span {
            Span::Ever => false,
            Span::AsOf(now) => match now.order() {
                Some(now) => dated.begin_order.is_some_and(|order| order <= now),
                None => self.asked(begin, Ask::Reached, || self.graph.clock().is_reached(begin, now)),
            },
            Span::During(start, _) => match start.order() {
                Some(start) => dated.begin_order.is_some_and(|order| order < start),
                None => self.asked(begin, Ask::Reached, || self.graph.clock().is_over(begin, start)),
            },
        }
    }

    /// Whether another one, certainly begun since, has taken its place.
    fn is_replaced(&self, id: EdgeId) -> bool {
        if matches!(self.span, Span::Ever) {
            return false;
        }
        let graph = self.graph;
        let edge = &graph[id];
        let word = graph.word(edge.kind);
        let since = |other: EdgeId| {
            let other = &graph[other].dated;
            other.is_narrated() && self.has_begun(other) && other.is_after(&edge.dated, graph)
        };
        let of_subject = || graph.ties_of(edge.from, edge.kind, true).any(&since);
        let of_object = || graph.ties_of(edge.to, edge.kind, false).any(&since);
        word.single && of_subject() || word.exclusive && of_object()
    }

    fn asked(&self, point: PointId, what: Ask, find: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.points.borrow().get(&(point, what)) {
            return *known;
        }
        let found = find();
        self.points.borrow_mut().insert((point, what), found);
        found
    }
}

impl Dated {
    /// Whether it certainly begins after `other`.
    pub(super) fn is_after(&self, other: &Self, graph: &StoryGraph) -> bool {
        match (other.begin, self.begin) {
            (Some(other), Some(begin)) => graph.clock().is_before(other, begin),
            (None, Some(_)) => other.is_first,
            _ => false,
        }
    }
}

impl StoryGraph {
    fn ties_of(&self, node: super::NodeId, word: super::KindId, leaving: bool) -> impl Iterator<Item = EdgeId> {
        let ties = if leaving { self.leaving(node) } else { self.arriving(node) };
        super::of_word(ties, word).iter().map(|(_, _, edge)| *edge)
    }
}
