//! A statement from any piece of the story.

use serde_json::Value;

use super::entity::Entity;
use super::timeline::{PointId, Timeline};
use crate::part::{PieceData, anchor, handle};
use crate::piece::PieceKind;
use crate::{Mode, Story};

/// The index of a vocabulary word, or of a word defined by the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PredicateTerm(pub(crate) u32);

/// A subject, predicate and value with their validity and source.
#[derive(Debug, Clone)]
pub(crate) struct TruthStatement<'s> {
    pub(crate) subject: Entity,
    pub(crate) predicate: PredicateTerm,
    pub(crate) object: Option<Entity>,
    pub(crate) value: StatementValue<'s>,
    pub(crate) span: PointSpan,
    /// The reading order of the outline node with the statement.
    pub(crate) order: Option<u32>,
    pub(crate) mode: Mode,
    pub(crate) by: Option<Entity>,
    pub(crate) basis: StatementBasis,
}

/// The value of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatementValue<'s> {
    Nothing,
    Text(&'s str),
    Value(&'s Value, &'s str),
    Age(i32),
}

/// A time span between two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PointSpan {
    pub(crate) from: Option<PointId>,
    pub(crate) until: Option<PointId>,
}

/// The source of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StatementBasis {
    Fact(usize),
    Character(usize, &'static str),
    Item(usize),
    Relation(usize),
    Event(usize, &'static str),
}

impl<'s> TruthStatement<'s> {
    /// Returns whether the statement is narrated as true.
    pub(crate) fn is_narrated(&self) -> bool {
        self.mode == Mode::Narrated
    }

    /// Returns the number with the unit.
    pub(crate) fn number(&self) -> Option<(f64, &'s str)> {
        match self.value {
            StatementValue::Value(value, unit) => crate::predicate::quantity(value, unit),
            StatementValue::Age(age) => Some((f64::from(age), "岁")),
            StatementValue::Nothing | StatementValue::Text(_) => None,
        }
    }

    /// Returns the text value.
    pub(crate) fn text(&self) -> Option<&'s str> {
        match self.value {
            StatementValue::Value(value, _) => value.as_str(),
            StatementValue::Text(text) => Some(text),
            StatementValue::Nothing | StatementValue::Age(_) => None,
        }
    }

    /// Returns whether the statement is negated.
    pub(crate) fn is_denied(&self) -> bool {
        matches!(self.value, StatementValue::Value(Value::Bool(false), _))
    }

    /// Returns the counted object, if the value is a number.
    pub(crate) fn object_of_count(&self) -> Option<Entity> {
        self.object.filter(|_| self.number().is_some())
    }

    /// Returns whether the value is only true or false.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.value, StatementValue::Value(Value::Bool(_), _))
    }
}

impl PointSpan {
    /// Returns whether both ends are unknown.
    pub(crate) fn is_open(self) -> bool {
        self.from.is_none() && self.until.is_none()
    }

    /// Returns whether the span is a single moment.
    pub(crate) fn is_moment(self) -> bool {
        self.from.is_some() && self.from == self.until
    }

    /// Returns whether `point` certainly lies inside the span, excluding the ends.
    pub(crate) fn holds(self, point: PointId, timeline: &Timeline<'_>) -> bool {
        self.from.is_some_and(|from| timeline.is_before(from, point))
            && self.until.is_some_and(|until| timeline.is_before(point, until))
    }

    /// Returns whether the span lasts no longer than to `point`, and does not begin at it or on the same day.
    pub(crate) fn ends_by(self, point: PointId, timeline: &Timeline<'_>) -> bool {
        let is_then = |end: PointId| end == point || timeline.is_same_day(end, point);
        let is_over = self.until.is_some_and(|until| is_then(until) || timeline.is_before(until, point));
        is_over && !self.from.is_some_and(is_then)
    }

