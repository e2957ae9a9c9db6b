//! A parsed wish: the demand as data, or the obstacle.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::verdict::WishKind;
use crate::edit::is_blank;
use crate::language::Language;
use crate::length::LengthDemand;
use crate::piece::PieceKind;

/// A parsed wish, created before the work on the wish began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadWish {
    /// The user's words.
    pub text: String,
    /// The demand.
    pub want: WishDemand,
}

/// A demand of a wish, as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum WishDemand {
    /// Set a field to a value.
    Set {
        /// The piece.
        piece: RequestedPiece,
        /// The field.
        field: String,
        /// The value; empty to clear the field.
        value: Value,
    },
    /// Change a field, without a given value.
    Rework {
        /// The piece.
        piece: RequestedPiece,
        /// The field.
        field: String,
        /// The current value.
        before: Value,
    },
    /// Insert a new piece.
    Add {
        /// The kind and name.
        piece: RequestedPiece,
        /// The known fields.
        fields: BTreeMap<String, Value>,
    },
    /// Delete a piece.
    Remove {
        /// The piece.
        piece: RequestedPiece,
    },
    /// Require words to occur somewhere.
    Mention {
        /// The words.
        words: String,
    },
    /// Require a length of a new book.
    Length {
        /// The numbers.
        length: LengthDemand,
    },
    /// An impossible demand.
    Impossible {
        /// The intended kind of wish.
        kind: WishKind,
        /// The obstacle.
        obstacle: WishObstacle,
    },
    /// Any other demand.
    Other,
}

/// The piece in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestedPiece {
    /// The kind.
    pub kind: PieceKind,
    /// The id; empty for a new or single piece.
    pub id: String,
    /// The name in the story; for a relation, its ends.
    pub name: String,
}

/// The reason a request is impossible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "obstacle", rename_all = "snake_case")]
pub enum WishObstacle {
    /// No piece has the name.
    UnknownPiece {
        /// The name.
        name: String,
    },
    /// Several pieces match.
    AmbiguousPiece {
        /// The name.
        name: String,
    },
    /// The field rejects the value.
    UnfitValue {
        /// The field.
        field: String,
        /// The value in the user's words.
        value: String,
    },
}

impl ReadWish {
    /// Returns the kind of the wish.
    pub fn kind(&self) -> WishKind {
        match &self.want {
            WishDemand::Set { value, .. } if is_blank(value) => WishKind::Remove,
            WishDemand::Set { .. } | WishDemand::Rework { .. } => WishKind::Change,
            WishDemand::Add { .. } => WishKind::Add,
            WishDemand::Remove { .. } => WishKind::Remove,
            WishDemand::Mention { .. } => WishKind::Mention,
            WishDemand::Length { .. } => WishKind::Length,
            WishDemand::Impossible { kind, .. } => *kind,
            WishDemand::Other => WishKind::Other,
        }
    }

    /// Returns whether the wish is fully parsed: a piece is named, or an obstacle given, and nothing is left to
    /// interpretation.
    pub fn is_read(&self) -> bool {
        !matches!(self.want, WishDemand::Other)
    }

    /// Returns whether the wish renames a piece, with propagation to all references and mentions.
    pub fn is_new_name(&self) -> bool {
        matches!(&self.want, WishDemand::Set { field, .. } if matches!(field.as_str(), "name" | "title"))
    }
}

impl WishObstacle {
    /// Returns the obstacle in words.
    pub fn text(&self, language: Language) -> String {
        use Language::{En, Zh};
        match (self, language) {
            (Self::UnknownPiece { name }, Zh) => format!("无法执行：故事里没有叫“{name}”的条目"),
            (Self::UnknownPiece { name }, En) => format!("cannot be done: nothing in the story is called \"{name}\""),
            (Self::AmbiguousPiece { name }, Zh) => format!("无法执行：“{name}”可能指不止一个条目"),
            (Self::AmbiguousPiece { name }, En) => {
                format!("cannot be done: \"{name}\" may mean more than one piece")
            }
            (Self::UnfitValue { field, value }, Zh) => format!("无法执行：“{value}”不能作为 {field} 的值"),
            (Self::UnfitValue { field, value }, En) => {
                format!("cannot be done: \"{value}\" is no value for {field}")
            }
        }
    }
}
