//! One statement, wherever it stands in the story.

use serde_json::Value;

use super::{Entity, GroundTruth, PointId, Timeline};
use crate::part::Part;
use crate::piece::PieceKind;
use crate::rules::{anchor, handle};
use crate::{Evidence, Mode, Story};

/// A word of the vocabulary, by its place there, or one of the story's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(pub(crate) u32);

/// That something is so.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'s> {
    pub(crate) subject: Entity,
    pub(crate) predicate: Term,
    pub(crate) object: Option<Entity>,
    pub(crate) value: Given<'s>,
    pub(crate) span: Span,
    /// The place in reading order of the outline node that tells it.
    pub(crate) order: Option<u32>,
    pub(crate) mode: Mode,
    pub(crate) by: Option<Entity>,
    pub(crate) basis: Basis,
}

/// The value of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Given<'s> {
    Nothing,
    Text(&'s str),
    Value(&'s Value, &'s str),
    Age(i32),
}

/// From when until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) from: Option<PointId>,
    pub(crate) until: Option<PointId>,
}

/// What makes a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    Fact(usize),
    Character(usize, &'static str),
    Item(usize),
    Relation(usize),
    Event(usize, &'static str),
}

impl<'s> Statement<'s> {
    /// Whether it is told as something that is so.
    pub(crate) fn is_narrated(&self) -> bool {
        self.mode == Mode::Narrated
    }

    /// Its number with the unit.
    pub(crate) fn number(&self) -> Option<(f64, &'s str)> {
        match self.value {
            Given::Value(value, unit) => crate::predicate::quantity(value, unit),
            Given::Age(age) => Some((f64::from(age), "岁")),
            Given::Nothing | Given::Text(_) => None,
        }
    }

    /// Its text.
    pub(crate) fn text(&self) -> Option<&'s str> {
        match self.value {
            Given::Value(value, _) => value.as_str(),
            Given::Text(text) => Some(text),
            Given::Nothing | Given::Age(_) => None,
        }
    }

    /// Whether it says that it is not so.
    pub(crate) fn is_denied(&self) -> bool {
        matches!(self.value, Given::Value(Value::Bool(false), _))
    }

    /// What is counted, if a number stands beside an object.
    pub(crate) fn object_of_count(&self) -> Option<Entity> {
        self.object.filter(|_| self.number().is_some())
    }

    /// Whether its value says only whether it is so.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.value, Given::Value(Value::Bool(_), _))
    }

    /// The value as it is shown.
    pub(crate) fn shown(&self, truth: &GroundTruth<'s>) -> String {
        match (self.object, self.value) {
            (Some(object), _) => truth.registry.name(object).to_owned(),
            (None, Given::Nothing) => String::new(),
            (None, Given::Text(text)) => text.trim().to_owned(),
            (None, Given::Value(Value::String(text), unit)) => format!("{}{unit}", text.trim()),
            (None, Given::Value(value, unit)) => format!("{value}{unit}"),
            (None, Given::Age(age)) => age.to_string(),
        }
    }

    /// The sentence that says so: the quote of a fact, else the statement in a line.
    pub(crate) fn evidence(&self, truth: &GroundTruth<'s>) -> Evidence {
        let name = |entity| truth.registry.name(entity);
        let line = || {
            let line = format!("{} {} {}", name(self.subject), truth.word(self.predicate), self.shown(truth));
            line.trim().to_owned()
        };
        let fact = truth.asserting(self);
        let quote = fact.and_then(|fact| fact.source.as_ref()).map(|source| source.quote.trim());
        let quote = quote.filter(|quote| !quote.is_empty()).map_or_else(line, str::to_owned);
        Evidence { anchor: self.basis.anchor(truth.story), quote: format!("{quote}{}", self.when(truth)) }
    }

    /// The times as they are written, in brackets.
    fn when(&self, truth: &GroundTruth<'s>) -> String {
        let written = match self.basis {
            Basis::Fact(_) | Basis::Event(..) => self.basis.times(truth.story),
            _ => ["", ""],
        };
        match written {
            ["", ""] => String::new(),
            [from, until] if from == until || until.is_empty() => format!(" ({from})"),
            [from, until] => format!(" ({from} – {until})"),
        }
    }
}

impl Span {
    /// Whether nothing is known of it.
    pub(crate) fn is_open(self) -> bool {
        self.from.is_none() && self.until.is_none()
    }

    /// Whether it is one moment.
    pub(crate) fn is_moment(self) -> bool {
        self.from.is_some() && self.from == self.until
    }

    /// Whether `point` lies certainly within it, not at its ends.
    pub(crate) fn holds(self, point: PointId, timeline: &Timeline<'_>) -> bool {
        self.from.is_some_and(|from| timeline.is_before(from, point))
            && self.until.is_some_and(|until| timeline.is_before(point, until))
    }

    /// Whether there is certainly a moment that lies in both.
    ///
    /// `is_same` says which beginnings are the same.
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

impl Basis {
    /// From when until when, as it is written; empty where it is not.
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

    /// Where it stands: `facts/f-3/value`.
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

    /// The kind of the piece and its id, or its name if it has none: what statements are sorted by.
    pub(crate) fn key(self, story: &Story) -> (PieceKind, &str) {
        fn named<P: Part>(kind: PieceKind, part: &P) -> (PieceKind, &str) {
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

    /// The kind of the piece and what tells it from others of its kind.
    pub(crate) fn piece(self, story: &Story) -> (PieceKind, String) {
        fn named<P: Part>(kind: PieceKind, part: &P) -> (PieceKind, String) {
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
