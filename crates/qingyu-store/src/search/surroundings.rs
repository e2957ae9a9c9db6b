//! The data on which chunks depend beside their own piece: characters, the outline, chapters without their texts.

use qingyu_db::sql::Connection;
use qingyu_story::{Language, PieceKind, Story};

use crate::piece::{StoryHead, put_together};
use crate::piece_row::read_piece;
use crate::{Error, StoredKind, StoredPiece, change};

/// The kinds on which other pieces depend, beside documents.
const NAMING: [PieceKind; 6] = [
    PieceKind::Character,
    PieceKind::Location,
    PieceKind::Item,
    PieceKind::Organisation,
    PieceKind::WorldRule,
    PieceKind::OutlineNode,
];

/// The pieces of a project, as read by the index.
pub(super) struct IndexedPieces<'c> {
    pub(super) connection: &'c Connection<'c>,
    pub(super) user: &'c str,
    pub(super) project: &'c str,
}

impl IndexedPieces<'_> {
    /// Returns the parts of the story on which all chunks depend.
    pub(super) fn story(&self, language: Language) -> Result<Story, Error> {
        let mut pieces = self.documents()?;
        for kind in NAMING {
            pieces.extend(self.of_kind(kind)?);
        }
        put_together(change::arrange(pieces), &StoryHead { language, ..StoryHead::default() })
    }

    /// Returns all pieces; documents without their texts.
    pub(super) fn light(&self) -> Result<Vec<StoredPiece>, Error> {
        let mut pieces = self.documents()?;
        for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Document) {
            pieces.extend(self.of_kind(kind)?);
        }
        Ok(pieces)
    }

    /// Returns a piece with its full body.
    pub(super) fn whole(&self, kind: StoredKind, id: &str) -> Result<StoredPiece, Error> {
        let mut select = self.connection.prepare_cached(
            "SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
        )?;
        select.query_row((self.user, self.project, kind.name(), id), |row| Ok(read_piece(row)))?
    }

    fn documents(&self) -> Result<Vec<StoredPiece>, Error> {
        self.read(
            "SELECT ?3, id, position, body FROM document_head WHERE user_id = ?1 AND project_id = ?2 ORDER BY position",
            PieceKind::Document,
        )
    }

    fn of_kind(&self, kind: PieceKind) -> Result<Vec<StoredPiece>, Error> {
        self.read(
            "SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3",
            kind,
        )
    }

    fn read(&self, select: &str, kind: PieceKind) -> Result<Vec<StoredPiece>, Error> {
        let mut select = self.connection.prepare_cached(select)?;
        let rows = select.query_map((self.user, self.project, kind.name()), |row| Ok(read_piece(row)))?;
        rows.map(|row| row?).collect()
    }
}
