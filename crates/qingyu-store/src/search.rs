//! Project search: chunks, postings, vectors and conditions in the database, ranked by `qingyu-knowledge`.
//!
//! The index is derived from the story's pieces and updated in the transaction of each save. FTS5 stores the postings;
//! scores are computed here from the statistics of a single project, since FTS5 counts the texts of all projects
//! together: the texts of other users would change the order of hits. Scanned data (lengths and codes) is cached in
//! memory per project and invalidated when the index changes.

pub(crate) mod copies;
pub(crate) mod index;
mod kept_chunk;
mod kept_vector;
mod shelf;
mod snapshot;
mod surroundings;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_knowledge::analysis::{QueryTerm, asked};
use qingyu_knowledge::engine::UnembeddedChunk;
use qingyu_knowledge::fusion::fuse;
use qingyu_knowledge::keyword::{KeywordMatch, Posting, PostingList, score};
use qingyu_knowledge::search::{finish, rescored};
use qingyu_knowledge::vector::{RESCORED, ScoredRow};
use qingyu_knowledge::{Chunk, Hit, Neighbour, Query, QueryVector};
use rustc_hash::FxHashMap;

use crate::row::{from_count, to_count};
use crate::{Error, projects};
use shelf::{ChunkShelf, TermPostings};
use snapshot::SearchSnapshot;

/// Number of projects cached in memory.
const KEPT: usize = 8;

/// Search in the projects of a user. Cheap to clone; clones share the cache.
#[derive(Debug, Clone)]
pub struct Search {
    database: Database,
    user: String,
    shelves: Arc<Mutex<Vec<Arc<ChunkShelf>>>>,
}

