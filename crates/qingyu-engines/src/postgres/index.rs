//! Index maintenance: updates after changes of a story, in a transaction.

use std::collections::{BTreeMap, HashMap};

use qingyu_db::Postgres;
use qingyu_knowledge::analysis::each_term;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::engine::{Error, IndexChanges, IndexedPiece, Scope, check_values, keeps_vectors};
use qingyu_knowledge::filter::{Value, comparable};
use qingyu_knowledge::{Chunk, Source, vector};
use qingyu_story::Story;
use tokio_postgres::Transaction;

use super::server::{self, NAME, sorted};
use super::shelf::{IndexRevision, read, source};

/// Version of the index, incremented when chunking or text analysis changes.
const FORMAT: i64 = 1;
/// Maximum number of attempts against concurrent changes.
const ATTEMPTS: usize = 8;
/// Number of chunks per statement.
const BATCH: usize = 200;

/// Updates the index of `scope` to `story`.
///
/// The difference is computed before the transaction, to keep locks short; after a concurrent change of the index the
/// computation is retried.
pub(super) async fn sync(postgres: &Postgres, scope: &Scope, story: &Story) -> Result<(), Error> {
    for _ in 0..ATTEMPTS {
        let before = PreviousChunks::read(postgres, scope).await?;
        let changes = IndexChanges::between(before.sources.clone(), story);
        if changes.is_empty() && (before.state.is_some() || story == &Story::default()) {
            return Ok(());
        }
        let chunks = before.chunks(postgres, &changes.put).await?;
        let work = IndexBatch::new(&changes, chunks);
        if work.write(postgres, scope, before.state, &changes).await? {
            return Ok(());
        }
    }
    Err(Error::Busy { engine: NAME, address: postgres.server().to_owned() })
}

/// The current index.
struct PreviousChunks {
    state: Option<IndexRevision>,
    sources: BTreeMap<Source, i64>,
}

/// The chunks of existing pieces, by part, with their numbers.
type StoredChunk = HashMap<Source, BTreeMap<u32, (i64, Chunk)>>;

impl PreviousChunks {
    async fn read(postgres: &Postgres, scope: &Scope) -> Result<Self, Error> {
        let sorted = |error| sorted(postgres, error);
        let client = postgres.client().await.map_err(|error| server::sorted(postgres, error))?;
        let old = "DELETE FROM search_index WHERE user_id = $1 AND project_id = $2 AND format < $3";
        client.execute(old, &[&scope.user, &scope.project, &FORMAT]).await.map_err(sorted)?;
        // A single statement is a single snapshot.
        let select = "SELECT i.number, i.revision, s.kind, s.id, s.fingerprint
             FROM search_index AS i LEFT JOIN search_source AS s ON s.index = i.number
             WHERE i.user_id = $1 AND i.project_id = $2";
        let rows = client.query(select, &[&scope.user, &scope.project]).await.map_err(sorted)?;
        let state = rows.first().map(|row| IndexRevision { number: row.get(0), revision: row.get(1) });
        let mut sources = BTreeMap::new();
        for row in &rows {
            if let (Some(kind), Some(id)) = (row.get(2), row.get(3)) {
                sources.insert(source(postgres, kind, id)?, row.get(4));
            }
        }
        Ok(Self { state, sources })
    }

    /// Returns the chunks of changed pieces.
    async fn chunks(&self, postgres: &Postgres, put: &[IndexedPiece]) -> Result<StoredChunk, Error> {
        let mut kept = StoredChunk::new();
        let Some(state) = self.state else { return Ok(kept) };
        let (kinds, ids) =
            columns(put.iter().map(|indexed| &indexed.source).filter(|one| self.sources.contains_key(one)));
        let client = postgres.client().await.map_err(|error| sorted(postgres, error))?;
        let select = "SELECT c.number, c.kind, c.id, c.part, c.body
             FROM unnest($2::text[], $3::bytea[]) AS s(kind, id)
             JOIN search_chunk AS c ON c.index = $1 AND c.kind = s.kind AND c.id = s.id";
        let rows =
            client.query(select, &[&state.number, &kinds, &ids]).await.map_err(|error| sorted(postgres, error))?;
        for row in rows {
            let source = source(postgres, row.get(1), row.get(2))?;
            let chunk = read(postgres, row.get(4))?;
            kept.entry(source).or_default().insert(chunk.part, (row.get(0), chunk));
        }
        Ok(kept)
    }
}

