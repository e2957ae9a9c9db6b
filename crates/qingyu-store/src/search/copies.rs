//! Copies of a project's index on other servers: what has to be copied, and the record of what was copied.
//!
//! A copy is named by its place, such as `vectors qdrant host:6333 lexical-1`. The record is stored beside the index,
//! so that filling a copy continues where it was interrupted, and a search knows whether the copy is current.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use qingyu_knowledge::Source;
use qingyu_knowledge::engine::VectorPoint;
use qingyu_story::digest::sha256;

use super::snapshot::kind;
use super::{Search, kept_chunk, kept_vector};
use crate::Error;
use crate::row::{from_count, to_count};

/// The next pieces to copy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CopyBatch {
    /// The pieces with new or changed vectors.
    pub put: Vec<CopyPiece>,
    /// The pieces which no longer exist; only in the first batch of a pass.
    pub remove: Vec<Source>,
    /// The last piece looked at, behind which the next batch begins; `None` if no piece is left.
    pub next: Option<Source>,
}

impl CopyBatch {
    /// Returns whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.remove.is_empty()
    }
}

/// The vectors of a piece.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyPiece {
    /// The piece.
    pub source: Source,
    /// The fingerprint of the piece at the time of reading.
    pub fingerprint: i64,
    /// The vectors of its chunks; empty for a piece without text.
    pub points: Vec<VectorPoint>,
}

/// The progress of a copy, in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CopyProgress {
    /// The number of pieces of the project.
    pub pieces: usize,
    /// The number of pieces in the copy, in their current state.
    pub copied: usize,
}

impl Search {
    /// Returns whether the copy has everything of the index as of now.
    pub async fn is_copied(&self, project: &str, place: &str) -> Result<bool, Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT c.revision = i.revision FROM search_index AS i
                 JOIN search_copy AS c ON c.user_id = i.user_id AND c.project_id = i.project_id AND c.place = ?3
                 WHERE i.user_id = ?1 AND i.project_id = ?2";
            let read = |row: &Row<'_>| row.get::<_, bool>(0);
            let found = connection.prepare_cached(select)?.query_row((&user, &project, &place), read).optional()?;
            Ok(found.unwrap_or(false))
        };
        self.database.read(job).await
    }

    /// Records that the copy has everything of the index at `revision`; later changes invalidate the record.
    pub async fn note_copied(&self, project: &str, place: &str, revision: i64) -> Result<(), Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let job = move |connection: &Connection| note(connection, (&user, &project, &place), revision);
        self.database.write(job).await
    }

    /// Returns the number of pieces, and the number whose vectors are in the copy.
    pub async fn copy_progress(&self, project: &str, place: &str) -> Result<CopyProgress, Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT count(*), count(c.id) FROM search_source AS s
                 LEFT JOIN search_copy_piece AS c ON c.user_id = s.user_id AND c.project_id = s.project_id
                     AND c.place = ?3 AND c.kind = s.kind AND c.id = s.id AND c.fingerprint = s.fingerprint
                 WHERE s.user_id = ?1 AND s.project_id = ?2";
            let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
            let (pieces, copied) = connection.prepare_cached(select)?.query_row((&user, &project, &place), read)?;
            Ok(CopyProgress { pieces: from_count(pieces) as usize, copied: from_count(copied) as usize })
        };
        self.database.read(job).await
    }

    /// Looks at the next `limit` pieces that differ from the copy, behind the piece `after`, and returns those with
    /// vectors of `model`; without `after`, also the deleted pieces. A piece with a chunk without a vector of `model`
    /// waits. A pass over all batches reads each piece once.
    pub async fn uncopied(
        &self,
        project: &str,
        place: &str,
        model: &str,
        after: Option<&Source>,
        limit: usize,
    ) -> Result<CopyBatch, Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let (model, after) = (model.to_owned(), after.cloned());
        let job = move |connection: &Connection| {
            let snapshot = connection.snapshot()?;
            let of = CopyReader { connection, user: &user, project: &project, place: &place };
            let mut batch = of.changed(&model, after.as_ref(), limit)?;
            if after.is_none() {
                batch.remove = of.gone()?;
            }
            drop(snapshot);
            Ok(batch)
        };
        self.database.read(job).await
    }

    /// Records the pieces of a batch as copied, and its deleted pieces as removed.
    pub async fn note_batch(&self, project: &str, place: &str, batch: &CopyBatch) -> Result<(), Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let put: Vec<(Source, i64)> = batch.put.iter().map(|one| (one.source.clone(), one.fingerprint)).collect();
        let remove = batch.remove.clone();
        let job = move |connection: &Connection| {
            // The copy is known from its first piece on, so that it is deleted with the project.
            note(connection, (&user, &project, &place), 0)?;
            let mut insert = connection.prepare_cached(
                "INSERT INTO search_copy_piece(user_id, project_id, place, kind, id, fingerprint)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (user_id, project_id, place, kind, id) DO UPDATE SET fingerprint = excluded.fingerprint",
            )?;
            for (source, fingerprint) in &put {
                insert.execute((&user, &project, &place, source.kind.name(), &source.id, *fingerprint))?;
            }
            let mut delete = connection.prepare_cached(
                "DELETE FROM search_copy_piece
                 WHERE user_id = ?1 AND project_id = ?2 AND place = ?3 AND kind = ?4 AND id = ?5",
            )?;
            for source in &remove {
                delete.execute((&user, &project, &place, source.kind.name(), &source.id))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// Returns the places of a project's copies that begin with `start`, such as `vectors qdrant host:6333 `.
    pub async fn copies(&self, project: &str, start: &str) -> Result<Vec<String>, Error> {
        let (user, project, start) = (self.user.clone(), project.to_owned(), start.to_owned());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT place FROM search_copy WHERE user_id = ?1 AND project_id = ?2 ORDER BY place",
            )?;
            let places = select.query_map((&user, &project), |row| row.get::<_, String>(0))?;
            let places = places.collect::<Result<Vec<_>, _>>()?;
            Ok(places.into_iter().filter(|place| place.starts_with(&start)).collect())
        };
        self.database.read(job).await
    }

    /// Deletes the record of a copy: the copy is made anew, or was deleted.
    pub async fn forget_copy(&self, project: &str, place: &str) -> Result<(), Error> {
        let (user, project, place) = (self.user.clone(), project.to_owned(), place.to_owned());
        let job = move |connection: &Connection| {
            for sql in [
                "DELETE FROM search_copy_piece WHERE user_id = ?1 AND project_id = ?2 AND place = ?3",
                "DELETE FROM search_copy WHERE user_id = ?1 AND project_id = ?2 AND place = ?3",
            ] {
                connection.prepare_cached(sql)?.execute((&user, &project, &place))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// Returns the projects of all users whose copy at `place` is not current, with their users, and the projects
    /// `named`, which have places of their own.
    pub async fn not_copied(
        database: &Database,
        place: &str,
        named: Vec<String>,
    ) -> Result<Vec<(String, String)>, Error> {
        let place = place.to_owned();
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT i.user_id, i.project_id FROM search_index AS i
                 LEFT JOIN search_copy AS c ON c.user_id = i.user_id AND c.project_id = i.project_id AND c.place = ?1
                 WHERE c.revision IS NULL OR c.revision <> i.revision",
            )?;
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let mut behind = select.query_map([&place], read)?.collect::<Result<BTreeSet<_>, _>>()?;
            let mut owner =
                connection.prepare_cached("SELECT user_id, project_id FROM search_index WHERE project_id = ?1")?;
            for project in &named {
                behind.extend(owner.query_row([project], read).optional()?);
            }
            Ok(behind.into_iter().collect())
        };
        database.read(job).await
    }

    /// Returns the copies of deleted projects of all users: user, project, place.
    pub async fn deleted_copies(database: &Database) -> Result<Vec<(String, String, String)>, Error> {
        let job = |connection: &Connection| {
            let mut select =
                connection.prepare_cached("SELECT user_id, project_id, place FROM search_copy WHERE revision < 0")?;
            let rows = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        };
        database.read(job).await
    }
}

