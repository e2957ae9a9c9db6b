//! What chunks depend on beside their own piece: who is in the book, its outline, its chapters without their texts.

use qingyu_db::sql::Connection;
use qingyu_story::{Language, PieceKind, Story};

use crate::piece::{Head, put_together};
use crate::stories::read_piece;
use crate::{Error, Kind, Piece, change};

/// The kinds whose pieces others depend on, beside documents.
const NAMING: [PieceKind; 6] = [
    PieceKind::Character,
    PieceKind::Location,
    PieceKind::Item,
    PieceKind::Organisation,
    PieceKind::WorldRule,
    PieceKind::OutlineNode,
];

/// The pieces of a project, as the index reads them.
pub(super) struct Surroundings<'c> {
    pub(super) connection: &'c Connection<'c>,
    pub(super) user: &'c str,
    pub(super) project: &'c str,
}

impl Surroundings<'_> {
    /// The story as far as all its chunks depend on it.
    pub(super) fn story(&self, language: Language) -> Result<Story, Error> {
        let mut pieces = self.documents()?;
        for kind in NAMING {
            pieces.extend(self.of_kind(kind)?);
        }
        put_together(change::arrange(pieces), &Head { language, ..Head::default() })
    }

    /// All pieces; documents without their texts.
    pub(super) fn light(&self) -> Result<Vec<Piece>, Error> {
        let mut pieces = self.documents()?;
        for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Document) {
            pieces.extend(self.of_kind(kind)?);
        }
        Ok(pieces)
    }

    /// A piece with all that it has.
    pub(super) fn whole(&self, kind: Kind, id: &str) -> Result<Piece, Error> {
        let mut select = self.connection.prepare_cached(
            "SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
        )?;
        select.query_row((self.user, self.project, kind.name(), id), |row| Ok(read_piece(row)))?
    }

    fn documents(&self) -> Result<Vec<Piece>, Error> {
        self.read(
            "SELECT ?3, id, position, body FROM document_head WHERE user_id = ?1 AND project_id = ?2 ORDER BY position",
            PieceKind::Document,
        )
    }

    fn of_kind(&self, kind: PieceKind) -> Result<Vec<Piece>, Error> {
        self.read(
            "SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3",
            kind,
        )
    }

    fn read(&self, select: &str, kind: PieceKind) -> Result<Vec<Piece>, Error> {
        let mut select = self.connection.prepare_cached(select)?;
        let rows = select.query_map((self.user, self.project, kind.name()), |row| Ok(read_piece(row)))?;
        rows.map(|row| row?).collect()
    }
}
