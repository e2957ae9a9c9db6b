//! Digests of texts and pieces.

use serde_json::Value;

use crate::piece::{Piece, PieceKind};

/// Returns a digest of a text: sixteen hexadecimal digits, equal on every machine. Not cryptographic.
pub fn digest(text: &str) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
}

/// Returns a digest of a piece's content: without the id, and for a fact without the position of its sentence.
pub(super) fn digest_of(piece: &Piece) -> String {
    let mut fields = piece.fields();
    fields.remove("id");
    if piece.kind() == PieceKind::Fact {
        fields.remove("source");
    }
    digest(&Value::Object(fields).to_string())
}