/// Marks the copies of a deleted project for deletion.
pub(super) fn forget_project(connection: &Connection, user: &str, project: &str) -> Result<(), Error> {
    for sql in [
        "DELETE FROM search_copy_piece WHERE user_id = ?1 AND project_id = ?2",
        "UPDATE search_copy SET revision = -1 WHERE user_id = ?1 AND project_id = ?2",
    ] {
        connection.prepare_cached(sql)?.execute((user, project))?;
    }
    Ok(())
}

fn note(connection: &Connection, (user, project, place): (&str, &str, &str), revision: i64) -> Result<(), Error> {
    connection
        .prepare_cached(
            "INSERT INTO search_copy(user_id, project_id, place, revision) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (user_id, project_id, place) DO UPDATE SET revision = excluded.revision
             WHERE search_copy.revision >= 0",
        )?
        .execute((user, project, place, revision))?;
    Ok(())
}

/// The index and the record of one copy.
struct CopyReader<'c> {
    connection: &'c Connection<'c>,
    user: &'c str,
    project: &'c str,
    place: &'c str,
}

impl CopyReader<'_> {
    fn changed(&self, model: &str, after: Option<&Source>, limit: usize) -> Result<CopyBatch, Error> {
        let select = "SELECT s.kind, s.id, s.fingerprint FROM search_source AS s
             LEFT JOIN search_copy_piece AS c ON c.user_id = s.user_id AND c.project_id = s.project_id
                 AND c.place = ?3 AND c.kind = s.kind AND c.id = s.id
             WHERE s.user_id = ?1 AND s.project_id = ?2 AND (s.kind, s.id) > (?4, ?5)
                 AND (c.fingerprint IS NULL OR c.fingerprint <> s.fingerprint)
             ORDER BY s.kind, s.id LIMIT ?6";
        // Every kind sorts behind the empty word.
        let (kind_after, id_after) = after.map_or(("", ""), |after| (after.kind.name(), after.id.as_str()));
        let mut select = self.connection.prepare_cached(select)?;
        let most = to_count(limit as u64);
        let mut rows = select.query((self.user, self.project, self.place, kind_after, id_after, most))?;
        let mut waiting: Vec<(Source, i64)> = Vec::new();
        while let Some(row) = rows.next()? {
            waiting.push((Source { kind: kind(&row.get::<_, String>(0)?)?, id: row.get(1)? }, row.get(2)?));
        }
        let next = waiting.last().filter(|_| waiting.len() == limit).map(|(source, _)| source.clone());
        let mut put = Vec::new();
        for (source, fingerprint) in waiting {
            if let Some(points) = self.points(&source, model)? {
                put.push(CopyPiece { source, fingerprint, points });
            }
        }
        Ok(CopyBatch { put, remove: Vec::new(), next })
    }

    /// Returns the vectors of a piece's chunks; `None` if a chunk has no vector yet.
    fn points(&self, source: &Source, model: &str) -> Result<Option<Vec<VectorPoint>>, Error> {
        let select = "SELECT c.part, c.fields, v.vector, v.codes FROM chunk AS c
             LEFT JOIN chunk_vector AS v ON v.chunk = c.number AND v.model = ?5
             WHERE c.user_id = ?1 AND c.project_id = ?2 AND c.kind = ?3 AND c.id = ?4 ORDER BY c.part";
        let mut select = self.connection.prepare_cached(select)?;
        let mut rows = select.query((self.user, self.project, source.kind.name(), &source.id, model))?;
        let mut points = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(vector) = row.bytes(2)? else { return Ok(None) };
            let codes = row.bytes(3)?.unwrap_or_default();
            points.push(VectorPoint {
                source: source.clone(),
                part: row.get(0)?,
                fields: kept_chunk::read_fields(&row.get::<_, String>(1)?)?,
                vector: kept_vector::values(vector, codes)?,
            });
        }
        Ok(Some(points))
    }

    fn gone(&self) -> Result<Vec<Source>, Error> {
        let select = "SELECT c.kind, c.id FROM search_copy_piece AS c
             LEFT JOIN search_source AS s ON s.user_id = c.user_id AND s.project_id = c.project_id
                 AND s.kind = c.kind AND s.id = c.id
             WHERE c.user_id = ?1 AND c.project_id = ?2 AND c.place = ?3 AND s.id IS NULL";
        let mut select = self.connection.prepare_cached(select)?;
        let mut rows = select.query((self.user, self.project, self.place))?;
        let mut gone = Vec::new();
        while let Some(row) = rows.next()? {
            gone.push(Source { kind: kind(&row.get::<_, String>(0)?)?, id: row.get(1)? });
        }
        Ok(gone)
    }
}

