//! Read access to the statements of a story for other crates.

use serde_json::Value;

use super::statement::StatementValue;
use super::{Entity, GroundTruth, PointId, TruthStatement};
use crate::piece::PieceKind;
use crate::{Evidence, Mode};

/// A statement of a fact, a card, a relation or an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim<'t> {
    /// The subject.
    pub subject: Party<'t>,
    /// The predicate, by the vocabulary name if listed.
    pub predicate: &'t str,
    /// The object.
    pub object: Option<Party<'t>>,
    /// The value; null if absent.
    pub value: Value,
    /// The unit of the value.
    pub unit: &'t str,
    /// The start, if known.
    pub from: Option<PointId>,
    /// The end, if known.
    pub until: Option<PointId>,
    /// The start and end as written; empty if absent.
    pub when: [&'t str; 2],
    /// The reading order of the outline node with the statement.
    pub told: Option<u32>,
    /// The first character of the source sentence in its text, if known.
    pub sentence: Option<u32>,
    /// The mode of telling.
    pub mode: Mode,
    /// The speaker, if any.
    pub by: Option<Party<'t>>,
    /// The kind of the source piece, and the id or, as fallback, the name.
    pub piece: (PieceKind, &'t str),
    /// The position of the source piece in its list.
    pub position: usize,
    /// The source sentence with the location.
    pub says: Evidence,
}

/// A piece named in a claim, or a name without a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party<'t> {
    /// The kind; `None` for a name without a piece or an ambiguous name.
    pub kind: Option<PieceKind>,
    /// The position in the list of the kind, or among the names without a piece.
    pub position: usize,
    /// The name.
    pub name: &'t str,
}

impl<'s> GroundTruth<'s> {
    /// Iterates over all statements of the story in the order facts, cards, relations, events.
    ///
    /// Of two inverse predicates the first in the vocabulary is used. Retracted and negated statements are omitted.
    pub fn claims(&self) -> impl Iterator<Item = Claim<'_>> {
        let stands = |statement: &&TruthStatement<'s>| statement.mode != Mode::Retconned && !statement.is_denied();
        self.statements.iter().filter(stands).map(|statement| self.claim(statement))
    }

    fn claim(&self, statement: &TruthStatement<'s>) -> Claim<'_> {
        let (value, unit) = match statement.value {
            StatementValue::Nothing => (Value::Null, ""),
            StatementValue::Text(text) => (text.into(), ""),
            StatementValue::Value(value, unit) => (value.clone(), unit),
            StatementValue::Age(age) => (age.into(), ""),
        };
        Claim {
            subject: self.party(statement.subject),
            predicate: self.word(statement.predicate),
            object: statement.object.map(|object| self.party(object)),
            value,
            unit,
            from: statement.span.from,
            until: statement.span.until,
            when: statement.basis.times(self.story),
            told: statement.order,
            sentence: self.sentence_of(statement).map(|(_, start)| start),
            mode: statement.mode,
            by: statement.by.map(|by| self.party(by)),
            piece: statement.basis.key(self.story),
            position: statement.basis.position(),
            says: statement.evidence(self),
        }
    }

    fn party(&self, entity: Entity) -> Party<'_> {
        Party { kind: entity.kind, position: entity.index, name: self.registry.name(entity) }
    }
}
