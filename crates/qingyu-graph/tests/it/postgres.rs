//! What only a shared server can show: several processes, leases by its clock, and its refusals.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use qingyu_db::{Error as DbError, Postgres, PostgresSettings, SqlMigrations};
use qingyu_graph::store::{JournalRecord, Owner, PostgresStore, RecordKind, ThreadLease};
use qingyu_graph::testing::TestSchema;
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, JoinedWrite, NodeError, START, Store};

use crate::board::{Board, BoardUpdate, done, failed, log};

const LONG: Duration = Duration::from_secs(60);

fn snapshot(key: &str, body: &str) -> JournalRecord {
    JournalRecord {
        scope: String::new(),
        branch: 0,
        parent: 0,
        kind: RecordKind::Snapshot,
        task: String::new(),
        key: key.to_owned(),
        body: body.to_owned(),
    }
}

async fn acquire(store: &PostgresStore, thread: &str) -> ThreadLease {
    store.acquire(&thread.into(), &Owner::this_process(), LONG).await.unwrap()
}

#[tokio::test]
async fn many_threads_append_at_once_and_a_refused_one_harms_no_other() {
    let Some(schema) = TestSchema::new().await else { return };
    let store = schema.store().await;
    let mut appends = Vec::new();
    for number in 0..40_u32 {
        let mut lease = acquire(&store, &format!("t{number}")).await;
        // One has lost its lease, one writes what the server cannot keep.
        lease.epoch += u64::from(number == 7);
        let key = if number == 11 { "\0" } else { "" };
        for place in 0..5 {
            let (store, lease, record) = (store.clone(), lease.clone(), snapshot(key, &format!("{number} {place}")));
            let append = async move { store.append(&lease, vec![record.clone(), record], Vec::new()).await };
            appends.push((number, tokio::spawn(append)));
        }
    }
    let mut positions = vec![Vec::new(); 40];
    for (number, append) in appends {
        match append.await.unwrap() {
            Ok(position) => positions[number as usize].push(position),
            Err(Error::Fenced { .. }) => assert_eq!(number, 7),
            Err(error) => assert!(number == 11 && matches!(error, Error::Database(DbError::Postgres(_))), "{error}"),
        }
    }
    for (number, mut positions) in positions.into_iter().enumerate() {
        positions.sort_unstable();
        let expected: &[u64] = if number == 7 || number == 11 { &[] } else { &[2, 4, 6, 8, 10] };
        assert_eq!(positions, expected, "thread {number}");
    }
}

#[tokio::test]
async fn a_body_comes_back_byte_for_byte() {
    let Some(schema) = TestSchema::new().await else { return };
    let store = schema.store().await;
    let lease = acquire(&store, "t").await;
    // What jsonb would have put in order, shortened or refused.
    let body = r#"{ "b":1.10,"a":1e3,  "a":"\u0000雨\ud83c\udf27" }"#;
    store.append(&lease, vec![snapshot("", body)], Vec::new()).await.unwrap();
    assert_eq!(store.newest(&lease.thread, "").await.unwrap().unwrap().checkpoints, [snapshot("", body)]);
}

#[tokio::test]
async fn c30_two_pools_on_one_server_exclude_each_other() {
    let Some(schema) = TestSchema::new().await else { return };
    let (first, second) = (schema.store().await, schema.store().await);
    let lease = acquire(&first, "t").await;
    let refused = second.acquire(&lease.thread, &Owner::this_process(), LONG).await;
    assert!(matches!(refused, Err(Error::ThreadBusy { .. })), "{refused:?}");
    first.renew(&lease, Duration::ZERO).await.unwrap();
    let next = acquire(&second, "t").await;
    assert_eq!(next.epoch, lease.epoch + 1);
    for refused in [
        first.append(&lease, vec![snapshot("", "late")], Vec::new()).await.map(drop),
        first.append(&lease, vec![snapshot("", "late")], vec![insert("late", false)]).await.map(drop),
        first.renew(&lease, LONG).await,
    ] {
        assert!(matches!(refused, Err(Error::Fenced { .. })), "{refused:?}");
    }
    first.release(&lease).await.unwrap();
    assert_eq!(second.append(&next, vec![snapshot("", "new")], Vec::new()).await.unwrap(), 1, "it is not disturbed");
}

/// Writes a chapter to a table of ours, and then fails if it `fails`.
fn insert(text: &str, fails: bool) -> JoinedWrite {
    let text = text.to_owned();
    PostgresStore::joined(move |tx| {
        async move {
            tx.execute("INSERT INTO chapter(text) VALUES ($1)", &[&text]).await?;
            if fails {
                Err("it failed on purpose".into())
            } else {
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
            }
        }
        .boxed()
    })
}

