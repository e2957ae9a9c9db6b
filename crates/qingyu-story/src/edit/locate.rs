//! Finds the piece addressed by an edit.

use super::command::EditTarget;
use super::error::Error;
use crate::RelationKind;
use crate::character::CharacterRelation;
use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::story::Story;

/// Returns the index of the piece addressed by `target`.
pub(crate) fn locate(story: &Story, kind: PieceKind, target: &EditTarget) -> Result<usize, Error> {
    let found = match target {
        EditTarget::Only => (0..story.count(kind)).take(2).collect(),
        EditTarget::Named(name) if kind == PieceKind::Relation => relations_by(story, |relation| relation.id == *name),
        EditTarget::Named(id) if kind == PieceKind::Fact => {
            let facts = story.facts.iter().enumerate();
            facts.filter(|(_, fact)| !id.trim().is_empty() && fact.id == *id).map(|(position, _)| position).collect()
        }
        EditTarget::Named(name) => Names::of(story).find(kind, name).iter().map(|named| named.position).collect(),
        EditTarget::Pair { from, to, kind } => pair(story, from, to, *kind),
    };
    match found.as_slice() {
        [position] => Ok(*position),
        [] => Err(Error::NotFound { kind, target: target.label() }),
        several => Err(Error::Ambiguous { kind, target: target.label(), count: several.len() }),
    }
}

/// Returns the relations of a pair. Among several, the kind decides; a single relation matches anyway, since the kind
/// may be the field to change.
pub(super) fn pair(story: &Story, from: &str, to: &str, kind: Option<RelationKind>) -> Vec<usize> {
    let names = Names::of(story);
    let same = |a: &str, b: &str| {
        fold(a) == fold(b)
            || names.resolve(PieceKind::Character, a).is_some_and(|a| names.resolve(PieceKind::Character, b) == Some(a))
    };
    let all = relations_by(story, |relation| same(&relation.from, from) && same(&relation.to, to));
    match kind {
        Some(kind) if all.len() > 1 => {
            all.into_iter().filter(|position| story.character_relations[*position].kind == kind).collect()
        }
        _ => all,
    }
}

fn relations_by(story: &Story, is_meant: impl Fn(&CharacterRelation) -> bool) -> Vec<usize> {
    let relations = story.character_relations.iter().enumerate();
    relations.filter(|(_, relation)| is_meant(relation)).map(|(position, _)| position).collect()
}
