//! Index maintenance: updates in the transaction of a save.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use qingyu_db::sql::{Connection, Dialect, OptionalExtension, Row};
use qingyu_knowledge::analysis::each_term;
use qingyu_knowledge::chunk::Chunker;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::{Chunk, vector};
use qingyu_story::PieceKind;

use super::snapshot::kind;
use super::surroundings::IndexedPieces;
use super::{copies, kept_chunk, kept_vector};
use crate::{Error, Project, StoredChange, StoredKind, StoredPiece, piece, projects};

/// Version of the index, incremented when chunking or text analysis changes.
const FORMAT: i64 = 4;

/// Returns the prefix of a project's terms.
pub(super) fn prefix(number: i64) -> String {
    format!("p{number}x")
}

/// Returns whether the project has an index of the current release.
pub(super) fn is_current(connection: &Connection, user: &str, project: &str) -> Result<bool, Error> {
    let select = "SELECT format = ?3 FROM search_index WHERE user_id = ?1 AND project_id = ?2";
    let found = connection.prepare_cached(select)?.query_row((user, project, FORMAT), |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(false))
}

/// Returns the number and the revision of a project's index.
pub(super) fn place(connection: &Connection, user: &str, project: &str) -> Result<(i64, i64), Error> {
    let select = "SELECT number, revision FROM search_index WHERE user_id = ?1 AND project_id = ?2";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let row = connection.prepare_cached(select)?.query_row((user, project), read).optional()?;
    row.ok_or_else(|| Error::UnknownProject { given: project.into() })
}

/// Rebuilds the index.
pub(super) fn rebuild(connection: &Connection, user: &str, project: &str) -> Result<(), Error> {
    connection.lock(project)?;
    let kept = projects::get(connection, user, project)?;
    let index = IndexWriter::of(connection, user, project)?;
    index.chunks()?.into_iter().try_for_each(|number| index.remove_chunk(number))?;
    index.write_postings()?;
    for sql in [
        "DELETE FROM search_source WHERE user_id = ?1 AND project_id = ?2",
        // The revision keeps growing, to invalidate caches of the old index.
        &format!(
            "UPDATE search_index SET format = {FORMAT}, surroundings = NULL WHERE user_id = ?1 AND project_id = ?2"
        ),
    ] {
        connection.prepare_cached(sql)?.execute((user, project))?;
    }
    update(connection, user, &kept, &[])
}

/// Deletes all search data of a project.
pub(crate) fn forget_project(connection: &Connection, user: &str, project: &str) -> Result<(), Error> {
    let index = IndexWriter::of(connection, user, project)?;
    index.chunks()?.into_iter().try_for_each(|number| index.remove_chunk(number))?;
    index.write_postings()?;
    for sql in [
        "DELETE FROM search_source WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM search_index WHERE user_id = ?1 AND project_id = ?2",
    ] {
        connection.prepare_cached(sql)?.execute((user, project))?;
    }
    copies::forget_project(connection, user, project)
}

/// Updates the index after `changes`.
///
/// The cost is proportional to the changes, plus reading the characters and the chapters without their texts. If these
/// have changed, all dependent chunks are compared and replaced.
pub(crate) fn update(
    connection: &Connection,
    user: &str,
    project: &Project,
    changes: &[StoredChange],
) -> Result<(), Error> {
    let index = IndexWriter::of(connection, user, &project.id)?;
    if !is_current(connection, user, &project.id)? {
        // An index of another release; the next search rebuilds the index.
        return Ok(());
    }
    let source = IndexedPieces { connection, user, project: &project.id };
    let chunker = Chunker::new(&source.story(project.language)?);
    let now = chunker.surroundings().cast_signed();
    if index.surroundings()? == Some(now) {
        for change in changes {
            match change {
                StoredChange::Put(kept) => index.put(&chunker, kept.clone())?,
                StoredChange::Remove { kind: StoredKind::Piece(kind), id } => index.forget(*kind, id)?,
                StoredChange::Remove {
                    kind: StoredKind::Waiver | StoredKind::Comment | StoredKind::Field | StoredKind::Production,
                    ..
                } => {}
            }
        }
    } else {
        index.compare(&chunker, &source, changes)?;
        index.note_surroundings(now)?;
    }
    index.finish()
}

