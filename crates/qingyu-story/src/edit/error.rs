//! Errors of edits.

use crate::piece::PieceKind;

/// An error of an edit, or of an instruction for an edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The parameters are not an object.
    #[error("parameters must be an object")]
    NotAnObject,
    /// The parameters do not identify a piece.
    #[error("the parameters name no {kind}")]
    NoTarget {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// The piece requires a name.
    #[error("the {kind} has no name")]
    NoName {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// No piece matches.
    #[error("no {kind} is called '{target}'")]
    NotFound {
        /// The kind of the piece.
        kind: PieceKind,
        /// The name in the request.
        target: String,
    },
    /// Several pieces match.
    #[error("'{target}' may be any of {count} pieces of kind {kind}")]
    Ambiguous {
        /// The kind of the pieces.
        kind: PieceKind,
        /// The shared name.
        target: String,
        /// The number of matches.
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
    /// The field does not exist for pieces of the kind.
    #[error("unknown field at {path}")]
    UnknownField {
        /// The path, such as `parameters/agee`.
        path: String,
    },
    /// The value does not fit the field.
    #[error("invalid value at {path}: {reason}")]
    InvalidField {
        /// The path, such as `parameters/age`.
        path: String,
        /// The validation error.
        reason: String,
    },
    /// Ids never change.
    #[error("the id at {path} is not the piece's own")]
    IdIsFixed {
        /// The path.
        path: String,
    },
    /// The world cannot be deleted while not empty.
    #[error("the {kind} still holds pieces")]
    NotEmpty {
        /// The kind of the piece.
        kind: PieceKind,
    },
    /// The piece differs from the change's expectation, after a concurrent edit.
    #[error("the {kind} '{label}' has changed since")]
    Conflict {
        /// The kind of the piece.
        kind: PieceKind,
        /// The label of the piece.
        label: String,
    },
}
