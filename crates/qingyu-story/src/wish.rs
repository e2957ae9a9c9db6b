//! What a person asks to have in a story, wish by wish, and whether the story meets it.
//!
//! - [`read`]: the wishes in a request, as far as they can be read without a model
//! - [`Request::check`]: whether a story meets one of them, with evidence
//! - [`Request::instruction`]: the change that would meet it, as data
//!
//! A request is read once, before the work begins, because its names are those of the story as it was then.

mod check;
mod chinese;
mod english;
mod fields;
mod instruction;
mod reader;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edit;
use crate::piece::PieceKind;
use crate::report::Evidence;

pub use instruction::{additive, names_whole};
pub use reader::read;

/// One thing that a person asked for, and whether the story has it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Wish {
    /// The person's words.
    pub text: String,
    /// What is asked for.
    pub kind: WishKind,
    /// Whether the story has it.
    pub state: WishState,
    /// Where the story shows it, or what stands there instead.
    pub evidence: Vec<Evidence>,
    /// Why it is not met or cannot be checked, in the language of the work.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// What a wish asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WishKind {
    /// A field of a piece with a certain value, a new name included.
    Change,
    /// A new piece.
    Add,
    /// A piece, or what a field holds, taken out.
    Remove,
    /// Words that must occur.
    Mention,
    /// Something that only a reader can judge.
    #[default]
    Other,
}

/// Whether a wish is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WishState {
    /// The story has it.
    Met,
    /// The story does not have it.
    Unmet,
    /// It cannot be told without a reader or a model.
    #[default]
    NotCheckable,
}

/// A wish as it was read, before the work on it began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The person's words.
    pub text: String,
    /// What they ask for.
    pub want: Want,
}

/// What a request asks for, as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum Want {
    /// A field with a value.
    Set {
        /// Of which piece.
        piece: Asked,
        /// Which field.
        field: String,
        /// The value; the empty one if the field is to be cleared.
        value: Value,
    },
    /// Another value for a field, which one is left open.
    Rework {
        /// Of which piece.
        piece: Asked,
        /// Which field.
        field: String,
        /// The value that it has now.
        before: Value,
    },
    /// A piece that is not there yet.
    Add {
        /// Of which kind and name.
        piece: Asked,
        /// What is said of it.
        fields: BTreeMap<String, Value>,
    },
    /// A piece taken out.
    Remove {
        /// Which.
        piece: Asked,
    },
    /// Words that must occur somewhere.
    Mention {
        /// The words.
        words: String,
    },
    /// Something that cannot be carried out.
    Impossible {
        /// What kind of wish it would be.
        kind: WishKind,
        /// Why not.
        obstacle: Obstacle,
    },
    /// Anything else.
    Other,
}

/// The piece that a request is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its kind.
    pub kind: PieceKind,
    /// Its id; empty if it is not there yet, or the only one of its kind.
    pub id: String,
    /// Its name, as the story has it; for a relation its ends.
    pub name: String,
}

/// Why a request cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "obstacle", rename_all = "snake_case")]
pub enum Obstacle {
    /// Nothing in the story is called so.
    UnknownPiece {
        /// The name.
        name: String,
    },
    /// More than one piece may be meant.
    AmbiguousPiece {
        /// The name.
        name: String,
    },
    /// The field does not take the value.
    UnfitValue {
        /// The field.
        field: String,
        /// The value in the person's words.
        value: String,
    },
}

impl Request {
    /// What is asked for.
    pub fn kind(&self) -> WishKind {
        match &self.want {
            Want::Set { value, .. } if edit::is_blank(value) => WishKind::Remove,
            Want::Set { .. } | Want::Rework { .. } => WishKind::Change,
            Want::Add { .. } => WishKind::Add,
            Want::Remove { .. } => WishKind::Remove,
            Want::Mention { .. } => WishKind::Mention,
            Want::Impossible { kind, .. } => *kind,
            Want::Other => WishKind::Other,
        }
    }

    /// Whether it names a piece, or says why it cannot be carried out: nothing of it is left to be interpreted.
    pub fn is_read(&self) -> bool {
        !matches!(self.want, Want::Other)
    }

    /// Whether it gives a piece another name, which is carried into all that speaks of it.
    pub fn is_new_name(&self) -> bool {
        matches!(&self.want, Want::Set { field, .. } if matches!(field.as_str(), "name" | "title"))
    }
}

impl Obstacle {
    /// The obstacle in words.
    pub fn text(&self, language: crate::Language) -> String {
        use crate::Language::{En, Zh};
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
