//! Directed relations, whichever way round they were written.

use super::Material;
use super::kinds::kind_name;
use crate::{CharacterRelation, RelationKind};

/// A directed relation between two characters of the cast, read so that its kind is the first of its pair: a child of
/// is turned round to a parent of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directed<'s> {
    /// `ParentOf`, `MentorOf` or `EmployerOf`.
    pub(super) kind: RelationKind,
    /// The position of the parent, mentor or employer.
    pub(super) above: usize,
    /// The position of the other.
    pub(super) below: usize,
    /// As it was written.
    pub(super) relation: &'s CharacterRelation,
}

/// All directed relations whose ends are known and not the same.
pub(super) fn directed<'s>(material: &Material<'s>) -> Vec<Directed<'s>> {
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
        (above != below).then_some(Directed { kind, above, below, relation })
    };
    material.story.character_relations.iter().filter_map(read).collect()
}

/// A relation in short, for quotes: `林青 parent_of 林月`.
pub(super) fn shown(relation: &CharacterRelation) -> String {
    format!("{} {} {}", relation.from.trim(), kind_name(relation.kind), relation.to.trim())
}

/// Whether it holds from beginning to end, as far as is said.
pub(super) fn is_unbounded(relation: &CharacterRelation) -> bool {
    relation.since.is_none() && relation.until.is_none()
}
