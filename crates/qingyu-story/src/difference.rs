//! The difference between two states of a story, piece by piece.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Piece, PieceKind, Story};

/// The field of a piece that only says where it stands.
pub const PLACE: &str = "order";

/// A piece that was created, changed, moved or deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceChange {
    /// Whether the piece was created, updated (or moved), or deleted.
    pub action: Action,
    /// The id of the piece (see [`Piece::handle`]).
    pub id: String,
    /// The name shown to a person.
    pub label: String,
    /// The index among the pieces of the same kind, from 0; of a deleted piece, the former index.
    pub position: usize,
    /// The piece; of a deleted piece, the last state.
    pub piece: Piece,
    /// The former state; `None` for a new piece.
    #[serde(skip)]
    pub before: Option<Piece>,
}

impl PieceChange {
    /// Returns the kind of the piece.
    pub fn kind(&self) -> PieceKind {
        self.piece.kind()
    }

    /// Returns whether only the position changed.
    pub fn is_move(&self) -> bool {
        self.action == Action::Update && self.before.as_ref() == Some(&self.piece)
    }

    /// Returns whether the piece has new content. To move a piece, in the list or by its [`PLACE`], makes none: its author
    /// stays its author.
    pub fn is_of_content(&self) -> bool {
        let content = |piece: &Piece| {
            let mut fields = piece.fields();
            fields.remove(PLACE);
            fields
        };
        let known = self.before.as_ref().filter(|_| self.action == Action::Update);
        known.is_none_or(|before| content(before) != content(&self.piece))
    }

    /// Returns whether the piece no longer exists.
    pub fn is_deletion(&self) -> bool {
        self.action == Action::Delete
    }
}

/// Returns the changes that turn `before` into `after`: new, changed and moved pieces in the order of the story, then
/// deleted ones. A piece counts as moved only if it now precedes a piece that it used to follow.
///
/// Pieces are matched by kind and [`Piece::handle`]. Takes time linear in the number of pieces, but for sorting.
pub fn difference(before: &Story, after: &Story) -> Vec<PieceChange> {
    let mut changes = Vec::new();
    let mut deleted = Vec::new();
    for kind in PieceKind::ALL {
        let mut old: BTreeMap<String, (usize, Piece)> = BTreeMap::new();
        for (position, piece) in before.pieces_of(kind).enumerate() {
            old.insert(piece.handle().to_owned(), (position, piece));
        }
        let mut reached = 0;
        for (position, piece) in after.pieces_of(kind).enumerate() {
            match old.remove(piece.handle()) {
                Some((place, known)) if known == piece && place >= reached => reached = place,
                known => {
                    let before = known.map(|(_, piece)| piece);
                    let action = if before.is_none() { Action::Create } else { Action::Update };
                    changes.push(change(action, position, piece, before));
                }
            }
        }
        let mut gone: Vec<(usize, Piece)> = old.into_values().collect();
        gone.sort_by_key(|(position, _)| *position);
        deleted.extend(
            gone.into_iter().map(|(position, piece)| change(Action::Delete, position, piece.clone(), Some(piece))),
        );
    }
    changes.extend(deleted);
    changes
}

fn change(action: Action, position: usize, piece: Piece, before: Option<Piece>) -> PieceChange {
    PieceChange { action, id: piece.handle().to_owned(), label: piece.label(), position, piece, before }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Character, StyleGuide};

    fn cast(names: &[(&str, &str)]) -> Story {
        let character =
            |(id, name): &(&str, &str)| Character { id: (*id).into(), name: (*name).into(), ..Default::default() };
        Story { characters: names.iter().map(character).collect(), ..Default::default() }
    }

    fn described(before: &Story, after: &Story) -> Vec<String> {
        difference(before, after)
            .iter()
            .map(|change| {
                let moved = if change.is_move() { " moved" } else { "" };
                format!("{:?} {} {}{moved}", change.action, change.id, change.position)
            })
            .collect()
    }

    #[test]
    fn created_changed_and_deleted_pieces_are_listed() {
        let before = cast(&[("c-1", "林深"), ("c-2", "苏曼"), ("c-3", "老周")]);
        let mut after = cast(&[("c-1", "林深"), ("c-2", "苏蔓"), ("c-4", "沈策")]);
        after.style = Some(StyleGuide::default());
        let expected = ["Update c-2 1", "Create c-4 2", "Create style 0", "Delete c-3 2"];
        assert_eq!(described(&before, &after), expected);
        assert!(difference(&after, &after).is_empty());
    }

    #[test]
    fn a_piece_that_now_precedes_another_is_moved() {
        let before = cast(&[("c-1", "林深"), ("c-2", "苏曼"), ("c-3", "老周")]);
        let after = cast(&[("c-3", "老周"), ("c-1", "林深"), ("c-2", "苏曼")]);
        assert_eq!(described(&before, &after), ["Update c-1 1 moved", "Update c-2 2 moved"]);
    }

    #[test]
    fn a_piece_with_another_place_has_no_new_content() {
        let node = |order: u32, goal: &str| Story {
            outline_nodes: vec![crate::OutlineNode {
                id: "o-1".into(),
                order,
                goal: goal.into(),
                ..Default::default()
            }],
            ..Default::default()
        };
        let is_new = |before: &Story, after: &Story| difference(before, after)[0].is_of_content();
        assert!(!is_new(&node(1, "守灯"), &node(2, "守灯")));
        assert!(is_new(&node(1, "守灯"), &node(2, "点灯")) && is_new(&Story::default(), &node(1, "守灯")));
    }
}