    /// Returns whether both spans certainly share a moment.
    ///
    /// The callback `is_same` decides whether two starts are equal.
    pub(crate) fn overlaps(
        self,
        other: Self,
        timeline: &Timeline<'_>,
        is_same: impl Fn(PointId, PointId) -> bool,
    ) -> bool {
        let both = |a: Option<PointId>, b: Option<PointId>| a.zip(b).is_some_and(|(a, b)| is_same(a, b));
        let begins_in = |a: Self, b: Self| a.from.is_some_and(|from| b.holds(from, timeline));
        let ends_in = |a: Self, b: Self| !a.is_moment() && a.until.is_some_and(|until| b.holds(until, timeline));
        let last_together = !self.is_moment() && !other.is_moment() && both(self.until, other.until);
        both(self.from, other.from)
            || begins_in(self, other)
            || begins_in(other, self)
            || ends_in(self, other)
            || ends_in(other, self)
            || last_together
    }
}

impl StatementBasis {
    /// Returns the start and end as written; empty if absent.
    pub(crate) fn times(self, story: &Story) -> [&str; 2] {
        match self {
            Self::Fact(position) => {
                let fact = &story.facts[position];
                [fact.from.trim(), fact.until.trim()]
            }
            Self::Relation(position) => {
                let relation = &story.character_relations[position];
                [&relation.since, &relation.until].map(|time| time.as_deref().unwrap_or_default().trim())
            }
            Self::Event(position, _) => [story.timeline_events[position].timestamp.trim(), ""],
            Self::Character(..) | Self::Item(_) => ["", ""],
        }
    }

    /// Returns the location of the source: `facts/f-3/value`.
    pub(crate) fn anchor(self, story: &Story) -> String {
        match self {
            Self::Fact(position) => {
                let fact = &story.facts[position];
                let field = if fact.source.is_some() { "source" } else { "predicate" };
                anchor(PieceKind::Fact, fact, field)
            }
            Self::Character(position, field) => anchor(PieceKind::Character, &story.characters[position], field),
            Self::Item(position) => anchor(PieceKind::Item, &story.items()[position], "holder"),
            Self::Relation(position) => anchor(PieceKind::Relation, &story.character_relations[position], "type"),
            Self::Event(position, field) => anchor(PieceKind::Event, &story.timeline_events[position], field),
        }
    }

    /// Returns the kind of the piece and the id, with the name as fallback, for sorting statements.
    pub(crate) fn key(self, story: &Story) -> (PieceKind, &str) {
        fn named<P: PieceData>(kind: PieceKind, part: &P) -> (PieceKind, &str) {
            (kind, if part.id().trim().is_empty() { part.name().trim() } else { part.id().trim() })
        }
        match self {
            Self::Fact(position) => named(PieceKind::Fact, &story.facts[position]),
            Self::Character(position, _) => named(PieceKind::Character, &story.characters[position]),
            Self::Item(position) => named(PieceKind::Item, &story.items()[position]),
            Self::Relation(position) => named(PieceKind::Relation, &story.character_relations[position]),
            Self::Event(position, _) => named(PieceKind::Event, &story.timeline_events[position]),
        }
    }

    /// Returns the position of the piece in its list.
    pub(crate) fn position(self) -> usize {
        match self {
            Self::Fact(position)
            | Self::Character(position, _)
            | Self::Item(position)
            | Self::Relation(position)
            | Self::Event(position, _) => position,
        }
    }

    /// Returns the kind of the piece and an identifier unique within the kind.
    pub(crate) fn piece(self, story: &Story) -> (PieceKind, String) {
        fn named<P: PieceData>(kind: PieceKind, part: &P) -> (PieceKind, String) {
            (kind, handle(part))
        }
        match self {
            Self::Fact(position) => named(PieceKind::Fact, &story.facts[position]),
            Self::Character(position, _) => named(PieceKind::Character, &story.characters[position]),
            Self::Item(position) => named(PieceKind::Item, &story.items()[position]),
            Self::Relation(position) => named(PieceKind::Relation, &story.character_relations[position]),
            Self::Event(position, _) => named(PieceKind::Event, &story.timeline_events[position]),
        }
    }
}
