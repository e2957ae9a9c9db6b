//! Search: rows from the server, ranked by `qingyu-knowledge`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_db::Postgres;
use qingyu_knowledge::analysis::{QueryTerm, asked};
use qingyu_knowledge::engine::{Error, Scope, SearchEngine, UnembeddedChunk};
use qingyu_knowledge::fusion::{Fused, fuse};
use qingyu_knowledge::keyword::{Posting, PostingList, score};
use qingyu_knowledge::search::{finish, rescored};
use qingyu_knowledge::vector::{self, RESCORED, ScoredRow};
use qingyu_knowledge::{Chunk, Hit, Neighbour, Query, QueryVector};
use qingyu_story::Story;
use tokio_postgres::{IsolationLevel, Transaction};

use super::condition::{self, SqlCondition};
use super::index;
use super::server::{self, MIGRATIONS, sorted};
use super::shelf::{ChunkCache, IndexRevision, ProjectChunks, read, source};

/// A search engine for many users on a server. Cheap to clone; clones share the cache.
#[derive(Debug, Clone)]
pub struct PostgresSearch {
    postgres: Postgres,
    shelves: ChunkCache,
}

impl PostgresSearch {
    /// Creates the tables, or migrates the tables of an earlier release.
    pub async fn open(postgres: Postgres) -> Result<Self, Error> {
        postgres.migrate(&MIGRATIONS).await.map_err(|error| sorted(&postgres, error))?;
        Ok(Self { postgres, shelves: ChunkCache::default() })
    }

    async fn find(&self, scope: &Scope, query: &Query) -> Result<Vec<Hit>, Error> {
        let sorted = |error| sorted(&self.postgres, error);
        let mut client = self.postgres.client().await.map_err(|error| server::sorted(&self.postgres, error))?;
        // All reads are from a single snapshot, despite concurrent writes.
        let tx = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start();
        let tx = tx.await.map_err(sorted)?;
        let select = "SELECT number, revision FROM search_index WHERE user_id = $1 AND project_id = $2";
        let Some(row) = tx.query_opt(select, &[&scope.user, &scope.project]).await.map_err(sorted)? else {
            return Ok(Vec::new());
        };
        let state = IndexRevision { number: row.get(0), revision: row.get(1) };
        let model = query.vector.as_ref().map_or("", |vector| vector.model.as_str());
        let shelf = match self.shelves.find(scope, model, state) {
            Some(shelf) => shelf,
            None => {
                let shelf = Arc::new(ProjectChunks::read(&self.postgres, &tx, scope, model, state).await?);
                self.shelves.keep(&shelf);
                shelf
            }
        };
        let reader = PostgresSnapshot { postgres: &self.postgres, tx: &tx, number: state.number, shelf: &shelf };
        let hits = reader.find(query).await?;
        tx.commit().await.map_err(sorted)?;
        Ok(hits)
    }
}

impl SearchEngine for PostgresSearch {
    fn sync<'a>(&'a self, scope: &'a Scope, story: &'a Story) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(index::sync(&self.postgres, scope, story))
    }

    fn search<'a>(&'a self, scope: &'a Scope, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>> {
        Box::pin(self.find(scope, query))
    }

    fn unembedded<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<UnembeddedChunk>, Error>> {
        Box::pin(async move {
            let client = self.postgres.client().await.map_err(|error| sorted(&self.postgres, error))?;
            // Ordered by the project's own index: ordering by number would iterate over the chunks of all projects.
            let select = "SELECT c.number, c.body FROM search_chunk AS c JOIN search_index AS i ON i.number = c.index
                 WHERE i.user_id = $1 AND i.project_id = $2
                 AND NOT EXISTS (SELECT FROM search_vector AS v WHERE v.chunk = c.number AND v.model = $3)
                 ORDER BY c.index, c.kind, c.id, c.part LIMIT $4";
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = client.query(select, &[&scope.user, &scope.project, &model, &limit]).await;
            let chunk = |row: &tokio_postgres::Row| {
                let chunk = read(&self.postgres, row.get(1))?;
                Ok(UnembeddedChunk { number: row.get(0), text: chunk.embedded() })
            };
            rows.map_err(|error| sorted(&self.postgres, error))?.iter().map(chunk).collect()
        })
    }

    fn put_vectors<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        vectors: Vec<(i64, Vec<f32>)>,
    ) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(index::put_vectors(&self.postgres, scope, model, vectors))
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let client = self.postgres.client().await.map_err(|error| sorted(&self.postgres, error))?;
            let delete = "DELETE FROM search_index WHERE user_id = $1 AND project_id = $2";
            let deleted = client.execute(delete, &[&scope.user, &scope.project]).await;
            deleted.map(drop).map_err(|error| sorted(&self.postgres, error))
        })
    }
}

