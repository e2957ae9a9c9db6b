//! A separate schema on a PostgreSQL server for each test.

use std::io::Write;

use qingyu_db::{Durability, Postgres, PostgresSettings};

use crate::store::PostgresStore;

/// The environment variable with the address of the test server. If set, the server must answer.
const VARIABLE: &str = "QINGYU_TEST_POSTGRES";
/// The default address.
const LOCAL: &str = "postgresql://postgres@127.0.0.1:5432/test";

/// A schema for one test; dropped with this value.
#[derive(Debug)]
pub struct TestSchema {
    settings: PostgresSettings,
}

impl TestSchema {
    /// Creates a schema on the server at `QINGYU_TEST_POSTGRES`, by default on the local server.
    ///
    /// Prints a message and returns `None` without the variable and a local server. Panics instead if `CI=true`.
    pub async fn new() -> Option<Self> {
        let given = std::env::var(VARIABLE).ok();
        let demanded = given.is_some() || std::env::var("CI").is_ok_and(|value| value == "true");
        let settings = PostgresSettings {
            schema: format!("qingyu_test_{}", uuid::Uuid::new_v4().simple()),
            durability: Durability::Normal,
            ..PostgresSettings::new(given.unwrap_or_else(|| LOCAL.to_owned()))
        };
        match Postgres::open(settings.clone()).await {
            Ok(_) => Some(Self { settings }),
            Err(error) if demanded => panic!("the tests need a PostgreSQL server: {error}"),
            Err(error) => {
                // Not `println`, whose output the harness hides when a test passes.
                let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL at 127.0.0.1:5432 ({error})");
                None
            }
        }
    }

    /// Returns the connection settings of the schema. Commits do not wait for the disk, which only a power cut could
    /// reveal.
    pub fn settings(&self) -> PostgresSettings {
        self.settings.clone()
    }

    /// Returns a new connection pool.
    pub async fn postgres(&self) -> Postgres {
        Postgres::open(self.settings()).await.expect("it answered before")
    }

    /// Returns a store with a separate pool, as another process would have.
    pub async fn store(&self) -> PostgresStore {
        PostgresStore::open(self.postgres().await).await.expect("the tables can be made")
    }
}

impl Drop for TestSchema {
    fn drop(&mut self) {
        let settings = self.settings.clone();
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", settings.schema);
        // In a separate thread, since a test's runtime cannot be blocked on from inside.
        let cleaning = std::thread::spawn(move || -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let client = Postgres::open(settings).await?.client().await?;
                Ok(client.batch_execute(&sql).await?)
            })
        });
        if let Ok(Err(error)) = cleaning.join() {
            let _ = writeln!(std::io::stderr(), "schema {} is left behind: {error}", self.settings.schema);
        }
    }
}
