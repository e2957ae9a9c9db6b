//! Keeping the index true: what a save changes, in its own transaction.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_knowledge::analysis::each_term;
use qingyu_knowledge::chunk::Chunker;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::filter::{Value, comparable};
use qingyu_knowledge::{Chunk, vector};
use qingyu_story::{Piece as StoryPiece, PieceKind};
use rusqlite::{Connection, OptionalExtension};

use crate::change::Pieces;
use crate::piece::Head;
use crate::row::{from_count, from_json, to_json};
use crate::{Change, Error, Kind, Project, piece, projects};

/// Grows when texts are cut or analysed in another way.
const FORMAT: i64 = 1;

/// What stands before the terms of a project, so that they are its own.
pub(super) fn prefix(number: i64) -> String {
    format!("p{number}x")
}

/// Whether the project has an index of this release.
pub(super) fn is_current(connection: &Connection, user: &str, project: &str) -> Result<bool, Error> {
    let select = "SELECT format = ?3 FROM search_index WHERE user_id = ?1 AND project_id = ?2";
    let found = connection.prepare_cached(select)?.query_row((user, project, FORMAT), |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(false))
}

/// Makes the index anew.
pub(super) fn rebuild(connection: &Connection, user: &str, project: &str) -> Result<(), Error> {
    let kept = projects::get(connection, user, project)?;
    let index = Index::of(connection, user, project)?;
    for number in index.chunks()? {
        index.remove_chunk(number)?;
    }
    for sql in [
        "DELETE FROM search_source WHERE user_id = ?1 AND project_id = ?2",
        // The revision goes on growing, so that nothing in memory is taken for the new index.
        &format!("UPDATE search_index SET format = {FORMAT} WHERE user_id = ?1 AND project_id = ?2"),
    ] {
        connection.prepare_cached(sql)?.execute((user, project))?;
    }
    let pieces = crate::stories::pieces(connection, user, project)?;
    update(connection, user, &kept, &pieces, &[])
}

/// Brings the index to the state of `pieces`, which `changes` have led to.
pub(crate) fn update(
    connection: &Connection,
    user: &str,
    project: &Project,
    pieces: &Pieces,
    changes: &[Change],
) -> Result<(), Error> {
    let index = Index::of(connection, user, &project.id)?;
    let mut known = index.sources()?;
    if !known.is_empty() && !is_current(connection, user, &project.id)? {
        // Of another release; who searches makes it anew.
        return Ok(());
    }
    let story = piece::put_together(light(pieces), &Head { language: project.language, ..Head::default() })?;
    let chunker = Chunker::new(&story);
    let changed: BTreeSet<(Kind, &str)> = changes.iter().map(Change::names).collect();
    for (kind, of_kind) in pieces {
        let Kind::Piece(piece_kind) = *kind else { continue };
        for (position, kept) in of_kind.iter().enumerate() {
            let Some(mut piece) = story.piece(piece_kind, position) else { continue };
            let fingerprint = chunker.fingerprint(&piece).cast_signed();
            let before = known.remove(&(piece_kind, kept.id.clone()));
            if before == Some(fingerprint) && !changed.contains(&(*kind, kept.id.as_str())) {
                continue;
            }
            if let StoryPiece::Document(document) = &mut piece {
                document.text = text_of(kept).to_owned();
            }
            index.replace(piece_kind, &kept.id, &chunker.chunks(&kept.id, &piece))?;
            index.note_source(piece_kind, &kept.id, fingerprint)?;
        }
    }
    for (kind, id) in known.into_keys() {
        index.replace(kind, &id, &[])?;
        index.forget_source(kind, &id)?;
    }
    index.grow()
}

/// The pieces without the texts of documents, which are most of a book.
fn light(pieces: &Pieces) -> Pieces {
    let without_text = |kept: &piece::Piece| {
        let body = match &kept.body {
            serde_json::Value::Object(fields) => {
                fields.iter().filter(|(field, _)| *field != "text").map(|(a, b)| (a.clone(), b.clone())).collect()
            }
            other => other.clone(),
        };
        piece::Piece { kind: kept.kind, id: kept.id.clone(), position: kept.position, body }
    };
    let document = Kind::Piece(PieceKind::Document);
    pieces
        .iter()
        .filter(|(kind, _)| **kind != Kind::Waiver)
        .map(|(kind, of_kind)| {
            let light = if *kind == document { of_kind.iter().map(without_text).collect() } else { of_kind.clone() };
            (*kind, light)
        })
        .collect()
}