/// Stores vectors of a model; returns the number stored.
pub(super) fn put_vectors(
    connection: &Connection,
    user: &str,
    project: &str,
    model: &str,
    vectors: Vec<(i64, Vec<f32>)>,
) -> Result<usize, Error> {
    connection.lock(project)?;
    projects::get(connection, user, project)?;
    if !is_current(connection, user, project)? {
        // The next search replaces the chunks.
        return Ok(0);
    }
    let index = IndexWriter::of(connection, user, project)?;
    let select = "SELECT vector, codes FROM chunk_vector WHERE user_id = ?1 AND project_id = ?2 AND model = ?3 LIMIT 1";
    let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let known: Option<(Vec<u8>, Vec<u8>)> =
        connection.prepare_cached(select)?.query_row((user, project, model), columns).optional()?;
    let mut expected = known.map(|(vector, codes)| kept_vector::dimensions(&vector, &codes)).transpose()?;
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
    index.finish()?;
    Ok(kept)
}

/// A writer for the index of a project.
struct IndexWriter<'c> {
    connection: &'c Connection<'c>,
    user: &'c str,
    project: &'c str,
    prefix: String,
    lexical: LexicalEmbedder,
    postings: RefCell<PendingPostings>,
}

/// A buffer of postings to write together.
///
/// FTS5 flushes its buffer before every statement with its own savepoint, as a segment to be merged later: interleaved
/// with other statements, the writes take ten times as long.
#[derive(Default)]
struct PendingPostings {
    gone: BTreeSet<i64>,
    new: BTreeMap<i64, String>,
    bytes: usize,
}

/// Maximum size of the buffer, in bytes.
const MOST_WAITING: usize = 32 << 20;

impl<'c> IndexWriter<'c> {
    /// Returns the index of the project, registered with a new number by default.
    fn of(connection: &'c Connection<'c>, user: &'c str, project: &'c str) -> Result<Self, Error> {
        connection
            .prepare_cached(
                "INSERT INTO search_index(user_id, project_id, format, revision, whole_with) VALUES (?1, ?2, ?3, 0, ?4)
                 ON CONFLICT (project_id) DO NOTHING",
            )?
            .execute((user, project, FORMAT, LexicalEmbedder::NAME))?;
        let select = "SELECT number FROM search_index WHERE user_id = ?1 AND project_id = ?2";
        let number = connection.prepare_cached(select)?.query_row((user, project), |row| row.get(0))?;
        Ok(Self {
            connection,
            user,
            project,
            prefix: prefix(number),
            lexical: LexicalEmbedder::new(),
            postings: RefCell::default(),
        })
    }

    /// Flushes the buffer, and invalidates caches and vector completeness by a new revision. Lexical vectors are
    /// computed with every chunk.
    fn finish(&self) -> Result<(), Error> {
        self.write_postings()?;
        let update = "UPDATE search_index SET revision = revision + 1,
                      whole_with = CASE whole_with WHEN ?3 THEN whole_with ELSE '' END
                      WHERE user_id = ?1 AND project_id = ?2";
        self.connection.prepare_cached(update)?.execute((self.user, self.project, LexicalEmbedder::NAME))?;
        Ok(())
    }

    /// Returns the fingerprint of the data on which all chunks depend.
    fn surroundings(&self) -> Result<Option<i64>, Error> {
        let select = "SELECT surroundings FROM search_index WHERE user_id = ?1 AND project_id = ?2";
        Ok(self.connection.prepare_cached(select)?.query_row((self.user, self.project), |row| row.get(0))?)
    }

