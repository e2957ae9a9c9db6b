//! Whether an edge holds at a time: the same rules as in the ground truth.
//!
//! An edge that certainly begins later, is certainly over, or is told later does not hold. Of a word with one value at
//! a time (`is_at`, the holder of a thing) an edge holds unless replaced by another that certainly began since; see
//! `replacement`. As of a chapter, a thing with a card is with the holder that
//! [`Holdings`](qingyu_story::holdings::Holdings) has by then.

use std::cell::RefCell;

use qingyu_story::predicate;
use qingyu_story::truth::{PointId, Time};
use rustc_hash::FxHashMap;

use super::parts::{DatedSpan, EdgeId, HoldingEnd, Property, StoryNode};
use super::story_graph::StoryGraph;

/// A span of the story's time.
#[derive(Debug, Clone)]
pub(crate) enum StorySpan {
    /// Any time.
    Ever,
    /// A point in time.
    AsOf(Time),
    /// Some time from the first to the second.
    During(Time, Time),
}

/// An evaluator of edges and properties over a span of time of one graph, made by
/// [`When::evaluator`](crate::pattern::When::evaluator).
#[derive(Debug)]
pub(crate) struct SpanEvaluator<'g> {
    graph: &'g StoryGraph,
    span: StorySpan,
    /// A cache of facts about points: whether later than the span, over before the span, reached at its begin or end.
    points: RefCell<FxHashMap<(PointId, PointQuery), bool>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PointQuery {
    Later,
    Over,
    Reached,
    ReachedAtEnd,
}

impl<'g> SpanEvaluator<'g> {
    /// Returns an evaluator for one graph and one span of time.
    pub(crate) fn new(graph: &'g StoryGraph, span: StorySpan) -> Self {
        Self { graph, span, points: RefCell::default() }
    }

    /// Returns whether the edge may hold: nothing contradicts the edge.
    pub(crate) fn holds(&self, edge: EdgeId) -> bool {
        let dated = &self.graph[edge].dated;
        self.may_be(dated) && !self.is_replaced(edge)
    }

    /// Returns the values of a property that the node may have, as far as told as truths.
    pub(crate) fn values<'n>(&self, node: &'n StoryNode, property: &str) -> Vec<&'n Property> {
        let all = node.properties.get(property).map_or(&[][..], Vec::as_slice);
        let is_single =
            !matches!(self.span, StorySpan::Ever) && predicate::find(property).is_some_and(|word| word.single);
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

    /// Returns whether the edge has certainly begun.
    pub(crate) fn is_certain(&self, edge: EdgeId) -> bool {
        let dated = &self.graph[edge].dated;
        matches!(self.span, StorySpan::Ever) || dated.is_first || self.is_reached(dated)
    }

    /// Returns whether a date may overlap the span.
    pub(crate) fn may_be(&self, dated: &DatedSpan) -> bool {
        let (start, end) = match &self.span {
            StorySpan::Ever => return true,
            StorySpan::AsOf(time) => (time, time),
            StorySpan::During(start, end) => (start, end),
        };
        if end.is_untold(dated.told) {
            return false;
        }
        let later = match (end.order(), dated.begin) {
            (Some(now), _) => dated.begin_order.is_some_and(|order| order > now),
            (None, Some(begin)) => self.asked(begin, PointQuery::Later, || self.graph.clock().is_later(begin, end)),
            (None, None) => false,
        };
        let over = || match (start.order(), dated.end) {
            (Some(now), _) => dated.end_order.is_some_and(|order| order < now),
            (None, Some(end)) => self.asked(end, PointQuery::Over, || self.graph.clock().is_over(end, start)),
            (None, None) => false,
        };
        !later && !over()
    }

    /// Returns whether a date has certainly begun at the end of the span.
    fn is_reached(&self, dated: &DatedSpan) -> bool {
        let (StorySpan::AsOf(end) | StorySpan::During(_, end)) = &self.span else { return true };
        match (end.order(), dated.begin_order, dated.begin) {
            (Some(now), Some(order), _) => order <= now,
            (_, _, Some(begin)) => {
                self.asked(begin, PointQuery::ReachedAtEnd, || self.graph.clock().is_reached(begin, end))
            }
            _ => false,
        }
    }

    /// Returns whether a date had certainly begun at the start of the span; for a stretch of time, before the start.
    fn has_begun(&self, dated: &DatedSpan) -> bool {
        let Some(begin) = dated.begin else { return false };
        match &self.span {
            StorySpan::Ever => false,
            StorySpan::AsOf(now) => match now.order() {
                Some(now) => dated.begin_order.is_some_and(|order| order <= now),
                None => self.asked(begin, PointQuery::Reached, || self.graph.clock().is_reached(begin, now)),
            },
            StorySpan::During(start, _) => match start.order() {
                Some(start) => dated.begin_order.is_some_and(|order| order < start),
                None => self.asked(begin, PointQuery::Reached, || self.graph.clock().is_over(begin, start)),
            },
        }
    }

    /// Returns whether another edge, certainly begun since, has replaced the edge.
    fn is_replaced(&self, id: EdgeId) -> bool {
        if matches!(self.span, StorySpan::Ever) {
            return false;
        }
        let is_of_thing = self.graph.word(self.graph[id].kind).exclusive;
        if is_of_thing && let Some(is_over) = self.is_handed_on(&self.graph[id].dated) {
            return is_over;
        }
        let is_begun = |dated: &&DatedSpan| self.has_begun(dated) || is_of_thing && self.is_told(dated);
        let ends: Vec<&DatedSpan> = self.graph.replacements(id).into_iter().filter(is_begun).collect();
        let returns = if ends.is_empty() { Vec::new() } else { self.graph.returns(id) };
        let returns: Vec<&DatedSpan> = returns.into_iter().filter(is_begun).collect();
        ends.iter().any(|end| !returns.iter().any(|back| back.comes_after(end, self.graph)))
    }

    /// Returns whether a thing with a card is no longer with a holder as of the chapters of the span; `None` for another span
    /// or thing.
    fn is_handed_on(&self, dated: &DatedSpan) -> Option<bool> {
        let end = dated.holding?;
        let is_over = |at: u32| match &self.span {
            StorySpan::Ever => None,
            StorySpan::AsOf(now) => Some(at <= now.order()?),
            StorySpan::During(start, _) => Some(at < start.order()?),
        };
        match end {
            HoldingEnd::NotNow => is_over(0).map(|_| true),
            HoldingEnd::At(at) => is_over(at),
            HoldingEnd::Open => is_over(u32::MAX),
        }
    }

    /// Returns whether a change of hands without a chapter of its own is told by the end of the chapter of the span.
    fn is_told(&self, dated: &DatedSpan) -> bool {
        let StorySpan::AsOf(now) = &self.span else { return false };
        let told = now.order().zip(dated.told).filter(|_| dated.begin_order.is_none());
        told.is_some_and(|(now, told)| told <= now)
    }

    fn asked(&self, point: PointId, what: PointQuery, find: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.points.borrow().get(&(point, what)) {
            return *known;
        }
        let found = find();
        self.points.borrow_mut().insert((point, what), found);
        found
    }
}
