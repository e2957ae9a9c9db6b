//! Searching a project: chunks, postings, vectors and conditions in the database, decided by `qingyu-knowledge`.
//!
//! The index is derived from the story's pieces and changes in the transaction of the save that changes them. FTS5 keeps
//! the postings; the scores are our own, from the statistics of the one project, since those of FTS5 count the texts of
//! all projects together: what others write would change the order of one's own hits. What is scanned (lengths and codes)
//! is kept in memory per project and read again when the index has changed.

pub(crate) mod index;
mod kept_chunk;
mod kept_vector;
mod shelf;
mod surroundings;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_knowledge::analysis::{Asked, asked};
use qingyu_knowledge::engine::Unembedded;
use qingyu_knowledge::fusion::fuse;
use qingyu_knowledge::keyword::{Match, Posting, Postings, score};
use qingyu_knowledge::search::{finish, rescored};
use qingyu_knowledge::vector::{Near, RESCORED};
use qingyu_knowledge::{Chunk, Hit, Query, QueryVector};
use qingyu_story::PieceKind;
use rustc_hash::FxHashMap;

use crate::row::{from_count, to_count};
use crate::{Error, projects};
use shelf::{Shelf, Term};

/// How many projects are kept in memory.
const KEPT: usize = 8;

/// Search in the projects of one user. Cheap to clone; clones share what is kept in memory.
#[derive(Debug, Clone)]
pub struct Search {
    database: Database,
    user: String,
    shelves: Arc<Mutex<Vec<Arc<Shelf>>>>,
}

impl Search {
    /// Search in the projects of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), shelves: Arc::default() }
    }

    /// What fits `query` best in a project, best first, with the reasons of each hit.
    ///
    /// A project without an index, or with one of an earlier release, gets one first.
    pub async fn search(&self, project: &str, query: Query) -> Result<Vec<Hit>, Error> {
        self.bring_up_to_date(project).await?;
        let (search, project) = (self.clone(), project.to_owned());
        self.database.read(move |connection| search.find(connection, &project, &query)).await
    }

    /// Makes the index of a project that has none, or one of an earlier release.
    pub async fn bring_up_to_date(&self, project: &str) -> Result<(), Error> {
        let (user, given) = (self.user.clone(), project.to_owned());
        let is_current = move |connection: &Connection| {
            projects::get(connection, &user, &given)?;
            index::is_current(connection, &user, &given)
        };
        if self.database.read(is_current).await? { Ok(()) } else { self.rebuild(project).await }
    }

    /// Throws the index of a project away and makes it anew. Vectors of models have to be made again.
    pub async fn rebuild(&self, project: &str) -> Result<(), Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.write(move |connection| index::rebuild(connection, &user, &project)).await
    }

    /// Chunks of a project that have no vector of `model`, at most `limit`.
    pub async fn unembedded(&self, project: &str, model: &str, limit: usize) -> Result<Vec<Unembedded>, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            projects::get(connection, &user, &project)?;
            // In the order of the project's own index: in that of the numbers, the chunks of all projects are gone through.
            let mut select = connection.prepare_cached(
                "SELECT number, kind, id, part, body, fields FROM chunk WHERE user_id = ?1 AND project_id = ?2
                 AND NOT EXISTS (SELECT 1 FROM chunk_vector WHERE chunk = chunk.number AND model = ?3)
                 ORDER BY kind, id, part LIMIT ?4",
            )?;
            let mut rows = select.query((&user, &project, &model, to_count(limit as u64)))?;
            let mut unembedded = Vec::new();
            while let Some(row) = rows.next()? {
                unembedded.push(Unembedded { number: row.get(0)?, text: kept_chunk::read(&row)?.embedded() });
            }
            Ok(unembedded)
        };
        self.database.read(job).await
    }

    /// Keeps vectors of `model`, by the numbers of their chunks; those of chunks that have changed since are left out.
    ///
    /// Gives how many were kept. Fails with [`Error::Dimensions`] if the project has vectors of this model that are longer
    /// or shorter.
    pub async fn put_vectors(&self, project: &str, model: &str, vectors: Vec<(i64, Vec<f32>)>) -> Result<usize, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| index::put_vectors(connection, &user, &project, &model, vectors);
        self.database.write(job).await
    }

    /// How many chunks a project has, and how many of them have a vector of `model`.
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

    /// A number that grows with every change of a project's index.
    pub async fn revision(&self, project: &str) -> Result<i64, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let job = move |connection: &Connection| Ok(index::place(connection, &user, &project)?.1);
        self.database.read(job).await
    }

    /// Notes that at `revision` every chunk of a project had a vector of `model`; whoever has changed it since has more to do.
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

    /// Whether it was [noted](Self::note_whole) after the newest change of a project that it is whole. `None` if it has no index,
    /// which is so before anything is saved into it. Costs the same for a long book as for a short one.
    pub async fn is_whole(&self, project: &str, model: &str) -> Result<Option<bool>, Error> {
        let (user, project, model) = (self.user.clone(), project.to_owned(), model.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT whole_with = ?3 FROM search_index WHERE user_id = ?1 AND project_id = ?2";
            let row = connection.prepare_cached(select)?.query_row((&user, &project, &model), |row| row.get(0));
            Ok(row.optional()?)
        };
        self.database.read(job).await
    }

    /// Whoever's projects may be behind `model`, with their users: those of which it is not noted that they are whole, and those
    /// that are named. Costs what there are of these, not what there are of others.
    pub async fn behind(database: &Database, model: &str, named: Vec<String>) -> Result<Vec<(String, String)>, Error> {
        let model = model.to_owned();
        let job = move |connection: &Connection| {
            // Two stretches of an index; "<>" would go through all of it.
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

    /// Throws away the vectors of all models but these; gives how many went. Costs nothing where there are none.
    pub async fn keep_models(&self, project: &str, models: &[&str]) -> Result<usize, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let kept: BTreeSet<String> = models.iter().map(|&model| model.to_owned()).collect();
        let job = move |connection: &Connection| {
            // Names that are kept are leapt over in the index: a project has thousands of vectors of theirs.
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
        // All that is read is of one state, whoever saves meanwhile.
        let snapshot = connection.snapshot()?;
        let hits = self.find_in(&Reader { connection, user: &self.user, project }, query)?;
        drop(snapshot);
        Ok(hits)
    }

    fn find_in(&self, reader: &Reader<'_>, query: &Query) -> Result<Vec<Hit>, Error> {
        let (number, revision) = index::place(reader.connection, reader.user, reader.project)?;
        let model = query.vector.as_ref().map_or("", |vector| vector.model.as_str());
        let shelf = self.shelf(reader, model, revision)?;
        let allowed = query.condition().map(|filter| shelf.fitting(reader, &filter)).transpose()?;
        let postings = reader.postings(number, &shelf, &asked(&query.text), allowed.as_deref())?;
        let keyword: Vec<Match> = score(shelf.totals, &postings, query.depth());
        let near = match &query.vector {
            Some(vector) => reader.near(&shelf, vector, allowed.as_deref(), query.depth())?,
            None => Vec::new(),
        };
        let mut pool = Vec::new();
        for fused in fuse(&query.weighed(), keyword, &near).into_iter().take(query.pool()) {
            let chunk = reader.chunk(shelf.rows[fused.row as usize].number)?;
            pool.push((fused, chunk));
        }
        Ok(finish(query, pool))
    }

    /// What is scanned, from memory if it is still true.
    fn shelf(&self, reader: &Reader<'_>, model: &str, revision: i64) -> Result<Arc<Shelf>, Error> {
        let is_it = |shelf: &Arc<Shelf>| shelf.project == reader.project && shelf.model == model;
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
        let shelf = Arc::new(Shelf::read(reader, model, revision)?);
        let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        shelves.retain(|other| !is_it(other));
        if shelves.len() == KEPT {
            shelves.remove(0);
        }
        shelves.push(Arc::clone(&shelf));
        Ok(shelf)
    }
}

/// One snapshot of one project.
struct Reader<'c> {
    connection: &'c Connection<'c>,
    user: &'c str,
    project: &'c str,
}

