//! Comments follow their words in the transaction that changes the texts.

use std::collections::HashSet;

use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_story::comment::{Comment, TextChange};
use qingyu_story::{Document, PieceKind};

use crate::piece_row::read_piece;
use crate::row::from_json;
use crate::{Error, StoredChange, StoredKind, StoredPiece};

const TEXT: StoredKind = StoredKind::Piece(PieceKind::Document);

/// A text before and after the save.
struct ChangedText {
    document: String,
    before: Option<String>,
    after: Option<String>,
}

/// Returns the changes of comments which follow from changes of texts. A comment named in `changes` is left alone.
pub(crate) fn follow(
    connection: &Connection,
    user: &str,
    project: &str,
    changes: &[StoredChange],
) -> Result<Vec<StoredChange>, Error> {
    if !changes.iter().any(|change| change.names().0 == TEXT) {
        return Ok(Vec::new());
    }
    let comments = comments(connection, user, project)?;
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let texts = changed_texts(connection, user, project, changes)?;
    let texts: Vec<TextChange<'_>> = texts
        .iter()
        .map(|text| TextChange {
            document: &text.document,
            before: text.before.as_deref(),
            after: text.after.as_deref(),
        })
        .collect();
    let named: HashSet<&str> = changes
        .iter()
        .map(StoredChange::names)
        .filter(|(kind, _)| *kind == StoredKind::Comment)
        .map(|(_, id)| id)
        .collect();
    let mut followed = Vec::new();
    for piece in comments.into_iter().filter(|piece| !named.contains(piece.id.as_str())) {
        let comment: Comment = serde_json::from_value(piece.body.clone())
            .map_err(|error| Error::BadRow { what: format!("comment {}", piece.id), message: error.to_string() })?;
        if let Some(comment) = comment.follow(&texts) {
            let body = serde_json::to_value(comment).expect("comments are plain data");
            followed.push(StoredChange::Put(StoredPiece { body, ..piece }));
        }
    }
    Ok(followed)
}

fn comments(connection: &Connection, user: &str, project: &str) -> Result<Vec<StoredPiece>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3",
    )?;
    let rows = select.query_map((user, project, StoredKind::Comment.name()), |row| Ok(read_piece(row)))?;
    rows.map(|row| row?).collect()
}

fn changed_texts(
    connection: &Connection,
    user: &str,
    project: &str,
    changes: &[StoredChange],
) -> Result<Vec<ChangedText>, Error> {
    let mut select = connection
        .prepare_cached("SELECT body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4")?;
    let mut texts = Vec::new();
    for change in changes.iter().filter(|change| change.names().0 == TEXT) {
        let (kind, id) = change.names();
        let body: Option<String> = select.query_row((user, project, kind.name(), id), |row| row.get(0)).optional()?;
        let before = match body {
            Some(body) => Some(from_json::<Document>(&body, || format!("{kind} {id}"))?.text),
            None => None,
        };
        let after = match change {
            StoredChange::Put(piece) => piece.body["text"].as_str().map(str::to_owned),
            StoredChange::Remove { .. } => None,
        };
        if before != after {
            texts.push(ChangedText { document: id.to_owned(), before, after });
        }
    }
    Ok(texts)
}