/// A snapshot of a project.
struct PostgresSnapshot<'r, 't> {
    postgres: &'r Postgres,
    tx: &'r Transaction<'t>,
    number: i64,
    shelf: &'r ProjectChunks,
}

impl PostgresSnapshot<'_, '_> {
    async fn find(&self, query: &Query) -> Result<Vec<Hit>, Error> {
        let allowed = match query.condition() {
            Some(filter) => Some(self.fitting(&filter).await?),
            None => None,
        };
        let postings = self.postings(asked(&query.text), allowed.as_deref()).await?;
        let keyword = score(self.shelf.totals, &postings, query.depth());
        let near = match (&query.near, &query.vector) {
            (Some(found), _) => self.rows_of(found).await?,
            (None, Some(vector)) => self.near(vector, allowed.as_deref(), query.depth()).await?,
            (None, None) => Vec::new(),
        };
        let pool: Vec<Fused> = fuse(&query.weighed(), keyword, &near).into_iter().take(query.pool()).collect();
        let numbers: Vec<i64> = pool.iter().map(|fused| self.shelf.rows[fused.row as usize].0).collect();
        let mut chunks = self.chunks(&numbers).await?;
        let chunk = |(fused, number): (_, &i64)| Some((fused, chunks.remove(number)?));
        Ok(finish(query, pool.into_iter().zip(&numbers).filter_map(chunk).collect()))
    }

