//! Pieces removed with their sentences.

use qingyu_story::settlement::WithdrawnPiece;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stories::changes::PieceName;

/// A removed piece, with the sentence that told it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RemovedPiece {
    /// The piece.
    #[serde(flatten)]
    pub piece: PieceName,
    /// The sentence; empty for a piece that no sentence told.
    #[serde(default)]
    pub quote: String,
}

pub(crate) fn removed(one: WithdrawnPiece) -> RemovedPiece {
    let WithdrawnPiece { kind, id, label, quote } = one;
    RemovedPiece { piece: PieceName { kind: kind.name().into(), id, name: label }, quote }
}