/// The chunks of a project with a vector of one model, by the text that was embedded.
#[derive(Debug, Clone, Default)]
pub struct EmbeddedTexts(BTreeMap<String, i64>);

impl EmbeddedTexts {
    /// Returns the number of the chunk with this embedded text.
    pub fn chunk(&self, text: &str) -> Option<i64> {
        self.0.get(&sha256(text.as_bytes())).copied()
    }
}

impl Search {
    /// Returns the chunks of a project with a vector of `model`, by embedded text.
    pub async fn embedded_texts(&self, project: &str, model: &str) -> Result<EmbeddedTexts, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT c.number, c.kind, c.id, c.part, c.body, c.fields FROM chunk AS c
                 JOIN chunk_vector AS v ON v.chunk = c.number AND v.model = ?3
                 WHERE c.user_id = ?1 AND c.project_id = ?2",
            )?;
            let mut rows = select.query((&user, &project, &model))?;
            let mut found = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let text = kept_chunk::read(&row)?.embedded();
                found.insert(sha256(text.as_bytes()), row.get(0)?);
            }
            Ok(EmbeddedTexts(found))
        };
        self.database.read(job).await
    }

    /// Returns the vectors of `model` of the given chunks of a project, by chunk number; leaves out chunks without one.
    pub async fn vectors_of(
        &self,
        project: &str,
        model: &str,
        chunks: Vec<i64>,
    ) -> Result<BTreeMap<i64, Vec<f32>>, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT vector, codes FROM chunk_vector
                 WHERE user_id = ?1 AND project_id = ?2 AND model = ?3 AND chunk = ?4",
            )?;
            let mut found = BTreeMap::new();
            for chunk in chunks {
                let read = |row: &Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?));
                if let Some((vector, codes)) = select.query_row((&user, &project, &model, chunk), read).optional()? {
                    found.insert(chunk, kept_vector::values(&vector, &codes)?);
                }
            }
            Ok(found)
        };
        self.database.read(job).await
    }
}