    /// Returns the matching rows, sorted.
    async fn fitting(&self, filter: &qingyu_knowledge::Filter) -> Result<Vec<u32>, Error> {
        let values = "SELECT FROM search_field AS f WHERE f.index = $1 AND f.chunk = c.number AND ";
        let condition = SqlCondition::new(filter, values, 2);
        let select = format!("SELECT c.number FROM search_chunk AS c WHERE c.index = $1 AND {}", condition.sql);
        let found = self.tx.query(&select, &condition::all(&[&self.number], &condition)).await;
        let found = found.map_err(|error| sorted(self.postgres, error))?;
        let mut rows: Vec<u32> =
            found.iter().filter_map(|row| self.shelf.places.get(&row.get::<_, i64>(0)).copied()).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    /// Returns the postings of the query terms. A common term is read only far enough to know its frequency, unless all
    /// terms are common.
    async fn postings(&self, asked: Vec<QueryTerm>, allowed: Option<&[u32]>) -> Result<Vec<PostingList>, Error> {
        let common = self.shelf.totals.common();
        let postings = self.postings_up_to(&asked, allowed, common + 1).await?;
        let is_enough = postings.iter().any(|one| one.having <= common);
        if is_enough { Ok(postings) } else { self.postings_up_to(&asked, allowed, usize::MAX).await }
    }

    async fn postings_up_to(
        &self,
        asked: &[QueryTerm],
        allowed: Option<&[u32]>,
        most: usize,
    ) -> Result<Vec<PostingList>, Error> {
        let (from, until): (Vec<String>, Vec<String>) = asked
            .iter()
            .map(|asked| match asked {
                QueryTerm::Term(term) => (term.clone(), term.clone()),
                QueryTerm::Character(first) => (first.to_string(), format!("{first}{}", char::MAX)),
            })
            .unzip();
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let select = "SELECT a.place, p.chunk, p.count
             FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS a(first, last, place)
             CROSS JOIN LATERAL (
                 SELECT chunk, sum(count)::bigint AS count FROM search_posting
                 WHERE index = $1 AND term >= a.first AND term <= a.last GROUP BY chunk LIMIT $4
             ) AS p";
        let rows = self.tx.query(select, &[&self.number, &from, &until, &most]).await;
        let mut counts: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); asked.len()];
        for row in rows.map_err(|error| sorted(self.postgres, error))? {
            let (place, chunk, count) = (row.get::<_, i64>(0), row.get::<_, i64>(1), row.get::<_, i64>(2));
            let of_term = usize::try_from(place - 1).ok().and_then(|place| counts.get_mut(place));
            if let (Some(of_term), Some(row)) = (of_term, self.shelf.places.get(&chunk)) {
                of_term.insert(*row, u32::try_from(count).unwrap_or(u32::MAX));
            }
        }
        let is_allowed = |row: &u32| allowed.is_none_or(|rows| rows.binary_search(row).is_ok());
        let posting =
            |(row, count): (&u32, &u32)| Posting { row: *row, count: *count, length: self.shelf.rows[*row as usize].1 };
        let one = |(asked, counts): (&QueryTerm, BTreeMap<u32, u32>)| PostingList {
            asked: asked.clone(),
            having: counts.len(),
            postings: counts.iter().filter(|(row, _)| is_allowed(row)).map(posting).collect(),
        };
        Ok(asked.iter().zip(counts).map(one).collect())
    }

    async fn near(&self, query: &QueryVector, allowed: Option<&[u32]>, depth: usize) -> Result<Vec<ScoredRow>, Error> {
        let near = self.shelf.codes.scan(&query.values, allowed, depth.max(RESCORED));
        let exact = near.iter().take(RESCORED);
        let numbers: Vec<i64> = exact.map(|near| self.shelf.rows[near.row as usize].0).collect();
        let select = "SELECT chunk, vector FROM search_vector WHERE index = $1 AND model = $2 AND chunk = ANY($3)";
        let rows = self.tx.query(select, &[&self.number, &query.model, &numbers]).await;
        let rows = rows.map_err(|error| sorted(self.postgres, error))?;
        let vectors: HashMap<i64, &[u8]> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let vector_of = |row: u32| vectors.get(&self.shelf.rows[row as usize].0).map(|bytes| vector::from_bytes(bytes));
        Ok(rescored(&query.values, near, RESCORED, vector_of))
    }

    /// Returns the rows of chunks found by another vector engine; chunks which no longer exist are left out.
    async fn rows_of(&self, found: &[Neighbour]) -> Result<Vec<ScoredRow>, Error> {
        let ids: Vec<&[u8]> = found.iter().map(|near| near.source.id.as_bytes()).collect();
        let select = "SELECT number, kind, id, part FROM search_chunk WHERE index = $1 AND id = ANY($2)";
        let rows = self.tx.query(select, &[&self.number, &ids]).await;
        let rows = rows.map_err(|error| sorted(self.postgres, error))?;
        let mut numbers = HashMap::with_capacity(rows.len());
        for row in &rows {
            numbers
                .insert((source(self.postgres, row.get(1), row.get(2))?, row.get::<_, i64>(3)), row.get::<_, i64>(0));
        }
        let scored = |near: &Neighbour| {
            let number = numbers.get(&(near.source.clone(), i64::from(near.part)))?;
            Some(ScoredRow { row: *self.shelf.places.get(number)?, score: near.score })
        };
        Ok(found.iter().filter_map(scored).collect())
    }

    async fn chunks(&self, numbers: &[i64]) -> Result<HashMap<i64, Chunk>, Error> {
        let select = "SELECT number, body FROM search_chunk WHERE index = $1 AND number = ANY($2)";
        let rows = self.tx.query(select, &[&self.number, &numbers]).await;
        let rows = rows.map_err(|error| sorted(self.postgres, error))?;
        rows.iter().map(|row| Ok((row.get(0), read(self.postgres, row.get(1))?))).collect()
    }
}