fn text_of(kept: &piece::Piece) -> &str {
    kept.body.get("text").and_then(serde_json::Value::as_str).unwrap_or_default()
}

/// Keeps vectors of a model; gives how many.
pub(super) fn put_vectors(
    connection: &Connection,
    user: &str,
    project: &str,
    model: &str,
    vectors: Vec<(i64, Vec<f32>)>,
) -> Result<usize, Error> {
    projects::get(connection, user, project)?;
    if !is_current(connection, user, project)? {
        // Its chunks will be others once somebody searches.
        return Ok(0);
    }
    let index = Index::of(connection, user, project)?;
    let select = "SELECT length(codes) FROM chunk_vector WHERE user_id = ?1 AND project_id = ?2 AND model = ?3 LIMIT 1";
    let known: Option<i64> =
        connection.prepare_cached(select)?.query_row((user, project, model), |row| row.get(0)).optional()?;
    let mut expected = known.map(from_count);
    let mut kept = 0;
    for (number, values) in vectors {
        let found = values.len() as u64;
        if *expected.get_or_insert(found) != found {
            let expected = expected.unwrap_or_default();
            return Err(Error::Dimensions { model: model.into(), expected, found });
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(Error::NotFinite { model: model.into() });
        }
        kept += index.put_vector(number, model, &vector::normalised(values))?;
    }
    index.grow()?;
    Ok(kept)
}

/// The index of one project, while it is written.
struct Index<'c> {
    connection: &'c Connection,
    user: &'c str,
    project: &'c str,
    prefix: String,
    lexical: LexicalEmbedder,
}

impl<'c> Index<'c> {
    /// The index of the project, with a number if it has none yet.
    fn of(connection: &'c Connection, user: &'c str, project: &'c str) -> Result<Self, Error> {
        connection
            .prepare_cached(
                "INSERT INTO search_index(user_id, project_id, format, revision) VALUES (?1, ?2, ?3, 0)
                 ON CONFLICT (project_id) DO NOTHING",
            )?
            .execute((user, project, FORMAT))?;
        let select = "SELECT number FROM search_index WHERE user_id = ?1 AND project_id = ?2";
        let number = connection.prepare_cached(select)?.query_row((user, project), |row| row.get(0))?;
        Ok(Self { connection, user, project, prefix: prefix(number), lexical: LexicalEmbedder::new() })
    }

    /// Tells those who keep the index in memory that it has changed.
    fn grow(&self) -> Result<(), Error> {
        let update = "UPDATE search_index SET revision = revision + 1 WHERE user_id = ?1 AND project_id = ?2";
        self.connection.prepare_cached(update)?.execute((self.user, self.project))?;
        Ok(())
    }

