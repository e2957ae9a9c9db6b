//! The statements of a story, as others may read them.

use serde_json::Value;

use super::statement::Given;
use super::{Entity, GroundTruth, PointId, Statement};
use crate::piece::PieceKind;
use crate::{Evidence, Mode};

/// One statement: of a fact, a card, a relation or an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim<'t> {
    /// Who or what it is about.
    pub subject: Party<'t>,
    /// The predicate, by its name in the vocabulary if it is there.
    pub predicate: &'t str,
    /// Who or what is on the other side.
    pub object: Option<Party<'t>>,
    /// The value, if there is one.
    pub value: Value,
    /// The unit of the value.
    pub unit: &'t str,
    /// From when it holds, if known.
    pub from: Option<PointId>,
    /// Until when it holds, if known.
    pub until: Option<PointId>,
    /// The times as they are written; empty if they are not.
    pub when: [&'t str; 2],
    /// The place in reading order of the outline node that tells it.
    pub told: Option<u32>,
    /// How it is told.
    pub mode: Mode,
    /// Who says so, if somebody does.
    pub by: Option<Party<'t>>,
    /// The kind of the piece that makes it, and the piece's id, or its name if it has no id.
    pub piece: (PieceKind, &'t str),
    /// The sentence that says so, and where it stands.
    pub says: Evidence,
}

/// A piece that a claim is about, or a name without a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party<'t> {
    /// What it is; none for a name without a piece, and for one that may mean several.
    pub kind: Option<PieceKind>,
    /// Its place in its list, or among the names without a piece.
    pub position: usize,
    /// Its name.
    pub name: &'t str,
}

impl<'s> GroundTruth<'s> {
    /// Everything the story says, in the order of its pieces: facts, cards, relations, events.
    ///
    /// Of two inverse words the one that stands first in the vocabulary is used. What was taken back, and what is said
    /// not to be so, is left out.
    pub fn claims(&self) -> impl Iterator<Item = Claim<'_>> {
        let stands = |statement: &&Statement<'s>| statement.mode != Mode::Retconned && !statement.is_denied();
        self.statements.iter().filter(stands).map(|statement| self.claim(statement))
    }

    fn claim(&self, statement: &Statement<'s>) -> Claim<'_> {
        let (value, unit) = match statement.value {
            Given::Nothing => (Value::Null, ""),
            Given::Text(text) => (text.into(), ""),
            Given::Value(value, unit) => (value.clone(), unit),
            Given::Age(age) => (age.into(), ""),
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
            mode: statement.mode,
            by: statement.by.map(|by| self.party(by)),
            piece: statement.basis.key(self.story),
            says: statement.evidence(self),
        }
    }

    fn party(&self, entity: Entity) -> Party<'_> {
        Party { kind: entity.kind, position: entity.index, name: self.registry.name(entity) }
    }
}
