//! A place of its own on a PostgreSQL server for each test.

use std::io::Write;

use qingyu_db::{Durability, Postgres, PostgresSettings};

use crate::store::PostgresStore;

/// Names the tests' server. Once it is set, that server must answer.
const VARIABLE: &str = "QINGYU_TEST_POSTGRES";
/// Where else one is looked for.
const LOCAL: &str = "postgresql://postgres@127.0.0.1:5432/test";

/// A schema that no other test sees; it is dropped with this value.
#[derive(Debug)]
pub struct TestSchema {
    settings: PostgresSettings,
}

impl TestSchema {
    /// A new schema on the server at `QINGYU_TEST_POSTGRES`, or on the local one.
    ///
    /// Says so and returns `None` if there is no such variable and no local server. Under `CI=true` that is a failure.
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
                // Not through `println`, which the harness keeps to itself when a test passes.
                let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL at 127.0.0.1:5432 ({error})");
                None
            }
        }
    }

    /// How the schema is reached. Commits do not wait for the disk, which only a power cut could tell.
    pub fn settings(&self) -> PostgresSettings {
        self.settings.clone()
    }

    /// A new pool of connections.
    pub async fn postgres(&self) -> Postgres {
        Postgres::open(self.settings()).await.expect("it answered before")
    }

    /// A store with a pool of its own, as another process would have it.
    pub async fn store(&self) -> PostgresStore {
        PostgresStore::open(self.postgres().await).await.expect("the tables can be made")
    }
}

impl Drop for TestSchema {
    fn drop(&mut self) {
        let settings = self.settings.clone();
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", settings.schema);
        // On a thread of its own, since a test's runtime cannot be waited for from inside.
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
