//! Changes of the pieces of a story, with their provenance.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::{ChangeKey, PieceChange, Provenance, Story};
use serde::{Deserialize, Serialize};

use crate::{StoredKind, StoredPiece, piece};

/// A change of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum StoredChange {
    /// Inserts a piece, or replaces the piece with the same id.
    Put(StoredPiece),
    /// Removes a piece.
    Remove {
        /// The kind of the piece.
        kind: StoredKind,
        /// The id of the piece.
        id: String,
    },
}

impl StoredChange {
    /// Returns the kind and id of the changed piece.
    pub fn names(&self) -> (StoredKind, &str) {
        match self {
            Self::Put(piece) => (piece.kind, &piece.id),
            Self::Remove { kind, id } => (*kind, id),
        }
    }
}

impl From<PieceChange> for StoredChange {
    fn from(change: PieceChange) -> Self {
        let kind = change.kind().into();
        if change.is_deletion() {
            return Self::Remove { kind, id: change.id };
        }
        let position = u32::try_from(change.position).unwrap_or(u32::MAX);
        let mut tagged = serde_json::to_value(&change.piece).expect("pieces are plain data");
        Self::Put(StoredPiece { kind, id: change.id, position, body: tagged["piece"].take() })
    }
}

/// An entry of a story's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoryChange {
    /// Sequence number in the log, from 1; also the version of the project after the change.
    pub seq: u64,
    /// The key of the save.
    pub key: ChangeKey,
    /// The author and source.
    pub provenance: Provenance,
    /// Time of the commit.
    pub at: Timestamp,
    /// The changes.
    pub changes: Vec<StoredChange>,
}

/// The pieces of a story, by kind, each kind in order.
pub(crate) type Pieces = BTreeMap<StoredKind, Vec<StoredPiece>>;

/// Sorts pieces by kind and position.
pub(crate) fn arrange(pieces: impl IntoIterator<Item = StoredPiece>) -> Pieces {
    let mut kinds = Pieces::new();
    for piece in pieces {
        kinds.entry(piece.kind).or_default().push(piece);
    }
    for of_kind in kinds.values_mut() {
        of_kind.sort_by(|a, b| (a.position, &a.id).cmp(&(b.position, &b.id)));
    }
    kinds
}

/// Applies changes to pieces.
///
/// An inserted piece has its position afterwards; other pieces keep their order around the piece.
pub(crate) fn apply(pieces: &mut Pieces, changes: &[StoredChange]) {
    for kind in StoredKind::all() {
        let mut put: Vec<&StoredPiece> = put(changes).filter(|piece| piece.kind == kind).collect();
        let removed = changes.iter().filter_map(|change| match change {
            StoredChange::Remove { kind: removed, id } if *removed == kind => Some(id.as_str()),
            StoredChange::Remove { .. } | StoredChange::Put(_) => None,
        });
        let named: Vec<&str> = removed.chain(put.iter().map(|piece| piece.id.as_str())).collect();
        if named.is_empty() {
            continue;
        }
        let of_kind = pieces.entry(kind).or_default();
        of_kind.retain(|piece| !named.contains(&piece.id.as_str()));
        put.sort_by_key(|piece| piece.position);
        for piece in put {
            let place = of_kind.len().min(piece.position as usize);
            of_kind.insert(place, piece.clone());
        }
        for (position, piece) in (0..).zip(of_kind) {
            piece.position = position;
        }
    }
}

/// Returns the pieces inserted by changes.
pub(crate) fn put(changes: &[StoredChange]) -> impl Iterator<Item = &StoredPiece> {
    changes.iter().filter_map(|change| match change {
        StoredChange::Put(piece) => Some(piece),
        StoredChange::Remove { .. } => None,
    })
}

/// Returns the changes from `before` to `after`: pieces inserted, modified, moved before an earlier neighbour, or
/// removed. A piece only displaced by others is not listed.
pub fn difference(before: &Story, after: &Story) -> Vec<StoredChange> {
    let (before, after) = (piece::take_apart(before), piece::take_apart(after));
    let mut old: BTreeMap<(StoredKind, &str), &StoredPiece> =
        before.iter().map(|piece| ((piece.kind, piece.id.as_str()), piece)).collect();
    let mut changes = Vec::new();
    let mut reached: BTreeMap<StoredKind, u32> = BTreeMap::new();
    for piece in &after {
        let known = old.remove(&(piece.kind, piece.id.as_str()));
        let reached = reached.entry(piece.kind).or_default();
        match known {
            Some(known) if known.body == piece.body && known.position >= *reached => *reached = known.position,
            Some(_) | None => changes.push(StoredChange::Put(piece.clone())),
        }
    }
    changes.extend(old.into_values().map(|piece| StoredChange::Remove { kind: piece.kind, id: piece.id.clone() }));
    changes
}

#[cfg(test)]
mod tests {
    use qingyu_story::PieceKind;
    use serde_json::json;

    use super::*;

    fn cast(names: &str) -> Vec<StoredPiece> {
        let piece = |(position, id): (u32, &str)| StoredPiece {
            kind: PieceKind::Character.into(),
            id: id.into(),
            position,
            body: json!({"id": id}),
        };
        (0..).zip(names.split_whitespace()).map(piece).collect()
    }

    fn put(id: &str, position: u32) -> StoredChange {
        StoredChange::Put(StoredPiece {
            kind: PieceKind::Character.into(),
            id: id.into(),
            position,
            body: json!({"id": id, "new": true}),
        })
    }

    fn remove(id: &str) -> StoredChange {
        StoredChange::Remove { kind: PieceKind::Character.into(), id: id.into() }
    }

    #[test]
    fn changes_keep_the_order_of_what_they_do_not_name() {
        for (before, changes, after) in [
            ("", vec![put("a", 0), put("b", 1)], "a b"),
            ("a b c", vec![put("b", 1)], "a b c"),
            ("a b c", vec![put("x", 1)], "a x b c"),
            ("a b c", vec![put("x", 3), put("y", 0)], "y a b x c"),
            ("a b c", vec![remove("a")], "b c"),
            ("a b c", vec![remove("b"), put("x", 0)], "x a c"),
            ("a b c", vec![put("a", 2)], "b c a"),
            ("a", vec![put("x", 9)], "a x"),
            ("a", vec![remove("nobody")], "a"),
        ] {
            let mut pieces = arrange(cast(before));
            apply(&mut pieces, &changes);
            let ids: Vec<_> = pieces.values().flatten().map(|piece| piece.id.as_str()).collect();
            assert_eq!(ids.join(" "), after, "{before} with {changes:?}");
            assert!((0..).zip(pieces.values().flatten()).all(|(position, piece)| piece.position == position));
        }
    }
}
