//! What can be done to the pieces of a story, and who did it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::Story;
use serde::{Deserialize, Serialize};

use crate::{Kind, Piece, piece};

/// One thing done to a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Change {
    /// A piece is put in, or put in the place of the one with its id.
    Put(Piece),
    /// A piece is taken out.
    Remove {
        /// What kind.
        kind: Kind,
        /// Its id.
        id: String,
    },
}

impl Change {
    /// The kind and id of the piece that it is about.
    pub fn names(&self) -> (Kind, &str) {
        match self {
            Self::Put(piece) => (piece.kind, &piece.id),
            Self::Remove { kind, id } => (*kind, id),
        }
    }
}

/// What names a save: a step of a run in one of its rounds. Saving under the same key again changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChangeKey {
    /// The run; any other unique word for changes outside runs.
    pub run: String,
    /// The step, such as `outline_agent/2`.
    pub step: String,
    /// The correction round, from 0.
    pub iteration: u32,
}

/// Who made a change, and from what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The agent, or `person`.
    pub agent: String,
    /// The hash of the prompt it answered, if it was a model.
    pub prompt_hash: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The tokens of its calls.
    pub tokens: u64,
}

/// An entry of a story's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoryChange {
    /// Its place in the log, from 1; also the version of the project from then on.
    pub seq: u64,
    /// What it is named by.
    pub key: ChangeKey,
    /// Who made it.
    pub provenance: Provenance,
    /// When.
    pub at: Timestamp,
    /// What was done.
    pub changes: Vec<Change>,
}

/// The pieces of a story, each kind in its order.
pub type Pieces = BTreeMap<Kind, Vec<Piece>>;

/// Sorts pieces by kind and position.
pub fn arrange(pieces: impl IntoIterator<Item = Piece>) -> Pieces {
    let mut kinds = Pieces::new();
    for piece in pieces {
        kinds.entry(piece.kind).or_default().push(piece);
    }
    for of_kind in kinds.values_mut() {
        of_kind.sort_by(|a, b| (a.position, &a.id).cmp(&(b.position, &b.id)));
    }
    kinds
}

/// Carries out changes on pieces.
///
/// A piece that is put stands at its position afterwards; pieces that are not named keep their order around it.
pub fn apply(pieces: &mut Pieces, changes: &[Change]) {
    for kind in Kind::all() {
        let mut put: Vec<&Piece> = put(changes).filter(|piece| piece.kind == kind).collect();
        let removed = changes.iter().filter_map(|change| match change {
            Change::Remove { kind: removed, id } if *removed == kind => Some(id.as_str()),
            Change::Remove { .. } | Change::Put(_) => None,
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

/// The pieces that changes put in.
pub(crate) fn put(changes: &[Change]) -> impl Iterator<Item = &Piece> {
    changes.iter().filter_map(|change| match change {
        Change::Put(piece) => Some(piece),
        Change::Remove { .. } => None,
    })
}

/// What turns `before` into `after`: pieces that are new, different, or stand before one they stood behind, and those
/// that are gone. A piece that others only pushed aside is not named.
pub fn difference(before: &Story, after: &Story) -> Vec<Change> {
    let (before, after) = (piece::take_apart(before), piece::take_apart(after));
    let mut old: BTreeMap<(Kind, &str), &Piece> =
        before.iter().map(|piece| ((piece.kind, piece.id.as_str()), piece)).collect();
    let mut changes = Vec::new();
    let mut reached: BTreeMap<Kind, u32> = BTreeMap::new();
    for piece in &after {
        let known = old.remove(&(piece.kind, piece.id.as_str()));
        let reached = reached.entry(piece.kind).or_default();
        match known {
            Some(known) if known.body == piece.body && known.position >= *reached => *reached = known.position,
            Some(_) | None => changes.push(Change::Put(piece.clone())),
        }
    }
    changes.extend(old.into_values().map(|piece| Change::Remove { kind: piece.kind, id: piece.id.clone() }));
    changes
}

#[cfg(test)]
mod tests {
    use qingyu_story::PieceKind;
    use serde_json::json;

    use super::*;

    fn cast(names: &str) -> Vec<Piece> {
        let piece = |(position, id): (u32, &str)| Piece {
            kind: PieceKind::Character.into(),
            id: id.into(),
            position,
            body: json!({"id": id}),
        };
        (0..).zip(names.split_whitespace()).map(piece).collect()
    }

    fn put(id: &str, position: u32) -> Change {
        Change::Put(Piece {
            kind: PieceKind::Character.into(),
            id: id.into(),
            position,
            body: json!({"id": id, "new": true}),
        })
    }

    fn remove(id: &str) -> Change {
        Change::Remove { kind: PieceKind::Character.into(), id: id.into() }
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
