//! Vectors with fields, scanned by our own code.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt;
use futures::future::BoxFuture;
use qingyu_db::Postgres;
use qingyu_knowledge::Source;
use qingyu_knowledge::engine::{
    Error, Neighbour, Scope, VectorEngine, VectorPoint, VectorQuery, check_points, check_vector,
};
use qingyu_knowledge::filter::{Value, comparable};
use qingyu_knowledge::vector::{self, CodeTable, RESCORED};
use tokio_postgres::{IsolationLevel, Transaction};

use super::condition::{self, SqlCondition};
use super::server::{self, MIGRATIONS, sorted};
use super::shelf::source;

/// Number of points per statement.
const BATCH: usize = 200;

/// A vector store in PostgreSQL with an exact scan of the matching vectors.
///
/// Without a cache between searches, so each search fetches the codes of matching vectors: a byte per dimension.
#[derive(Debug, Clone)]
pub struct PostgresVectors {
    postgres: Postgres,
}

impl PostgresVectors {
    /// Creates the tables, or migrates the tables of an earlier release.
    pub async fn open(postgres: Postgres) -> Result<Self, Error> {
        postgres.migrate(&MIGRATIONS).await.map_err(|error| sorted(&postgres, error))?;
        Ok(Self { postgres })
    }

    async fn put_points(&self, scope: &Scope, model: &str, points: &[VectorPoint]) -> Result<(), Error> {
        let sorted = |error| sorted(&self.postgres, error);
        check_points(model, None, points)?;
        let Some(first) = points.first() else { return Ok(()) };
        let mut client = self.postgres.client().await.map_err(|error| server::sorted(&self.postgres, error))?;
        let tx = client.transaction().await.map_err(sorted)?;
        // Concurrent inserts for the model wait for the lock, to prevent different vector lengths.
        let lock = format!("{}\n{}\n{model}", scope.user, scope.project);
        tx.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", &[&lock]).await.map_err(sorted)?;
        check_vector(model, dimensions(&tx, scope, model).await.map_err(sorted)?, &first.vector)?;
        remove(&tx, scope, Some(model), points.iter().map(|point| &point.source)).await.map_err(sorted)?;
        // Of duplicate keys the later counts.
        let points: BTreeMap<(&Source, u32), &VectorPoint> =
            points.iter().map(|point| ((&point.source, point.part), point)).collect();
        let points: Vec<&VectorPoint> = points.into_values().collect();
        for batch in points.chunks(BATCH) {
            insert(&tx, scope, model, batch).await.map_err(sorted)?;
        }
        tx.commit().await.map_err(sorted)
    }

    async fn find(&self, scope: &Scope, near: &VectorQuery) -> Result<Vec<Neighbour>, Error> {
        let sorted = |error| sorted(&self.postgres, error);
        let mut client = self.postgres.client().await.map_err(|error| server::sorted(&self.postgres, error))?;
        let tx = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start();
        let tx = tx.await.map_err(sorted)?;
        let Some(dimensions) = dimensions(&tx, scope, &near.model).await.map_err(sorted)? else {
            return Ok(Vec::new());
        };
        check_vector(&near.model, Some(dimensions), &near.vector)?;
        let query = vector::normalised(near.vector.clone());
        let values = "SELECT FROM vector_field AS f WHERE f.point = p.number AND ";
        let all = qingyu_knowledge::Filter::And(Vec::new());
        let condition = SqlCondition::new(near.filter.as_ref().unwrap_or(&all), values, 4);
        let select = format!(
            "SELECT number, codes, scale FROM vector_point AS p
             WHERE user_id = $1 AND project_id = $2 AND model = $3 AND {} ORDER BY number",
            condition.sql
        );
        let first = condition::all(&[&scope.user, &scope.project, &near.model], &condition);
        let rows = tx.query_raw(&select, first).await.map_err(sorted)?;
        let mut rows = std::pin::pin!(rows);
        let (mut numbers, mut codes) = (Vec::new(), CodeTable::new(dimensions));
        while let Some(row) = rows.try_next().await.map_err(sorted)? {
            numbers.push(row.get::<_, i64>(0));
            let own: Vec<i8> = row.get::<_, &[u8]>(1).iter().map(|code| code.cast_signed()).collect();
            codes.push(Some(&own), row.get(2));
        }
        let best = codes.scan(&query, None, near.limit.max(RESCORED));
        let wanted: Vec<i64> = best.iter().map(|near| numbers[near.row as usize]).collect();
        let select = "SELECT number, kind, id, part, vector FROM vector_point WHERE user_id = $1 AND project_id = $2 AND number = ANY($3)";
        let rows = tx.query(select, &[&scope.user, &scope.project, &wanted]).await.map_err(sorted)?;
        tx.commit().await.map_err(sorted)?;
        let rows: BTreeMap<i64, &tokio_postgres::Row> = rows.iter().map(|row| (row.get(0), row)).collect();
        let row_of = |row: u32| rows.get(&numbers[row as usize]);
        let scored = vector::rescore(&query, &best, |row| row_of(row).map(|row| vector::from_bytes(row.get(4))));
        let neighbour = |near: &vector::ScoredRow| {
            let row = row_of(near.row)?;
            let part = u32::try_from(row.get::<_, i64>(3)).unwrap_or(u32::MAX);
            let source = source(&self.postgres, row.get(1), row.get(2));
            Some(source.map(|source| Neighbour { source, part, score: near.score }))
        };
        scored.iter().take(near.limit).filter_map(neighbour).collect()
    }

