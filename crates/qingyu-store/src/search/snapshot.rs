//! A snapshot of a project during a search.

use qingyu_db::sql::Connection;
use qingyu_story::PieceKind;

use crate::error::Error;

/// A snapshot of a project.
pub(super) struct SearchSnapshot<'c> {
    pub(super) connection: &'c Connection<'c>,
    pub(super) user: &'c str,
    pub(super) project: &'c str,
}

/// Parses the kind of a chunk.
pub(super) fn kind(name: &str) -> Result<PieceKind, Error> {
    PieceKind::parse(name)
        .ok_or_else(|| Error::BadRow { what: "a chunk".into(), message: format!("there is no kind {name}") })
}
