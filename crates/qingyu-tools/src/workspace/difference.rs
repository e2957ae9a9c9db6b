//! What happened to which piece between two stories.

use std::collections::BTreeMap;

use qingyu_story::{Piece, PieceKind, Story};

/// What happened to a piece.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "changes are few and short-lived")]
pub enum PieceChange {
    /// It is new, or another than before; it stands at `position` of its list now.
    Put {
        /// Its place in its list.
        position: usize,
        /// Whether there was none before.
        new: bool,
        /// The piece.
        piece: Piece,
    },
    /// It is gone.
    Removed {
        /// What it was.
        kind: PieceKind,
        /// Its id; the name of its kind if there is only one of it.
        id: String,
    },
}

impl PieceChange {
    /// The kind of the piece.
    pub fn kind(&self) -> PieceKind {
        match self {
            Self::Put { piece, .. } => piece.kind(),
            Self::Removed { kind, .. } => *kind,
        }
    }

    /// The id of the piece, or the name of its kind.
    pub fn id(&self) -> &str {
        match self {
            Self::Put { piece, .. } => handle(piece),
            Self::Removed { id, .. } => id,
        }
    }
}

/// What turns `before` into `after`, piece by piece: removals last. Pieces without an id are told apart by their names.
///
/// A piece that only changed its place among others is put again if it stands before one that it stood behind.
pub fn difference(before: &Story, after: &Story) -> Vec<PieceChange> {
    let mut changes = Vec::new();
    let mut removed = Vec::new();
    for kind in PieceKind::ALL {
        let mut old: BTreeMap<String, (usize, Piece)> = BTreeMap::new();
        for (position, piece) in before.pieces_of(kind).enumerate() {
            old.insert(handle(&piece).to_owned(), (position, piece));
        }
        let mut reached = 0;
        for (position, piece) in after.pieces_of(kind).enumerate() {
            match old.remove(handle(&piece)) {
                Some((place, known)) if known == piece && place >= reached => reached = place,
                known => changes.push(PieceChange::Put { position, new: known.is_none(), piece }),
            }
        }
        removed.extend(old.into_keys().map(|id| PieceChange::Removed { kind, id }));
    }
    changes.extend(removed);
    changes
}

/// What a piece is named by: its id, else its name, else its kind.
pub fn handle(piece: &Piece) -> &str {
    match (piece.id(), piece.name()) {
        ("", "") => piece.kind().name(),
        ("", name) => name,
        (id, _) => id,
    }
}
