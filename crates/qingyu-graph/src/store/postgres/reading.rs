//! Queries for journals: one statement each.

use qingyu_db::PostgresClient;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql, Type};

use crate::error::Error;
use crate::store::record::{CheckpointJournal, JournalRecord, ThreadId};
use crate::store::sql::{RECORD, bound, journal, journal_query, kind, limit, position, text};

/// The expression for the body in queries of records; PostgreSQL compresses large bodies by itself.
pub(super) const BODY: &str = "record.body";

/// The newest checkpoint of the graph, from the thread's row.
pub(super) const OWN_HEAD: &str = "SELECT number AS thread, '' AS scope, head AS position, snapshot AS base
    FROM graph_thread WHERE id = $1 AND snapshot > 0";
/// The newest checkpoint of the scope `$2`.
pub(super) const SCOPE_HEAD: &str = "SELECT number AS thread, $2::text AS scope,
        (SELECT max(position) FROM graph_record
         WHERE thread = number AND scope = $2 AND kind IN ('snapshot', 'delta')) AS position,
        (SELECT max(position) FROM graph_record
         WHERE thread = number AND scope = $2 AND kind = 'snapshot') AS base
    FROM graph_thread WHERE id = $1";
/// The checkpoint at `$2`. The `CASE` hides the index of checkpoints from the planner: a plan made while the table is
/// empty would use the index to read every scope of the thread.
pub(super) const HEAD_AT: &str = "SELECT checkpoint.thread, checkpoint.scope, checkpoint.position,
        (SELECT max(earlier.position) FROM graph_record AS earlier
         WHERE earlier.thread = checkpoint.thread AND earlier.scope = checkpoint.scope
             AND earlier.position <= checkpoint.position AND earlier.kind = 'snapshot') AS base
    FROM graph_record AS checkpoint
    WHERE checkpoint.thread = (SELECT number FROM graph_thread WHERE id = $1) AND checkpoint.position = $2
        AND CASE WHEN checkpoint.kind IN ('snapshot', 'delta') THEN true END";

type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) async fn newest(
    client: &PostgresClient,
    thread: &ThreadId,
    scope: &str,
) -> Result<Option<CheckpointJournal>, Error> {
    if scope.is_empty() {
        return read(client, OWN_HEAD, &[&thread.as_str()]).await;
    }
    read(client, SCOPE_HEAD, &[&thread.as_str(), &scope]).await
}

pub(super) async fn at(
    client: &PostgresClient,
    thread: &ThreadId,
    position: u64,
) -> Result<Option<CheckpointJournal>, Error> {
    read(client, HEAD_AT, &[&thread.as_str(), &bound(position)]).await
}

async fn read(
    client: &PostgresClient,
    head: &str,
    parameters: Parameters<'_>,
) -> Result<Option<CheckpointJournal>, Error> {
    let found = |row: &Row| placed(row).and_then(|(head, record)| Ok((head, record, position(row.try_get(8)?)?)));
    journal(rows(client, &journal_query(head, BODY), parameters).await?.iter().map(found))
}

pub(super) async fn checkpoints(
    client: &PostgresClient,
    thread: &ThreadId,
    scope: &str,
    before: u64,
    count: usize,
) -> Result<Vec<(u64, JournalRecord)>, Error> {
    let sql = format!(
        "SELECT record.position, {RECORD}, {BODY} FROM graph_record AS record
         WHERE thread = (SELECT number FROM graph_thread WHERE id = $1) AND scope = $2 AND position < $3
             AND kind IN ('snapshot', 'delta')
         ORDER BY position DESC LIMIT $4"
    );
    let parameters: Parameters<'_> = &[&thread.as_str(), &scope, &bound(before), &limit(count)];
    rows(client, &sql, parameters).await?.iter().map(placed).collect()
}

pub(super) async fn records(
    client: &PostgresClient,
    thread: &ThreadId,
    after: u64,
    count: usize,
) -> Result<Vec<(u64, JournalRecord)>, Error> {
    let sql = format!(
        "SELECT record.position, {RECORD}, {BODY} FROM graph_record AS record
         WHERE thread = (SELECT number FROM graph_thread WHERE id = $1) AND position > $2
         ORDER BY position LIMIT $3"
    );
    let parameters: Parameters<'_> = &[&thread.as_str(), &bound(after), &limit(count)];
    rows(client, &sql, parameters).await?.iter().map(placed).collect()
}

pub(super) async fn threads(
    client: &PostgresClient,
    after: Option<&ThreadId>,
    count: usize,
) -> Result<Vec<ThreadId>, Error> {
    // The default bound is the empty name, which comes first.
    let (comparison, name) = after.map_or((">=", ""), |after| (">", after.as_str()));
    let sql = format!(
        r#"SELECT id FROM graph_thread WHERE snapshot > 0 AND id COLLATE "C" {comparison} $1
           ORDER BY id COLLATE "C" LIMIT $2"#
    );
    let found = rows(client, &sql, &[&name, &limit(count)]).await?;
    found.iter().map(|row| Ok(ThreadId::from(row.try_get::<_, String>(0)?))).collect()
}

async fn rows(client: &PostgresClient, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, Error> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query(&statement, parameters).await?)
}

/// The bytes of a text column.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TEXT
    }
}

/// Parses a row into the position and the record.
fn placed(row: &Row) -> Result<(u64, JournalRecord), Error> {
    let record = JournalRecord {
        scope: row.try_get(1)?,
        branch: position(row.try_get(2)?)?,
        parent: position(row.try_get(3)?)?,
        kind: kind(row.try_get(4)?)?,
        task: row.try_get(5)?,
        key: row.try_get(6)?,
        body: text(row.try_get::<_, Raw<'_>>(7)?.0)?,
    };
    Ok((position(row.try_get(0)?)?, record))
}
