//! Why an edit cannot be carried out.

use crate::piece::PieceKind;

/// Why an edit, or an instruction for one, cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The parameters are not an object.
    #[error("parameters must be an object")]
    NotAnObject,
    /// The parameters do not say which piece.
    #[error("the parameters name no {kind}")]
    NoTarget {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// A piece cannot be without a name.
    #[error("the {kind} has no name")]
    NoName {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// There is no such piece.
    #[error("no {kind} is called '{target}'")]
    NotFound {
        /// The kind of the piece.
        kind: PieceKind,
        /// What it was called.
        target: String,
    },
    /// More than one piece could be meant.
    #[error("'{target}' may be any of {count} pieces of kind {kind}")]
    Ambiguous {
        /// The kind of the pieces.
        kind: PieceKind,
        /// What they are called.
        target: String,
        /// How many.
        count: usize,
    },
    /// Another piece has the name already.
    #[error("there is already a {kind} '{name}'")]
    NameTaken {
        /// The kind of the piece.
        kind: PieceKind,
        /// The name.
        name: String,
    },
    /// A piece of this kind has no such field.
    #[error("unknown field at {path}")]
    UnknownField {
        /// Where, such as `parameters/agee`.
        path: String,
    },
    /// The value does not fit the field.
    #[error("invalid value at {path}: {reason}")]
    InvalidField {
        /// Where, such as `parameters/age`.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Ids never change.
    #[error("the id at {path} is not the piece's own")]
    IdIsFixed {
        /// Where.
        path: String,
    },
    /// The world cannot be taken out while it holds something.
    #[error("the {kind} still holds pieces")]
    NotEmpty {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// The piece is not as the change expects it; somebody else changed it since.
    #[error("the {kind} '{label}' has changed since")]
    Conflict {
        /// The kind of the piece.
        kind: PieceKind,
        /// What it is called.
        label: String,
    },
}