    async fn in_transaction(
        &self,
        scope: &Scope,
        model: Option<&str>,
        sources: Option<&[Source]>,
    ) -> Result<(), Error> {
        let sorted = |error| sorted(&self.postgres, error);
        let mut client = self.postgres.client().await.map_err(|error| server::sorted(&self.postgres, error))?;
        let tx = client.transaction().await.map_err(sorted)?;
        match sources {
            Some(sources) => remove(&tx, scope, model, sources.iter()).await,
            None => {
                let delete = "DELETE FROM vector_point WHERE user_id = $1 AND project_id = $2";
                tx.execute(delete, &[&scope.user, &scope.project]).await.map(drop)
            }
        }
        .map_err(sorted)?;
        tx.commit().await.map_err(sorted)
    }
}

impl VectorEngine for PostgresVectors {
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        points: &'a [VectorPoint],
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.put_points(scope, model, points))
    }

    fn remove<'a>(&'a self, scope: &'a Scope, sources: &'a [Source]) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.in_transaction(scope, None, Some(sources)))
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.in_transaction(scope, None, None))
    }

    fn near<'a>(&'a self, scope: &'a Scope, near: &'a VectorQuery) -> BoxFuture<'a, Result<Vec<Neighbour>, Error>> {
        Box::pin(self.find(scope, near))
    }
}

async fn dimensions(tx: &Transaction<'_>, scope: &Scope, model: &str) -> Result<Option<usize>, tokio_postgres::Error> {
    let select = "SELECT length(codes) FROM vector_point WHERE user_id = $1 AND project_id = $2 AND model = $3 LIMIT 1";
    let row = tx.query_opt(select, &[&scope.user, &scope.project, &model]).await?;
    Ok(row.and_then(|row| usize::try_from(row.get::<_, i32>(0)).ok()))
}

async fn remove<'s>(
    tx: &Transaction<'_>,
    scope: &Scope,
    model: Option<&str>,
    sources: impl Iterator<Item = &'s Source>,
) -> Result<(), tokio_postgres::Error> {
    let sources: BTreeSet<&Source> = sources.collect();
    let (kinds, ids): (Vec<&str>, Vec<&[u8]>) =
        sources.into_iter().map(|source| (source.kind.name(), source.id.as_bytes())).unzip();
    let delete = "DELETE FROM vector_point AS p USING unnest($4::text[], $5::bytea[]) AS s(kind, id)
         WHERE p.user_id = $1 AND p.project_id = $2 AND p.model = coalesce($3, p.model)
         AND p.kind = s.kind AND p.id = s.id";
    tx.execute(delete, &[&scope.user, &scope.project, &model, &kinds, &ids]).await.map(drop)
}

async fn insert(
    tx: &Transaction<'_>,
    scope: &Scope,
    model: &str,
    points: &[&VectorPoint],
) -> Result<(), tokio_postgres::Error> {
    let numbers = "SELECT nextval('vector_point_number') FROM generate_series(1, $1::bigint)";
    let numbers = tx.query(numbers, &[&(points.len() as i64)]).await?;
    let numbers: Vec<i64> = numbers.iter().map(|row| row.get(0)).collect();
    let (kinds, ids): (Vec<&str>, Vec<&[u8]>) =
        points.iter().map(|point| (point.source.kind.name(), point.source.id.as_bytes())).unzip();
    let parts: Vec<i64> = points.iter().map(|point| point.part.into()).collect();
    let vectors: Vec<Vec<f32>> = points.iter().map(|point| vector::normalised(point.vector.clone())).collect();
    let bytes: Vec<Vec<u8>> = vectors.iter().map(|values| vector::to_bytes(values)).collect();
    let encoded = vectors.iter().map(|values| vector::encode(values));
    let (codes, scales): (Vec<Vec<u8>>, Vec<f32>) =
        encoded.map(|one| (one.codes.iter().map(|code| code.cast_unsigned()).collect::<Vec<u8>>(), one.scale)).unzip();
    let insert = "INSERT INTO vector_point(user_id, project_id, model, number, kind, id, part, vector, codes, scale)
         SELECT $1, $2, $3, p.* FROM unnest(
             $4::bigint[], $5::text[], $6::bytea[], $7::bigint[], $8::bytea[], $9::bytea[], $10::real[]
         ) AS p";
    let (user, project) = (&scope.user, &scope.project);
    tx.execute(insert, &[user, project, &model, &numbers, &kinds, &ids, &parts, &bytes, &codes, &scales]).await?;

    let (mut owners, mut fields, mut texts, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, point) in numbers.iter().zip(points) {
        for (field, value) in point.fields.iter().flat_map(|(field, all)| all.iter().map(move |one| (field, one))) {
            let (text, value) = match comparable(value).into_owned() {
                Value::Text(text) => (Some(text.into_bytes()), None),
                Value::Number(number) => (None, Some(number)),
            };
            owners.push(*number);
            fields.push(field.as_str());
            texts.push(text);
            values.push(value);
        }
    }
    let insert = "INSERT INTO vector_field(point, field, text, number)
         SELECT f.* FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::double precision[]) AS f";
    tx.execute(insert, &[&owners, &fields, &texts, &values]).await.map(drop)
}
