//! Directed relations, normalized in direction.

use super::RuleMaterial;
use super::kinds::kind_name;
use crate::{Character, CharacterRelation, Language, RelationKind, Story};

/// A directed relation between two characters, normalized to the first kind of its pair: a child-of relation is
/// reversed to parent-of.
#[derive(Debug, Clone, Copy)]
pub(super) struct DirectedRelation<'s> {
    /// `ParentOf`, `MentorOf` or `EmployerOf`.
    pub(super) kind: RelationKind,
    /// The index of the parent, mentor or employer.
    pub(super) above: usize,
    /// The index of the other character.
    pub(super) below: usize,
    /// The relation as written.
    pub(super) relation: &'s CharacterRelation,
}

/// Returns all directed relations with known, distinct ends.
pub(super) fn directed<'s>(material: &RuleMaterial<'s>) -> Vec<DirectedRelation<'s>> {
    let read = |relation: &'s CharacterRelation| {
        let from = material.character_position(&relation.from)?;
        let to = material.character_position(&relation.to)?;
        let (kind, above, below) = match relation.kind {
            RelationKind::ParentOf | RelationKind::MentorOf | RelationKind::EmployerOf => (relation.kind, from, to),
            RelationKind::ChildOf | RelationKind::StudentOf | RelationKind::EmployeeOf => {
                (relation.kind.inverse(), to, from)
            }
            _ => return None,
        };
        (above != below).then_some(DirectedRelation { kind, above, below, relation })
    };
    material.story.character_relations.iter().filter_map(read).collect()
}

/// Returns a relation as a sentence, for quotes: `林青是林月的母亲`, `Ann is Ben's parent`.
pub(super) fn shown(relation: &CharacterRelation, story: &Story) -> String {
    relation.sentence(&story.characters, story.language)
}

/// Returns what the person `name` is to the other, in the language of the story.
pub(super) fn of_one(kind: RelationKind, name: &str, story: &Story) -> String {
    let is_it = |card: &&Character| card.is_called(name);
    match story.language {
        Language::Zh => kind.of_one(story.characters.iter().find(is_it).and_then(Character::is_male), Language::Zh),
        Language::En => kind_name(kind),
    }
}

/// Returns whether the relation has neither a start nor an end.
pub(super) fn is_unbounded(relation: &CharacterRelation) -> bool {
    relation.since.is_none() && relation.until.is_none()
}
