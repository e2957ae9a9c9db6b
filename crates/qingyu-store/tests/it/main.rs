//! The repositories on a database.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod access;
mod branches;
mod comments;
mod engine;
#[path = "../../../qingyu-graph/tests/it/extent.rs"]
mod extent;
mod migrations;
mod past;
mod pictures;
mod runs;
mod search;
mod stories;

use std::hash::{Hash, Hasher};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use qingyu_db::{Database, Postgres, PostgresSettings, Sqlite};
use qingyu_store::{Project, ProjectDraft, Projects};

/// In memory; with `QINGYU_TEST_STORE=postgres` on a server, in a schema of its own.
async fn database() -> Database {
    let wanted = std::env::var("QINGYU_TEST_STORE").is_ok_and(|on| on == "postgres");
    let server = if wanted { on_server().await } else { None };
    let database = match server {
        Some(postgres) => Database::Postgres(postgres),
        None => Database::Sqlite(Sqlite::in_memory().await.unwrap()),
    };
    qingyu_store::migrate(&database).await.unwrap();
    database
}

/// A new schema on the server at `QINGYU_TEST_POSTGRES`, or on the local one. Those of a test have the same names each time,
/// so that not more and more are left.
async fn on_server() -> Option<Postgres> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let url = std::env::var("QINGYU_TEST_POSTGRES");
    let url = url.unwrap_or_else(|_| "postgresql://postgres@127.0.0.1:5432/test".into());
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let mut hasher = std::hash::DefaultHasher::new();
    (test, MADE.fetch_add(1, Ordering::Relaxed)).hash(&mut hasher);
    let schema = format!("store_test_{:x}", hasher.finish());
    let settings = PostgresSettings { schema, connections: 3, ..PostgresSettings::new(url) };
    match Postgres::open(settings.clone()).await {
        Ok(postgres) => {
            let gone = format!("DROP SCHEMA IF EXISTS {} CASCADE", settings.schema);
            postgres.client().await.unwrap().batch_execute(&gone).await.unwrap();
            Some(postgres)
        }
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("a server is needed: {error}"),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL ({error})");
            None
        }
    }
}

async fn project(database: &Database, user: &str) -> Project {
    let new = ProjectDraft { title: "The Lighthouse".into(), premise: "灯塔".into(), ..ProjectDraft::default() };
    Projects::new(database, user).create(new, at(1)).await.unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}
