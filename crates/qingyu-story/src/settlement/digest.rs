//! Digests of texts and pieces.

use serde_json::Value;

use crate::digest::fnv;
use crate::piece::{Piece, PieceKind};

/// Returns a digest of a text: sixteen hexadecimal digits, equal on every machine. Not cryptographic.
pub fn digest(text: &str) -> String {
    format!("{:016x}", fnv(text.bytes()))
}

/// Returns a digest of a piece's content: without the id, and for a fact without the position of its sentence.
pub(super) fn digest_of(piece: &Piece) -> String {
    let mut fields = piece.fields();
    fields.remove("id");
    if piece.kind() == PieceKind::Fact {
        fields.remove("source");
    }
    // Records of earlier versions know no teller of events.
    if piece.kind() == PieceKind::Event && fields.get("by").is_some_and(Value::is_null) {
        fields.remove("by");
    }
    digest(&Value::Object(fields).to_string())
}
