//! What became different between two states of a story.

use qingyu_story::{Action, Piece, PieceKind, Story};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A piece that was made, changed or taken out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceChange {
    /// Which of the three.
    pub action: Action,
    /// Its id; the kind's name for the world and the style, of which there is one.
    pub id: String,
    /// What a person would call it.
    pub label: String,
    /// Its place among the pieces of its kind, from 0.
    pub position: usize,
    /// The piece; as it was, if it was taken out.
    pub piece: Piece,
}

impl PieceChange {
    /// What kind of piece it is.
    pub fn kind(&self) -> PieceKind {
        self.piece.kind()
    }
}

/// What became different from `before` to `after`: pieces made or changed in the story's order, then those taken out.
pub fn changes(before: &Story, after: &Story) -> Vec<PieceChange> {
    let (before, after) = (pieces(before), pieces(after));
    let find = |pieces: &[PieceChange], piece: &PieceChange| {
        pieces.iter().position(|other| other.kind() == piece.kind() && other.id == piece.id)
    };
    let mut changes = Vec::new();
    for piece in &after {
        match find(&before, piece) {
            None => changes.push(piece.clone()),
            Some(index) if before[index].piece != piece.piece => {
                changes.push(PieceChange { action: Action::Update, ..piece.clone() });
            }
            Some(_) => {}
        }
    }
    let gone = before.into_iter().filter(|piece| find(&after, piece).is_none());
    changes.extend(gone.map(|piece| PieceChange { action: Action::Delete, ..piece }));
    changes
}

/// A digest of all pieces of a story; equal if nothing of it has changed.
pub(crate) fn digest(story: &Story) -> String {
    let pieces = story.pieces().collect::<Vec<_>>();
    let text = serde_json::to_string(&pieces).expect("pieces are plain data");
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every piece of a story as one that was just made.
fn pieces(story: &Story) -> Vec<PieceChange> {
    let of_kind =
        |kind| (0..story.count(kind)).filter_map(move |position| Some((position, story.piece(kind, position)?)));
    let made = |(position, piece): (usize, Piece)| {
        let kind = piece.kind();
        let id = if kind.is_single() { kind.name().to_owned() } else { piece.id().to_owned() };
        PieceChange { action: Action::Create, id, label: piece.label(), position, piece }
    };
    PieceKind::ALL.into_iter().flat_map(of_kind).map(made).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, StyleGuide};

    use super::*;

    fn cast(names: &[(&str, &str)]) -> Story {
        let character =
            |(id, name): &(&str, &str)| Character { id: (*id).into(), name: (*name).into(), ..Default::default() };
        Story { characters: names.iter().map(character).collect(), ..Default::default() }
    }

    #[test]
    fn made_changed_and_taken_out() {
        let before = cast(&[("c-1", "林深"), ("c-2", "苏曼"), ("c-3", "老周")]);
        let mut after = cast(&[("c-1", "林深"), ("c-2", "苏蔓"), ("c-4", "沈策")]);
        after.style = Some(StyleGuide::default());
        let told = changes(&before, &after)
            .iter()
            .map(|change| format!("{:?} {} {}", change.action, change.id, change.position))
            .collect::<Vec<_>>();
        assert_eq!(told, ["Update c-2 1", "Create c-4 2", "Create style 0", "Delete c-3 2"]);
        assert!(changes(&after, &after).is_empty());
    }
}
