//! Searching: rows from the server, decided by `qingyu-knowledge`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_db::Postgres;
use qingyu_knowledge::analysis::{Asked, asked};
use qingyu_knowledge::engine::{Error, Scope, SearchEngine, Unembedded};
use qingyu_knowledge::fusion::fuse;
use qingyu_knowledge::keyword::{Posting, Postings, score};
use qingyu_knowledge::search::{finish, rescored};
use qingyu_knowledge::vector::{self, Near, RESCORED};
use qingyu_knowledge::{Chunk, Hit, Query, QueryVector};
use qingyu_story::Story;
use tokio_postgres::{IsolationLevel, Transaction};

use super::condition::{self, Condition};
use super::shelf::{Shelf, Shelves, State};
use super::{MIGRATIONS, damaged, index, sorted};

/// Keeps the indexes of many users on one server. Cheap to clone; clones share what is kept in memory.
#[derive(Debug, Clone)]
pub struct PostgresSearch {
    postgres: Postgres,
    shelves: Shelves,
}

impl PostgresSearch {
    /// Makes the tables, or brings those of an earlier release up to date.
    pub async fn open(postgres: Postgres) -> Result<Self, Error> {
        postgres.migrate(&MIGRATIONS).await.map_err(|error| sorted(&postgres, error))?;
        Ok(Self { postgres, shelves: Shelves::default() })
    }

    async fn find(&self, scope: &Scope, query: &Query) -> Result<Vec<Hit>, Error> {
        let sorted = |error| sorted(&self.postgres, error);
        let mut client = self.postgres.client().await.map_err(|error| super::sorted(&self.postgres, error))?;
        // All that is read is of one state, whoever writes meanwhile.
        let tx = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start();
        let tx = tx.await.map_err(sorted)?;
        let select = "SELECT number, revision FROM search_index WHERE user_id = $1 AND project_id = $2";
        let Some(row) = tx.query_opt(select, &[&scope.user, &scope.project]).await.map_err(sorted)? else {
            return Ok(Vec::new());
        };
        let state = State { number: row.get(0), revision: row.get(1) };
        let model = query.vector.as_ref().map_or("", |vector| vector.model.as_str());
        let shelf = match self.shelves.find(scope, model, state) {
            Some(shelf) => shelf,
            None => {
                let shelf = Arc::new(Shelf::read(&self.postgres, &tx, scope, model, state).await?);
                self.shelves.keep(&shelf);
                shelf
            }
        };
        let reader = Reader { postgres: &self.postgres, tx: &tx, number: state.number, shelf: &shelf };
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
    ) -> BoxFuture<'a, Result<Vec<Unembedded>, Error>> {
        Box::pin(async move {
            let client = self.postgres.client().await.map_err(|error| sorted(&self.postgres, error))?;
            // In the order of the project's own index: in that of the numbers, the chunks of all projects are gone through.
            let select = "SELECT c.number, c.body FROM search_chunk AS c JOIN search_index AS i ON i.number = c.index
                 WHERE i.user_id = $1 AND i.project_id = $2
                 AND NOT EXISTS (SELECT FROM search_vector AS v WHERE v.chunk = c.number AND v.model = $3)
                 ORDER BY c.index, c.kind, c.id, c.part LIMIT $4";
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = client.query(select, &[&scope.user, &scope.project, &model, &limit]).await;
            let chunk = |row: &tokio_postgres::Row| {
                let chunk = read(&self.postgres, row.get(1))?;
                Ok(Unembedded { number: row.get(0), text: chunk.embedded() })
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

/// One snapshot of one project.
struct Reader<'r, 't> {
    postgres: &'r Postgres,
    tx: &'r Transaction<'t>,
    number: i64,
    shelf: &'r Shelf,
}

impl Reader<'_, '_> {
    async fn find(&self, query: &Query) -> Result<Vec<Hit>, Error> {
        let allowed = match query.condition() {
            Some(filter) => Some(self.fitting(&filter).await?),
            None => None,
        };
        let postings = self.postings(asked(&query.text), allowed.as_deref()).await?;
        let keyword = score(self.shelf.totals, &postings, query.depth());
        let near = match &query.vector {
            Some(vector) => self.near(vector, allowed.as_deref(), query.depth()).await?,
            None => Vec::new(),
        };
        let pool: Vec<_> = fuse(&query.weighed(), keyword, &near).into_iter().take(query.pool()).collect();
        let numbers: Vec<i64> = pool.iter().map(|fused| self.shelf.rows[fused.row as usize].0).collect();
        let mut chunks = self.chunks(&numbers).await?;
        let chunk = |(fused, number): (_, &i64)| Some((fused, chunks.remove(number)?));
        Ok(finish(query, pool.into_iter().zip(&numbers).filter_map(chunk).collect()))
    }

    /// The rows that fit, sorted.
    async fn fitting(&self, filter: &qingyu_knowledge::Filter) -> Result<Vec<u32>, Error> {
        let values = "SELECT FROM search_field AS f WHERE f.index = $1 AND f.chunk = c.number AND ";
        let condition = Condition::new(filter, values, 2);
        let select = format!("SELECT c.number FROM search_chunk AS c WHERE c.index = $1 AND {}", condition.sql);
        let found = self.tx.query(&select, &condition::all(&[&self.number], &condition)).await;
        let found = found.map_err(|error| sorted(self.postgres, error))?;
        let mut rows: Vec<u32> =
            found.iter().filter_map(|row| self.shelf.places.get(&row.get::<_, i64>(0)).copied()).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    /// The postings of what is asked. A common term is read only as far as it takes to know that, unless all are common.
    async fn postings(&self, asked: Vec<Asked>, allowed: Option<&[u32]>) -> Result<Vec<Postings>, Error> {
        let common = self.shelf.totals.common();
        let postings = self.postings_up_to(&asked, allowed, common + 1).await?;
        let is_enough = postings.iter().any(|one| one.having <= common);
        if is_enough { Ok(postings) } else { self.postings_up_to(&asked, allowed, usize::MAX).await }
    }

    async fn postings_up_to(
        &self,
        asked: &[Asked],
        allowed: Option<&[u32]>,
        most: usize,
    ) -> Result<Vec<Postings>, Error> {
        let (from, until): (Vec<String>, Vec<String>) = asked
            .iter()
            .map(|asked| match asked {
                Asked::Term(term) => (term.clone(), term.clone()),
                Asked::Character(first) => (first.to_string(), format!("{first}{}", char::MAX)),
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
        let one = |(asked, counts): (&Asked, BTreeMap<u32, u32>)| Postings {
            asked: asked.clone(),
            having: counts.len(),
            postings: counts.iter().filter(|(row, _)| is_allowed(row)).map(posting).collect(),
        };
        Ok(asked.iter().zip(counts).map(one).collect())
    }

    async fn near(&self, query: &QueryVector, allowed: Option<&[u32]>, depth: usize) -> Result<Vec<Near>, Error> {
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

    async fn chunks(&self, numbers: &[i64]) -> Result<HashMap<i64, Chunk>, Error> {
        let select = "SELECT number, body FROM search_chunk WHERE index = $1 AND number = ANY($2)";
        let rows = self.tx.query(select, &[&self.number, &numbers]).await;
        let rows = rows.map_err(|error| sorted(self.postgres, error))?;
        rows.iter().map(|row| Ok((row.get(0), read(self.postgres, row.get(1))?))).collect()
    }
}

/// A chunk as it is kept.
pub(super) fn read(postgres: &Postgres, body: &str) -> Result<Chunk, Error> {
    serde_json::from_str(body).map_err(|error| damaged(postgres, &format!("a chunk ({error})")))
}