    fn chunks(&self) -> Result<Vec<i64>, Error> {
        let select = "SELECT number FROM chunk WHERE user_id = ?1 AND project_id = ?2";
        let mut select = self.connection.prepare_cached(select)?;
        let rows = select.query_map((self.user, self.project), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The pieces that are indexed, with what their chunks were made from.
    fn sources(&self) -> Result<BTreeMap<(PieceKind, String), i64>, Error> {
        let select = "SELECT kind, id, fingerprint FROM search_source WHERE user_id = ?1 AND project_id = ?2";
        let mut select = self.connection.prepare_cached(select)?;
        let mut rows = select.query((self.user, self.project))?;
        let mut sources = BTreeMap::new();
        while let Some(row) = rows.next()? {
            sources.insert((super::kind(&row.get::<_, String>(0)?)?, row.get(1)?), row.get(2)?);
        }
        Ok(sources)
    }

    fn note_source(&self, kind: PieceKind, id: &str, fingerprint: i64) -> Result<(), Error> {
        self.connection
            .prepare_cached(
                "INSERT INTO search_source(user_id, project_id, kind, id, fingerprint) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (project_id, kind, id) DO UPDATE SET fingerprint = excluded.fingerprint",
            )?
            .execute((self.user, self.project, kind.name(), id, fingerprint))?;
        Ok(())
    }

    fn forget_source(&self, kind: PieceKind, id: &str) -> Result<(), Error> {
        let delete = "DELETE FROM search_source WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4";
        self.connection.prepare_cached(delete)?.execute((self.user, self.project, kind.name(), id))?;
        Ok(())
    }

    /// Puts `chunks` in the place of those of a piece; what is the same stays, with its vectors.
    fn replace(&self, kind: PieceKind, id: &str, chunks: &[Chunk]) -> Result<(), Error> {
        let mut kept = BTreeSet::new();
        for (number, part, body) in self.chunks_of(kind, id)? {
            let before: Chunk = from_json(&body, || format!("a chunk of {} {id}", kind.name()))?;
            match chunks.get(part as usize) {
                Some(now) if is_same(&before, now) => {
                    kept.insert(part);
                    if before != *now {
                        self.rewrite(number, now)?;
                    }
                }
                _ => self.remove_chunk(number)?,
            }
        }
        chunks.iter().filter(|chunk| !kept.contains(&chunk.part)).try_for_each(|chunk| self.add(chunk))
    }

    fn chunks_of(&self, kind: PieceKind, id: &str) -> Result<Vec<(i64, u32, String)>, Error> {
        let mut select = self.connection.prepare_cached(
            "SELECT number, part, body FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
        )?;
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let rows = select.query_map((self.user, self.project, kind.name(), id), read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn add(&self, chunk: &Chunk) -> Result<(), Error> {
        let mut terms = String::with_capacity(chunk.text.len() * 4);
        let mut length = 0;
        each_term(&chunk.text, |term| {
            length += 1;
            terms.push_str(&self.prefix);
            terms.push_str(term);
            terms.push(' ');
        });
        let insert = "INSERT INTO chunk(user_id, project_id, kind, id, part, length, body)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (kind, id) = (chunk.source.kind.name(), &chunk.source.id);
        let mut insert = self.connection.prepare_cached(insert)?;
        insert.execute((self.user, self.project, kind, id, chunk.part, length, to_json(chunk)))?;
        let number = self.connection.last_insert_rowid();
        let insert = "INSERT INTO chunk_terms(rowid, terms) VALUES (?1, ?2)";
        self.connection.prepare_cached(insert)?.execute((number, &terms))?;
        self.put_fields(number, chunk)?;
        self.put_vector(number, LexicalEmbedder::NAME, &self.lexical.vector(&chunk.embedded()))?;
        Ok(())
    }

    /// Writes what is not searched by words or vectors.
    fn rewrite(&self, number: i64, chunk: &Chunk) -> Result<(), Error> {
        let update = "UPDATE chunk SET body = ?4 WHERE user_id = ?1 AND project_id = ?2 AND number = ?3";
        self.connection.prepare_cached(update)?.execute((self.user, self.project, number, to_json(chunk)))?;
        let delete = "DELETE FROM chunk_field WHERE user_id = ?1 AND project_id = ?2 AND chunk = ?3";
        self.connection.prepare_cached(delete)?.execute((self.user, self.project, number))?;
        self.put_fields(number, chunk)
    }

    fn put_fields(&self, number: i64, chunk: &Chunk) -> Result<(), Error> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO chunk_field(user_id, project_id, chunk, field, text, number) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (field, values) in &chunk.fields {
            for value in values {
                let (text, value) = match comparable(value).into_owned() {
                    Value::Text(text) => (Some(text), None),
                    Value::Number(number) => (None, Some(number)),
                };
                insert.execute((self.user, self.project, number, field, text, value))?;
            }
        }
        Ok(())
    }

    /// Keeps a vector of length 1. Gives 1, or 0 if there is no such chunk any more.
    fn put_vector(&self, number: i64, model: &str, values: &[f32]) -> Result<usize, Error> {
        let encoded = vector::encode(values);
        let codes: Vec<u8> = encoded.codes.iter().map(|code| code.cast_unsigned()).collect();
        let insert = "INSERT INTO chunk_vector(user_id, project_id, chunk, model, vector, codes, scale)
                      SELECT user_id, project_id, number, ?4, ?5, ?6, ?7 FROM chunk
                      WHERE user_id = ?1 AND project_id = ?2 AND number = ?3
                      ON CONFLICT (chunk, model) DO UPDATE
                      SET vector = excluded.vector, codes = excluded.codes, scale = excluded.scale";
        let bytes = vector::to_bytes(values);
        let mut insert = self.connection.prepare_cached(insert)?;
        Ok(insert.execute((self.user, self.project, number, model, bytes, codes, f64::from(encoded.scale)))?)
    }

    fn remove_chunk(&self, number: i64) -> Result<(), Error> {
        let delete = "DELETE FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND number = ?3";
        let gone = self.connection.prepare_cached(delete)?.execute((self.user, self.project, number))?;
        if gone > 0 {
            self.connection.prepare_cached("DELETE FROM chunk_terms WHERE rowid = ?1")?.execute([number])?;
        }
        Ok(())
    }
}

/// Whether two chunks have the same words and the same vectors.
fn is_same(before: &Chunk, now: &Chunk) -> bool {
    before.text == now.text && before.heading == now.heading
}