impl Search {
    /// Returns the search in the projects of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), shelves: Arc::default() }
    }

    /// Returns the best hits for `query` in a project, best first, with the reasons of each hit.
    ///
    /// Builds the index first if the project has no index, or an index of an earlier release.
    pub async fn search(&self, project: &str, query: Query) -> Result<Vec<Hit>, Error> {
        self.bring_up_to_date(project).await?;
        let (search, project) = (self.clone(), project.to_owned());
        self.database.read(move |connection| search.find(connection, &project, &query)).await
    }

    /// Builds the index of a project if missing or of an earlier release.
    pub async fn bring_up_to_date(&self, project: &str) -> Result<(), Error> {
        let (user, given) = (self.user.clone(), project.to_owned());
        let is_current = move |connection: &Connection| {
            projects::get(connection, &user, &given)?;
            index::is_current(connection, &user, &given)
        };
        if self.database.read(is_current).await? { Ok(()) } else { self.rebuild(project).await }
    }

    /// Deletes and rebuilds the index of a project. Vectors of models must be computed again.
    pub async fn rebuild(&self, project: &str) -> Result<(), Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.write(move |connection| index::rebuild(connection, &user, &project)).await
    }

    /// Returns at most `limit` chunks of a project without a vector of `model`.
    pub async fn unembedded(&self, project: &str, model: &str, limit: usize) -> Result<Vec<UnembeddedChunk>, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            projects::get(connection, &user, &project)?;
            // Ordered by the project's own index: ordering by number would iterate over the chunks of all projects.
            let mut select = connection.prepare_cached(
                "SELECT number, kind, id, part, body, fields FROM chunk WHERE user_id = ?1 AND project_id = ?2
                 AND NOT EXISTS (SELECT 1 FROM chunk_vector WHERE chunk = chunk.number AND model = ?3)
                 ORDER BY kind, id, part LIMIT ?4",
            )?;
            let mut rows = select.query((&user, &project, &model, to_count(limit as u64)))?;
            let mut unembedded = Vec::new();
            while let Some(row) = rows.next()? {
                unembedded.push(UnembeddedChunk { number: row.get(0)?, text: kept_chunk::read(&row)?.embedded() });
            }
            Ok(unembedded)
        };
        self.database.read(job).await
    }

    /// Stores vectors of `model` by chunk number; vectors of chunks changed since are ignored.
    ///
    /// Returns the number stored, or [`Error::Dimensions`] if the project has vectors of another length for the model.
    pub async fn put_vectors(&self, project: &str, model: &str, vectors: Vec<(i64, Vec<f32>)>) -> Result<usize, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| index::put_vectors(connection, &user, &project, &model, vectors);
        self.database.write(job).await
    }

    /// Returns the number of chunks of a project, and the number with a vector of `model`.
    pub async fn embedded(&self, project: &str, model: &str) -> Result<(usize, usize), Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT count(*), count(v.chunk) FROM chunk AS c
                 LEFT JOIN chunk_vector AS v ON v.chunk = c.number AND v.model = ?3
                 WHERE c.user_id = ?1 AND c.project_id = ?2",
            )?;
            let read = |row: &qingyu_db::sql::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
            let (all, having) = select.query_row((&user, &project, &model), read)?;
            Ok((from_count(all) as usize, from_count(having) as usize))
        };
        self.database.read(job).await
    }

    /// Returns the index revision of a project, incremented by every change.
    pub async fn revision(&self, project: &str) -> Result<i64, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let job = move |connection: &Connection| Ok(index::place(connection, &user, &project)?.1);
        self.database.read(job).await
    }

    /// Records that at `revision` every chunk of a project had a vector of `model`; later changes invalidate the
    /// record.
    pub async fn note_whole(&self, project: &str, model: &str, revision: i64) -> Result<(), Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let update =
                "UPDATE search_index SET whole_with = ?4 WHERE user_id = ?1 AND project_id = ?2 AND revision = ?3";
            connection.prepare_cached(update)?.execute((&user, &project, revision, &model))?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// Returns whether every chunk has a vector, according to the [record](Self::note_whole) after the newest change.
    /// Returns `None` without an index, as before the first save. The cost does not depend on the length of the book.
    pub async fn is_whole(&self, project: &str, model: &str) -> Result<Option<bool>, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT whole_with = ?3 FROM search_index WHERE user_id = ?1 AND project_id = ?2";
            let row = connection.prepare_cached(select)?.query_row((&user, &project, &model), |row| row.get(0));
            Ok(row.optional()?)
        };
        self.database.read(job).await
    }

    /// Returns the projects of all users that may lack vectors of `model`, with their users: projects not recorded as
    /// complete, and the projects `named`. The cost depends only on the number of such projects.
    pub async fn behind(database: &Database, model: &str, named: Vec<String>) -> Result<Vec<(String, String)>, Error> {
        let model = model.to_owned();
        let job = move |connection: &Connection| {
            // Two index ranges; "<>" would scan the whole index.
            let mut not_noted = connection.prepare_cached(
                "SELECT user_id, project_id FROM search_index WHERE whole_with < ?1
                 UNION ALL SELECT user_id, project_id FROM search_index WHERE whole_with > ?1",
            )?;
            let read = |row: &qingyu_db::sql::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let mut behind = not_noted.query_map([&model], read)?.collect::<Result<BTreeSet<_>, _>>()?;
            let mut owner =
                connection.prepare_cached("SELECT user_id, project_id FROM search_index WHERE project_id = ?1")?;
            for project in &named {
                behind.extend(owner.query_row([project], read).optional()?);
            }
            Ok(behind.into_iter().collect())
        };
        database.read(job).await
    }

    /// Deletes the vectors of all other models; returns the number deleted. Free if there are none.
    pub async fn keep_models(&self, project: &str, models: &[&str]) -> Result<usize, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let kept: BTreeSet<String> = models.iter().map(|&model| model.to_owned()).collect();
        let job = move |connection: &Connection| {
            // Skips over the kept names in the index: a project has thousands of vectors for each.
            let select = "SELECT min(model) FROM chunk_vector WHERE user_id = ?1 AND project_id = ?2 AND model > ?3";
            let delete = "DELETE FROM chunk_vector WHERE user_id = ?1 AND project_id = ?2 AND model = ?3";
            let (mut last, mut gone) = (String::new(), 0);
            loop {
                let next = connection.prepare_cached(select)?.query_row((&user, &project, &last), |row| row.get(0))?;
                let Some(model): Option<String> = next else { return Ok(gone) };
                if !kept.contains(&model) {
                    gone += connection.prepare_cached(delete)?.execute((&user, &project, &model))?;
                }
                last = model;
            }
        };
        self.database.write(job).await
    }

    fn find(&self, connection: &Connection, project: &str, query: &Query) -> Result<Vec<Hit>, Error> {
        // All reads are from a single snapshot, despite concurrent saves.
        let snapshot = connection.snapshot()?;
        let hits = self.find_in(&SearchSnapshot { connection, user: &self.user, project }, query)?;
        drop(snapshot);
        Ok(hits)
    }

    fn find_in(&self, reader: &SearchSnapshot<'_>, query: &Query) -> Result<Vec<Hit>, Error> {
        let (number, revision) = index::place(reader.connection, reader.user, reader.project)?;
        let model = query.vector.as_ref().map_or("", |vector| vector.model.as_str());
        let shelf = self.shelf(reader, model, revision)?;
        let allowed = query.condition().map(|filter| shelf.fitting(reader, &filter)).transpose()?;
        let postings = reader.postings(number, &shelf, &asked(&query.text), allowed.as_deref())?;
        let keyword: Vec<KeywordMatch> = score(shelf.totals, &postings, query.depth());
        let near = match (&query.near, &query.vector) {
            (Some(found), _) => reader.rows_of(&shelf, found)?,
            (None, Some(vector)) => reader.near(&shelf, vector, allowed.as_deref(), query.depth())?,
            (None, None) => Vec::new(),
        };
        let mut pool = Vec::new();
        for fused in fuse(&query.weighed(), keyword, &near).into_iter().take(query.pool()) {
            let chunk = reader.chunk(shelf.rows[fused.row as usize].number)?;
            pool.push((fused, chunk));
        }
        Ok(finish(query, pool))
    }

    /// Returns the scanned data, from the cache if current.
    fn shelf(&self, reader: &SearchSnapshot<'_>, model: &str, revision: i64) -> Result<Arc<ChunkShelf>, Error> {
        let is_it = |shelf: &Arc<ChunkShelf>| shelf.project == reader.project && shelf.model == model;
        {
            let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = shelves.iter().position(is_it) {
                let shelf = shelves.remove(place);
                if shelf.revision == revision {
                    shelves.push(Arc::clone(&shelf));
                    return Ok(shelf);
                }
            }
        }
        let shelf = Arc::new(ChunkShelf::read(reader, model, revision)?);
        let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        shelves.retain(|other| !is_it(other));
        if shelves.len() == KEPT {
            shelves.remove(0);
        }
        shelves.push(Arc::clone(&shelf));
        Ok(shelf)
    }
}