fn columns<'s>(sources: impl Iterator<Item = &'s Source>) -> (Vec<&'static str>, Vec<&'s [u8]>) {
    sources.map(|source| (source.kind.name(), source.id.as_bytes())).unzip()
}

/// The writes of an update.
#[derive(Default)]
struct IndexBatch<'c> {
    /// Chunks to delete.
    gone: Vec<i64>,
    /// Chunks with unchanged words and vectors.
    rewritten: Vec<(i64, &'c Chunk)>,
    added: Vec<AddedRows<'c>>,
}

struct AddedRows<'c> {
    chunk: &'c Chunk,
    length: i64,
    terms: BTreeMap<String, i64>,
    vector: Vec<f32>,
}

impl<'c> IndexBatch<'c> {
    fn new(changes: &'c IndexChanges, mut kept: StoredChunk) -> Self {
        let lexical = LexicalEmbedder::new();
        let mut work = Self::default();
        for indexed in &changes.put {
            let mut before = kept.remove(&indexed.source).unwrap_or_default();
            for chunk in &indexed.chunks {
                match before.remove(&chunk.part) {
                    Some((_, same)) if same == *chunk => {}
                    Some((number, known)) if keeps_vectors(&known, chunk) => work.rewritten.push((number, chunk)),
                    known => {
                        work.gone.extend(known.map(|(number, _)| number));
                        work.added.push(AddedRows::new(chunk, &lexical));
                    }
                }
            }
            work.gone.extend(before.into_values().map(|(number, _)| number));
        }
        work
    }

    /// Returns whether the update was committed; false if the index has changed since `before`.
    async fn write(
        &self,
        postgres: &Postgres,
        scope: &Scope,
        before: Option<IndexRevision>,
        changes: &IndexChanges,
    ) -> Result<bool, Error> {
        let mut client = postgres.client().await.map_err(|error| sorted(postgres, error))?;
        let written = async {
            let tx = client.transaction().await?;
            let lock = "INSERT INTO search_index(user_id, project_id, format, revision) VALUES ($1, $2, $3, 1)
                 ON CONFLICT (user_id, project_id) DO UPDATE SET revision = search_index.revision + 1
                 RETURNING number, revision, xmax::text::bigint = 0";
            let row = tx.query_one(lock, &[&scope.user, &scope.project, &FORMAT]).await?;
            let (number, revision, is_new): (i64, i64, bool) = (row.get(0), row.get(1), row.get(2));
            let is_next = match before {
                None => is_new,
                Some(before) => !is_new && before == IndexRevision { number, revision: revision - 1 },
            };
            if !is_next {
                return Ok(false);
            }
            self.write_in(&tx, number, changes).await?;
            tx.commit().await?;
            Ok(true)
        };
        written.await.map_err(|error: tokio_postgres::Error| sorted(postgres, error))
    }

    async fn write_in(
        &self,
        tx: &Transaction<'_>,
        index: i64,
        changes: &IndexChanges,
    ) -> Result<(), tokio_postgres::Error> {
        let (kinds, ids) = columns(changes.remove.iter());
        for table in ["search_chunk", "search_source"] {
            let delete = format!(
                "DELETE FROM {table} AS t USING unnest($2::text[], $3::bytea[]) AS s(kind, id)
                 WHERE t.index = $1 AND t.kind = s.kind AND t.id = s.id"
            );
            tx.execute(&delete, &[&index, &kinds, &ids]).await?;
        }
        tx.execute("DELETE FROM search_chunk WHERE index = $1 AND number = ANY($2)", &[&index, &self.gone]).await?;
        self.note_sources(tx, index, &changes.put).await?;
        self.rewrite(tx, index).await?;
        for batch in self.added.chunks(BATCH) {
            add(tx, index, batch).await?;
        }
        Ok(())
    }

