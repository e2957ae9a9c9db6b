//! Reading pieces from rows.

use qingyu_db::sql::Row;

use crate::error::Error;
use crate::kind::StoredKind;
use crate::piece::StoredPiece;
use crate::row::from_json;

/// Parses a piece from kind, id, position and body.
pub(crate) fn read_piece(row: &Row<'_>) -> Result<StoredPiece, Error> {
    let (kind, id): (String, String) = (row.get(0)?, row.get(1)?);
    let body = from_json(&row.get::<_, String>(3)?, || format!("{kind} {id}"))?;
    Ok(StoredPiece { kind: read_kind(&kind, &id)?, id, position: row.get(2)?, body })
}

/// Parses the kind of a piece.
pub(crate) fn read_kind(kind: &str, id: &str) -> Result<StoredKind, Error> {
    StoredKind::parse(kind)
        .ok_or_else(|| Error::BadRow { what: format!("{kind} {id}"), message: "this kind is not known".into() })
}