impl SearchSnapshot<'_> {
    /// Returns the postings of the query terms. A common term is read only far enough to know its frequency, unless all
    /// terms are common.
    fn postings(
        &self,
        number: i64,
        shelf: &ChunkShelf,
        asked: &[QueryTerm],
        allowed: Option<&[u32]>,
    ) -> Result<Vec<PostingList>, Error> {
        let common = shelf.totals.common();
        let read = |most: usize| -> Result<Vec<Arc<TermPostings>>, Error> {
            asked.iter().map(|asked| shelf.term(asked, most, || self.term(number, shelf, asked, most))).collect()
        };
        let mut terms = read(common)?;
        if terms.iter().all(|term| term.having > common) {
            terms = read(usize::MAX)?;
        }
        let is_allowed = allowed.map(|rows| {
            let mut is_allowed = vec![false; shelf.rows.len()];
            rows.iter().for_each(|row| is_allowed[*row as usize] = true);
            is_allowed
        });
        let postings = |(asked, term): (&QueryTerm, Arc<TermPostings>)| {
            let counts =
                term.counts.iter().filter(|(row, _)| is_allowed.as_ref().is_none_or(|rows| rows[*row as usize]));
            let posting = |(row, count): &(u32, u32)| Posting {
                row: *row,
                count: *count,
                length: shelf.rows[*row as usize].length,
            };
            PostingList { asked: asked.clone(), having: term.having, postings: counts.map(posting).collect() }
        };
        Ok(asked.iter().zip(terms).map(postings).collect())
    }

    /// Returns the chunks with a term and its frequencies; of more than `most` chunks only the fact of exceeding the
    /// limit.
    fn term(&self, number: i64, shelf: &ChunkShelf, asked: &QueryTerm, most: usize) -> Result<TermPostings, Error> {
        let prefix = index::prefix(number);
        let (from, until) = match asked {
            QueryTerm::Term(term) => (format!("{prefix}{term}"), format!("{prefix}{term}")),
            QueryTerm::Character(first) => (format!("{prefix}{first}"), format!("{prefix}{first}{}", char::MAX)),
        };
        let mut select =
            self.connection.prepare_cached("SELECT doc FROM chunk_posting WHERE term >= ?1 AND term <= ?2")?;
        let mut docs = select.query((from, until))?;
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        while let Some(row) = docs.next()? {
            let Some(place) = shelf.places.get(&row.get::<_, i64>(0)?) else { continue };
            *counts.entry(*place).or_default() += 1;
            if counts.len() > most {
                return Ok(TermPostings { having: counts.len(), counts: Vec::new() });
            }
        }
        let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        Ok(TermPostings { having: counts.len(), counts })
    }

    fn near(
        &self,
        shelf: &ChunkShelf,
        query: &QueryVector,
        allowed: Option<&[u32]>,
        depth: usize,
    ) -> Result<Vec<ScoredRow>, Error> {
        let near = shelf.codes.scan(&query.values, allowed, depth.max(RESCORED));
        let mut select = self.connection.prepare_cached(
            "SELECT vector, codes FROM chunk_vector WHERE user_id = ?1 AND project_id = ?2 AND chunk = ?3 AND model = ?4",
        )?;
        let mut vectors = FxHashMap::default();
        for one in near.iter().take(RESCORED) {
            let number = shelf.rows[one.row as usize].number;
            let (bytes, codes): (Vec<u8>, Vec<u8>) = select
                .query_row((self.user, self.project, number, &query.model), |row| Ok((row.get(0)?, row.get(1)?)))?;
            vectors.insert(one.row, kept_vector::values(&bytes, &codes)?);
        }
        Ok(rescored(&query.values, near, RESCORED, |row| vectors.remove(&row)))
    }

    /// Returns the rows of chunks found by a vector engine; chunks which no longer exist are left out.
    fn rows_of(&self, shelf: &ChunkShelf, found: &[Neighbour]) -> Result<Vec<ScoredRow>, Error> {
        let select = "SELECT number FROM chunk
             WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4 AND part = ?5";
        let mut select = self.connection.prepare_cached(select)?;
        let mut rows = Vec::with_capacity(found.len());
        for near in found {
            let key = (self.user, self.project, near.source.kind.name(), &near.source.id, near.part);
            let number = select.query_row(key, |row| row.get::<_, i64>(0)).optional()?;
            if let Some(row) = number.and_then(|number| shelf.places.get(&number)) {
                rows.push(ScoredRow { row: *row, score: near.score });
            }
        }
        Ok(rows)
    }

    fn chunk(&self, number: i64) -> Result<Chunk, Error> {
        let columns = kept_chunk::COLUMNS;
        let select = format!("SELECT {columns} FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND number = ?3");
        let mut select = self.connection.prepare_cached(&select)?;
        select.query_row((self.user, self.project, number), |row| Ok(kept_chunk::read(row)))?
    }
}