    async fn note_sources(
        &self,
        tx: &Transaction<'_>,
        index: i64,
        put: &[IndexedPiece],
    ) -> Result<(), tokio_postgres::Error> {
        let (kinds, ids) = columns(put.iter().map(|indexed| &indexed.source));
        let fingerprints: Vec<i64> = put.iter().map(|indexed| indexed.fingerprint).collect();
        let insert = "INSERT INTO search_source(index, kind, id, fingerprint)
             SELECT $1, s.* FROM unnest($2::text[], $3::bytea[], $4::bigint[]) AS s
             ON CONFLICT (index, kind, id) DO UPDATE SET fingerprint = excluded.fingerprint";
        tx.execute(insert, &[&index, &kinds, &ids, &fingerprints]).await.map(drop)
    }

    /// Updates the columns without words or vectors.
    async fn rewrite(&self, tx: &Transaction<'_>, index: i64) -> Result<(), tokio_postgres::Error> {
        let numbers: Vec<i64> = self.rewritten.iter().map(|(number, _)| *number).collect();
        let bodies: Vec<String> = self.rewritten.iter().map(|(_, chunk)| body(chunk)).collect();
        let update =
            "UPDATE search_chunk AS c SET body = n.body FROM unnest($2::bigint[], $3::text[]) AS n(number, body)
             WHERE c.index = $1 AND c.number = n.number";
        tx.execute(update, &[&index, &numbers, &bodies]).await?;
        tx.execute("DELETE FROM search_field WHERE index = $1 AND chunk = ANY($2)", &[&index, &numbers]).await?;
        add_fields(tx, index, self.rewritten.iter().copied()).await
    }
}

impl<'c> AddedRows<'c> {
    fn new(chunk: &'c Chunk, lexical: &LexicalEmbedder) -> Self {
        let (mut length, mut terms) = (0, BTreeMap::new());
        each_term(&chunk.text, |term| {
            length += 1;
            match terms.get_mut(term) {
                Some(count) => *count += 1,
                None => drop(terms.insert(term.to_owned(), 1)),
            }
        });
        Self { chunk, length, terms, vector: lexical.vector(&chunk.embedded()) }
    }
}

async fn add(tx: &Transaction<'_>, index: i64, added: &[AddedRows<'_>]) -> Result<(), tokio_postgres::Error> {
    let count = added.len() as i64;
    let numbers =
        tx.query("SELECT nextval('search_chunk_number') FROM generate_series(1, $1::bigint)", &[&count]).await?;
    let numbers: Vec<i64> = numbers.iter().map(|row| row.get(0)).collect();
    let (kinds, ids) = columns(added.iter().map(|one| &one.chunk.source));
    let parts: Vec<i64> = added.iter().map(|one| one.chunk.part.into()).collect();
    let lengths: Vec<i64> = added.iter().map(|one| one.length).collect();
    let bodies: Vec<String> = added.iter().map(|one| body(one.chunk)).collect();
    let insert = "INSERT INTO search_chunk(index, number, kind, id, part, length, body)
         SELECT $1, c.* FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[], $7::text[]) AS c";
    tx.execute(insert, &[&index, &numbers, &kinds, &ids, &parts, &lengths, &bodies]).await?;

    let terms =
        || numbers.iter().zip(added).flat_map(|(number, one)| one.terms.iter().map(move |term| (*number, term)));
    let chunks: Vec<i64> = terms().map(|(number, _)| number).collect();
    let words: Vec<&str> = terms().map(|(_, (term, _))| term.as_str()).collect();
    let counts: Vec<i64> = terms().map(|(_, (_, count))| *count).collect();
    let insert = "INSERT INTO search_posting(index, chunk, term, count)
         SELECT $1, p.* FROM unnest($2::bigint[], $3::text[], $4::bigint[]) AS p";
    tx.execute(insert, &[&index, &chunks, &words, &counts]).await?;

    add_fields(tx, index, numbers.iter().copied().zip(added.iter().map(|one| one.chunk))).await?;
    let vectors = numbers.iter().copied().zip(added.iter().map(|one| one.vector.clone())).collect();
    add_vectors(tx, index, LexicalEmbedder::NAME, vectors).await.map(drop)
}