    fn note_surroundings(&self, fingerprint: i64) -> Result<(), Error> {
        let update = "UPDATE search_index SET surroundings = ?3 WHERE user_id = ?1 AND project_id = ?2";
        self.connection.prepare_cached(update)?.execute((self.user, self.project, fingerprint))?;
        Ok(())
    }

    /// Replaces the chunks of a piece.
    fn put(&self, chunker: &Chunker, kept: StoredPiece) -> Result<(), Error> {
        let id = kept.id.clone();
        let Some(piece) = piece::read(kept)? else { return Ok(()) };
        self.replace(piece.kind(), &id, &chunker.chunks(&id, &piece))?;
        self.note_source(piece.kind(), &id, chunker.fingerprint(&piece).cast_signed())
    }

    /// Replaces the chunks of pieces named by `changes` or dependent on changed surroundings.
    fn compare(&self, chunker: &Chunker, source: &IndexedPieces<'_>, changes: &[StoredChange]) -> Result<(), Error> {
        let mut known = self.sources()?;
        let changed: BTreeSet<(StoredKind, &str)> = changes.iter().map(StoredChange::names).collect();
        for light in source.light()? {
            let (kind, id) = (light.kind, light.id.clone());
            let Some(piece) = piece::read(light)? else { continue };
            let before = known.remove(&(piece.kind(), id.clone()));
            let is_same = before == Some(chunker.fingerprint(&piece).cast_signed());
            if !is_same || changed.contains(&(kind, id.as_str())) {
                self.put(chunker, source.whole(kind, &id)?)?;
            }
        }
        known.into_keys().try_for_each(|(kind, id)| self.forget(kind, &id))
    }

    fn forget(&self, kind: PieceKind, id: &str) -> Result<(), Error> {
        self.replace(kind, id, &[])?;
        let delete = "DELETE FROM search_source WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4";
        self.connection.prepare_cached(delete)?.execute((self.user, self.project, kind.name(), id))?;
        Ok(())
    }