impl Reader<'_> {
    /// The postings of what is asked. A common term is read only as far as it takes to know that, unless all are common.
    fn postings(
        &self,
        number: i64,
        shelf: &Shelf,
        asked: &[Asked],
        allowed: Option<&[u32]>,
    ) -> Result<Vec<Postings>, Error> {
        let common = shelf.totals.common();
        let read = |most: usize| -> Result<Vec<Arc<Term>>, Error> {
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
        let postings = |(asked, term): (&Asked, Arc<Term>)| {
            let counts =
                term.counts.iter().filter(|(row, _)| is_allowed.as_ref().is_none_or(|rows| rows[*row as usize]));
            let posting = |(row, count): &(u32, u32)| Posting {
                row: *row,
                count: *count,
                length: shelf.rows[*row as usize].length,
            };
            Postings { asked: asked.clone(), having: term.having, postings: counts.map(posting).collect() }
        };
        Ok(asked.iter().zip(terms).map(postings).collect())
    }

    /// Which chunks have a term and how often; of more than `most` nothing but that they are more.
    fn term(&self, number: i64, shelf: &Shelf, asked: &Asked, most: usize) -> Result<Term, Error> {
        let prefix = index::prefix(number);
        let (from, until) = match asked {
            Asked::Term(term) => (format!("{prefix}{term}"), format!("{prefix}{term}")),
            Asked::Character(first) => (format!("{prefix}{first}"), format!("{prefix}{first}{}", char::MAX)),
        };
        let mut select =
            self.connection.prepare_cached("SELECT doc FROM chunk_posting WHERE term >= ?1 AND term <= ?2")?;
        let mut docs = select.query((from, until))?;
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        while let Some(row) = docs.next()? {
            let Some(place) = shelf.places.get(&row.get::<_, i64>(0)?) else { continue };
            *counts.entry(*place).or_default() += 1;
            if counts.len() > most {
                return Ok(Term { having: counts.len(), counts: Vec::new() });
            }
        }
        let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        Ok(Term { having: counts.len(), counts })
    }

    fn near(
        &self,
        shelf: &Shelf,
        query: &QueryVector,
        allowed: Option<&[u32]>,
        depth: usize,
    ) -> Result<Vec<Near>, Error> {
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

    fn chunk(&self, number: i64) -> Result<Chunk, Error> {
        let columns = kept_chunk::COLUMNS;
        let select = format!("SELECT {columns} FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND number = ?3");
        let mut select = self.connection.prepare_cached(&select)?;
        select.query_row((self.user, self.project, number), |row| Ok(kept_chunk::read(row)))?
    }
}

fn kind(name: &str) -> Result<PieceKind, Error> {
    PieceKind::parse(name)
        .ok_or_else(|| Error::BadRow { what: "a chunk".into(), message: format!("there is no kind {name}") })
}