async fn add_fields<'c>(
    tx: &Transaction<'_>,
    index: i64,
    chunks: impl Iterator<Item = (i64, &'c Chunk)>,
) -> Result<(), tokio_postgres::Error> {
    let (mut numbers, mut fields, mut texts, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, chunk) in chunks {
        for (field, value) in chunk.fields.iter().flat_map(|(field, values)| values.iter().map(move |one| (field, one)))
        {
            let (text, value) = match comparable(value).into_owned() {
                Value::Text(text) => (Some(text.into_bytes()), None),
                Value::Number(number) => (None, Some(number)),
            };
            numbers.push(number);
            fields.push(field.as_str());
            texts.push(text);
            values.push(value);
        }
    }
    let insert = "INSERT INTO search_field(index, chunk, field, text, number)
         SELECT $1, f.* FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::double precision[]) AS f";
    tx.execute(insert, &[&index, &numbers, &fields, &texts, &values]).await.map(drop)
}

/// Inserts vectors of length 1 for existing chunks; returns the number inserted.
async fn add_vectors(
    tx: &Transaction<'_>,
    index: i64,
    model: &str,
    vectors: Vec<(i64, Vec<f32>)>,
) -> Result<usize, tokio_postgres::Error> {
    // Of duplicates the later counts.
    let vectors: BTreeMap<i64, Vec<f32>> = vectors.into_iter().collect();
    let numbers: Vec<i64> = vectors.keys().copied().collect();
    let encoded = vectors.values().map(|values| vector::encode(values));
    let (codes, scales): (Vec<Vec<u8>>, Vec<f32>) =
        encoded.map(|one| (one.codes.iter().map(|code| code.cast_unsigned()).collect::<Vec<u8>>(), one.scale)).unzip();
    let bytes: Vec<Vec<u8>> = vectors.values().map(|values| vector::to_bytes(values)).collect();
    let insert = "INSERT INTO search_vector(index, chunk, model, vector, codes, scale)
         SELECT $1, v.chunk, $2, v.vector, v.codes, v.scale
         FROM unnest($3::bigint[], $4::bytea[], $5::bytea[], $6::real[]) AS v(chunk, vector, codes, scale)
         JOIN search_chunk AS c ON c.index = $1 AND c.number = v.chunk
         ON CONFLICT (chunk, model) DO UPDATE
         SET vector = excluded.vector, codes = excluded.codes, scale = excluded.scale";
    Ok(tx.execute(insert, &[&index, &model, &numbers, &bytes, &codes, &scales]).await? as usize)
}

/// Stores vectors of a model; returns the number stored.
pub(super) async fn put_vectors(
    postgres: &Postgres,
    scope: &Scope,
    model: &str,
    vectors: Vec<(i64, Vec<f32>)>,
) -> Result<usize, Error> {
    let sorted = |error| sorted(postgres, error);
    check_values(model, None, vectors.iter().map(|(_, values)| values.as_slice()))?;
    let vectors: Vec<_> = vectors.into_iter().map(|(number, values)| (number, vector::normalised(values))).collect();
    let mut client = postgres.client().await.map_err(|error| server::sorted(postgres, error))?;
    let tx = client.transaction().await.map_err(sorted)?;
    let lock =
        "UPDATE search_index SET revision = revision + 1 WHERE user_id = $1 AND project_id = $2 RETURNING number";
    let Some(row) = tx.query_opt(lock, &[&scope.user, &scope.project]).await.map_err(sorted)? else { return Ok(0) };
    let index: i64 = row.get(0);
    let select = "SELECT length(codes) FROM search_vector WHERE index = $1 AND model = $2 LIMIT 1";
    let known = tx.query_opt(select, &[&index, &model]).await.map_err(sorted)?;
    let known = known.and_then(|row| usize::try_from(row.get::<_, i32>(0)).ok());
    check_values(model, known, vectors.first().map(|(_, values)| values.as_slice()))?;
    let mut kept = 0;
    for batch in vectors.chunks(BATCH) {
        kept += add_vectors(&tx, index, model, batch.to_vec()).await.map_err(sorted)?;
    }
    tx.commit().await.map_err(sorted)?;
    Ok(kept)
}

fn body(chunk: &Chunk) -> String {
    serde_json::to_string(chunk).expect("a chunk is plain data")
}
