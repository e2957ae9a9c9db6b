//! Every memory passes its suite, and does random work as the model does.

use std::io::Write;
use std::sync::Arc;

use proptest::prelude::*;
use qingyu_db::{Database, Postgres, PostgresSettings, Settings, Sqlite};
use qingyu_memory::long_term::StoredLongTerm;
use qingyu_memory::short_term::StoredShortTerm;
use qingyu_memory::testing::{
    HandClock, VolatileLongTerm, VolatileShortTerm, long_term_agrees, long_term_steps, long_term_suite,
    short_term_agrees, short_term_steps, short_term_suite,
};
use qingyu_memory::{Clock, LongTermMemory, ShortTermMemory};

#[tokio::test]
async fn short_term_volatile() {
    short_term_suite(async |clock| Arc::new(VolatileShortTerm::new(clock)) as Arc<dyn ShortTermMemory>).await;
}

#[tokio::test]
async fn short_term_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("memory.db"), Settings::default()).await.unwrap();
    short_term_suite(async |clock: Arc<dyn Clock>| {
        let memory = StoredShortTerm::open(database.clone(), clock).await.unwrap();
        Arc::new(memory) as Arc<dyn ShortTermMemory>
    })
    .await;
}

/// A schema of its own on the server at `QINGYU_TEST_POSTGRES`, or on the local one; the same each time, and empty.
async fn on_server(schema: &str) -> Option<Database> {
    let url = std::env::var("QINGYU_TEST_POSTGRES");
    let url = url.unwrap_or_else(|_| "postgresql://postgres@127.0.0.1:5432/test".into());
    let settings = PostgresSettings { schema: schema.into(), connections: 3, ..PostgresSettings::new(url) };
    match Postgres::open(settings).await {
        Ok(postgres) => {
            let gone = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
            postgres.client().await.unwrap().batch_execute(&gone).await.unwrap();
            Some(Database::Postgres(postgres))
        }
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("a server is needed: {error}"),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL ({error})");
            None
        }
    }
}

#[tokio::test]
async fn short_term_postgres() {
    let Some(database) = on_server("memory_test_short").await else { return };
    short_term_suite(async |clock: Arc<dyn Clock>| {
        let memory = StoredShortTerm::open(database.clone(), clock).await.unwrap();
        Arc::new(memory) as Arc<dyn ShortTermMemory>
    })
    .await;
}

#[tokio::test]
async fn long_term_postgres() {
    let Some(database) = on_server("memory_test_long").await else { return };
    long_term_suite(async |clock: Arc<dyn Clock>| {
        let memory = StoredLongTerm::open(database.clone(), clock).await.unwrap();
        Arc::new(memory) as Arc<dyn LongTermMemory>
    })
    .await;
}

#[tokio::test]
async fn long_term_volatile() {
    long_term_suite(async |clock| Arc::new(VolatileLongTerm::new(clock)) as Arc<dyn LongTermMemory>).await;
}

#[tokio::test]
async fn long_term_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("memory.db"), Settings::default()).await.unwrap();
    long_term_suite(async |clock: Arc<dyn Clock>| {
        let memory = StoredLongTerm::open(database.clone(), clock).await.unwrap();
        Arc::new(memory) as Arc<dyn LongTermMemory>
    })
    .await;
}

proptest! {
    #[test]
    fn volatile_memories_do_as_the_model(short in short_term_steps(), long in long_term_steps()) {
        block_on(async {
            let clock = Arc::new(HandClock::default());
            short_term_agrees(&VolatileShortTerm::new(clock.clone()), &clock, "u", &short).await;
            let clock = Arc::new(HandClock::default());
            long_term_agrees(&VolatileLongTerm::new(clock.clone()), &clock, "u", &long).await;
        });
    }
}

proptest! {
    // Each case opens a database.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn embedded_memories_do_as_the_model(short in short_term_steps(), long in long_term_steps()) {
        block_on(async {
            let database = Database::Sqlite(Sqlite::in_memory().await.unwrap());
            let clock = Arc::new(HandClock::default());
            let memory = StoredShortTerm::open(database.clone(), clock.clone()).await.unwrap();
            short_term_agrees(&memory, &clock, "u", &short).await;
            let clock = Arc::new(HandClock::default());
            let memory = StoredLongTerm::open(database, clock.clone()).await.unwrap();
            long_term_agrees(&memory, &clock, "u", &long).await;
        });
    }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}