fn writing(text: &'static str, fails: bool) -> CompiledGraph<Board> {
    Graph::<Board>::new("writing")
        .node("write", move |_: Arc<Board>, context: Context| async move {
            context.commit_with(insert(text, fails));
            Ok::<BoardUpdate, NodeError>(log("written"))
        })
        .edge(START, "write")
        .edge("write", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn p6_a_joined_write_is_there_if_and_only_if_the_superstep_is() {
    let Some(schema) = TestSchema::new().await else { return };
    let store = Arc::new(schema.store().await);
    let client = schema.postgres().await.client().await.unwrap();
    client.batch_execute("CREATE TABLE chapter(text text)").await.unwrap();
    let chapters = async || {
        let rows = client.query("SELECT text FROM chapter", &[]).await.unwrap();
        rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>()
    };
    done(writing("good", false).thread(store.clone(), "good").start(Board::update()).await).await;
    assert_eq!(chapters().await, ["good"]);
    let broken = writing("bad", true).thread(store.clone(), "broken");
    let error = failed(broken.start(Board::update()).await).await;
    assert!(matches!(&error, Error::Store(_)) && error.to_string().contains("on purpose"), "{error}");
    assert_eq!(chapters().await, ["good"]);
    assert_eq!(broken.snapshot().await.unwrap().unwrap().superstep, -1);
}

#[tokio::test]
async fn processes_that_start_together_make_the_tables_once() {
    let Some(schema) = TestSchema::new().await else { return };
    let stores = (0..8).map(|_| schema.store());
    let stores = futures::future::join_all(stores).await;
    let lease = acquire(&stores[0], "t").await;
    assert_eq!(stores[7].append(&lease, vec![snapshot("", "1")], Vec::new()).await.unwrap(), 1);
}

#[tokio::test]
async fn the_schema_of_a_newer_program_is_refused() {
    let Some(schema) = TestSchema::new().await else { return };
    let newer = SqlMigrations { owner: "graph", files: &[("0001_other", "CREATE TABLE other()")] };
    let postgres = schema.postgres().await;
    postgres.migrate(&newer).await.unwrap();
    let error = PostgresStore::open(postgres.clone()).await.unwrap_err();
    assert!(matches!(error, Error::Database(DbError::EditedMigration { .. })), "{error}");
    let error = postgres.migrate(&SqlMigrations { owner: "graph", files: &[] }).await.unwrap_err();
    assert!(matches!(&error, DbError::NewerSchema { found, .. } if found == "0001_other"), "{error}");
    let broken = SqlMigrations { owner: "broken", files: &[("0001", "CREATE TABLE half()"), ("0002", "no SQL")] };
    assert!(matches!(postgres.migrate(&broken).await, Err(DbError::Postgres(_))));
    let client = postgres.client().await.unwrap();
    assert!(client.query("SELECT FROM half", &[]).await.is_err(), "all of them or none");
}

#[tokio::test]
async fn refusals_are_sorted_by_what_can_be_done() {
    let Some(schema) = TestSchema::new().await else { return };
    let given = schema.settings();
    let opened = async |settings| Postgres::open(settings).await.unwrap_err();
    let nobody = PostgresSettings { url: "postgresql://me:secret@127.0.0.1:1/none".to_owned(), ..given.clone() };
    assert!(!format!("{nobody:?}").contains("secret"));
    let error = opened(nobody).await;
    assert!(matches!(&error, DbError::Unreachable { server, .. } if server == "127.0.0.1:1"), "{error}");
    assert!(!error.to_string().contains("secret"));
    let odd = PostgresSettings { schema: "a; DROP SCHEMA b".to_owned(), ..given.clone() };
    assert!(matches!(opened(odd).await, DbError::Unreachable { .. }));

    let impatient = PostgresSettings { connections: 2, busy_timeout: Duration::from_millis(20), ..given };
    let postgres = Postgres::open(impatient).await.unwrap();
    let store = PostgresStore::open(postgres.clone()).await.unwrap();
    let lease = acquire(&store, "t").await;
    let mut other = postgres.client().await.unwrap();
    let tx = other.transaction().await.unwrap();
    tx.execute("SELECT FROM graph_thread FOR UPDATE", &[]).await.unwrap();
    let refused = store.append(&lease, vec![snapshot("", "1")], Vec::new()).await;
    assert!(matches!(refused, Err(Error::Database(DbError::Busy))), "{refused:?}");
    let _second = postgres.client().await.unwrap();
    assert!(matches!(postgres.client().await, Err(DbError::Busy)), "every connection is taken");
    tx.rollback().await.unwrap();
    drop(other);
    assert_eq!(store.append(&lease, vec![snapshot("", "1")], Vec::new()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_lost_connection_is_told_and_replaced() {
    let Some(schema) = TestSchema::new().await else { return };
    let given = schema.settings();
    let name = given.schema.clone();
    let joint = if given.url.contains('?') { '&' } else { '?' };
    let named = PostgresSettings { url: format!("{}{joint}application_name={name}", given.url), ..given };
    let store = PostgresStore::open(Postgres::open(named).await.unwrap()).await.unwrap();
    let lease = acquire(&store, "t").await;
    let client = schema.postgres().await.client().await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = left($1, 63)";
    assert!(client.execute(cut, &[&name]).await.unwrap() > 0);
    // The news may not have come through yet; then it comes as an error.
    let position = loop {
        match store.append(&lease, vec![snapshot("", "1")], Vec::new()).await {
            Ok(position) => break position,
            Err(error) => assert!(matches!(error, Error::Database(DbError::Unreachable { .. })), "{error}"),
        }
    };
    assert_eq!(position, 1);
}
