//! A wish, and whether the story meets it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Evidence;

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
    /// A length of the book: chapters, or words.
    Length,
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