    fn chunks(&self) -> Result<Vec<i64>, Error> {
        let select = "SELECT number FROM chunk WHERE user_id = ?1 AND project_id = ?2";
        let mut select = self.connection.prepare_cached(select)?;
        let rows = select.query_map((self.user, self.project), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the indexed pieces, with the fingerprints of their sources.
    fn sources(&self) -> Result<BTreeMap<(PieceKind, String), i64>, Error> {
        let select = "SELECT kind, id, fingerprint FROM search_source WHERE user_id = ?1 AND project_id = ?2";
        let mut select = self.connection.prepare_cached(select)?;
        let mut rows = select.query((self.user, self.project))?;
        let mut sources = BTreeMap::new();
        while let Some(row) = rows.next()? {
            sources.insert((kind(&row.get::<_, String>(0)?)?, row.get(1)?), row.get(2)?);
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

    /// Replaces the chunks of a piece with `chunks`; equal chunks stay, with their vectors.
    fn replace(&self, kind: PieceKind, id: &str, chunks: &[Chunk]) -> Result<(), Error> {
        let mut kept = BTreeSet::new();
        for (number, before) in self.chunks_of(kind, id)? {
            match chunks.get(before.part as usize) {
                Some(now) if is_same(&before, now) => {
                    kept.insert(before.part);
                    if before != *now {
                        self.rewrite(number, now)?;
                    }
                }
                _ => self.remove_chunk(number)?,
            }
        }
        chunks.iter().filter(|chunk| !kept.contains(&chunk.part)).try_for_each(|chunk| self.add(chunk))
    }

    fn chunks_of(&self, kind: PieceKind, id: &str) -> Result<Vec<(i64, Chunk)>, Error> {
        let select = format!(
            "SELECT {}, number FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
            kept_chunk::COLUMNS
        );
        let mut select = self.connection.prepare_cached(&select)?;
        let mut rows = select.query((self.user, self.project, kind.name(), id))?;
        let mut chunks = Vec::new();
        while let Some(row) = rows.next()? {
            chunks.push((row.get("number")?, kept_chunk::read(&row)?));
        }
        Ok(chunks)
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
        let insert = "INSERT INTO chunk(user_id, project_id, kind, id, part, length, body, fields)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING number";
        let (kind, id) = (chunk.source.kind.name(), &chunk.source.id);
        let mut insert = self.connection.prepare_cached(insert)?;
        let (body, fields) = kept_chunk::written(chunk);
        let values = (self.user, self.project, kind, id, chunk.part, length, body, fields);
        let number: i64 = insert.query_row(values, |row| row.get(0))?;
        self.put_vector(number, LexicalEmbedder::NAME, &self.lexical.vector(&chunk.embedded()))?;
        let mut postings = self.postings.borrow_mut();
        postings.bytes += terms.len();
        postings.new.insert(number, terms);
        let is_enough = postings.bytes > MOST_WAITING;
        drop(postings);
        if is_enough { self.write_postings() } else { Ok(()) }
    }

    fn write_postings(&self) -> Result<(), Error> {
        let PendingPostings { gone, new, .. } = self.postings.take();
        // PostgreSQL has a plain table of postings instead of FTS5.
        let (delete, insert) = match self.connection.dialect() {
            Dialect::Sqlite => {
                ("DELETE FROM chunk_terms WHERE rowid = ?1", "INSERT INTO chunk_terms(rowid, terms) VALUES (?1, ?2)")
            }
            Dialect::Postgres => (
                "DELETE FROM chunk_posting WHERE doc = ?1",
                "INSERT INTO chunk_posting(doc, term) SELECT ?1, unnest(string_to_array(rtrim(?2), ' '))",
            ),
        };
        let mut delete = self.connection.prepare_cached(delete)?;
        gone.into_iter().try_for_each(|number| delete.execute([number]).map(drop))?;
        let mut insert = self.connection.prepare_cached(insert)?;
        new.into_iter().filter(|(_, terms)| !terms.is_empty()).try_for_each(|row| insert.execute(row).map(drop))?;
        Ok(())
    }

    /// Updates the columns without words or vectors.
    fn rewrite(&self, number: i64, chunk: &Chunk) -> Result<(), Error> {
        let update = "UPDATE chunk SET body = ?4, fields = ?5 WHERE user_id = ?1 AND project_id = ?2 AND number = ?3";
        let (body, fields) = kept_chunk::written(chunk);
        self.connection.prepare_cached(update)?.execute((self.user, self.project, number, body, fields))?;
        Ok(())
    }

    /// Stores a vector of length 1. Returns 1, or 0 if the chunk does not exist any more.
    fn put_vector(&self, number: i64, model: &str, values: &[f32]) -> Result<usize, Error> {
        let (vector, codes, scale) = kept_vector::written(values);
        let insert = "INSERT INTO chunk_vector(user_id, project_id, chunk, model, vector, codes, scale)
                      SELECT user_id, project_id, number, ?4, ?5, ?6, ?7 FROM chunk
                      WHERE user_id = ?1 AND project_id = ?2 AND number = ?3
                      ON CONFLICT (chunk, model) DO UPDATE
                      SET vector = excluded.vector, codes = excluded.codes, scale = excluded.scale";
        let mut insert = self.connection.prepare_cached(insert)?;
        Ok(insert.execute((self.user, self.project, number, model, vector, codes, f64::from(scale)))?)
    }

    fn remove_chunk(&self, number: i64) -> Result<(), Error> {
        let delete = "DELETE FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND number = ?3";
        let gone = self.connection.prepare_cached(delete)?.execute((self.user, self.project, number))?;
        let mut postings = self.postings.borrow_mut();
        if gone > 0 && postings.new.remove(&number).is_none() {
            postings.gone.insert(number);
        }
        Ok(())
    }
}

/// Returns whether two chunks have the same words and vectors.
fn is_same(before: &Chunk, now: &Chunk) -> bool {
    before.text == now.text && before.heading == now.heading
}
