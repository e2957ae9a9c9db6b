//! The commands that change one piece.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::RelationKind;
use crate::piece::{Piece, PieceKind};

/// A command changing one piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "edits are few and short-lived")]
pub enum Edit {
    /// Inserts a piece, with a new id if the id is missing or taken.
    Create {
        /// The piece.
        piece: Piece,
    },
    /// Sets fields of a piece. A new name is propagated to all references and to the story's prose; a chapter's new
    /// name also to its node and to the text with the same title.
    Update {
        /// The kind of the piece.
        kind: PieceKind,
        /// The piece to update.
        target: EditTarget,
        /// The fields to set, by JSON name. `add_participants` appends entries to a list, `remove_participants` removes
        /// entries, `replace_description` applies [`Replacement`](super::Replacement)s to a text.
        fields: BTreeMap<String, Value>,
    },
    /// Removes a piece. References remain, and the checker reports them.
    Delete {
        /// The kind of the piece.
        kind: PieceKind,
        /// The piece to delete.
        target: EditTarget,
    },
}

/// The piece addressed by an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditTarget {
    /// By id, name, title or alias, as resolved by [`Names::find`](crate::names::Names::find).
    Named(String),
    /// A relation by its ends, and by kind if the pair has several.
    Pair {
        /// The owner of the relation.
        from: String,
        /// The other character.
        to: String,
        /// The other character's relation to the owner.
        kind: Option<RelationKind>,
    },
    /// The single piece of a kind: the world or the style.
    Only,
}

impl EditTarget {
    /// Returns the target in words, for messages.
    pub fn label(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Pair { from, to, .. } => format!("{from} > {to}"),
            Self::Only => String::new(),
        }
    }
}
