//! Where threads are kept while they are measured, and the bare commits beside them that say what the disk can do.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, anyhow};
use qingyu_db::{Sqlite, Postgres, PostgresSettings, Settings};
use qingyu_graph::store::{PostgresStore, SqliteStore};
use rusqlite::Connection;

use crate::measure::{Clock, Spent};

/// As many bytes as the chain stores in a superstep, more or less.
const ROW: &str = "one hundred and sixty bytes of text, more or less, as the chain of ten nodes stores them in each of \
                   its supersteps: where it stands, what comes next, what changed.";

/// A SQLite file for the engine, and another in the same folder for bare commits; `synchronous=FULL` in both.
pub struct SqlitePlace {
    pub store: Arc<SqliteStore>,
    pub database: Sqlite,
    bare: Arc<Mutex<Connection>>,
}

impl SqlitePlace {
    pub async fn open(folder: &str) -> anyhow::Result<Self> {
        let path = Path::new(folder).join("graph.db");
        let bare = Connection::open(Path::new(folder).join("bare.db"))?;
        bare.pragma_update(None, "journal_mode", "WAL")?;
        bare.pragma_update(None, "synchronous", "FULL")?;
        bare.execute_batch("CREATE TABLE bare(number INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")?;
        let database = Sqlite::open(&path, Settings::default()).await?;
        let store = Arc::new(SqliteStore::open(database.clone()).await?);
        Ok(Self { store, database, bare: Arc::new(Mutex::new(bare)) })
    }

    /// What `count` commits of one row each take.
    pub async fn bare_commits(&self, count: u32) -> anyhow::Result<Spent> {
        let bare = Arc::clone(&self.bare);
        let commits = move || -> anyhow::Result<Spent> {
            let bare = bare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut insert = bare.prepare_cached("INSERT INTO bare(body) VALUES (?1)")?;
            let clock = Clock::start();
            for _ in 0..count {
                insert.execute([ROW])?;
            }
            Ok(clock.stop())
        };
        tokio::task::spawn_blocking(commits).await?
    }

    /// One number that the file tells.
    pub async fn number(&self, sql: &'static str) -> anyhow::Result<i64> {
        let read = move |connection: &Connection| -> Result<i64, qingyu_db::Error> {
            Ok(connection.query_row(sql, [], |row| row.get(0))?)
        };
        self.database.read(read).await.map_err(|error| anyhow!(error).context(sql))
    }
}

/// A schema of its own on a server.
pub struct PostgresPlace {
    pub store: Arc<PostgresStore>,
    pub postgres: Postgres,
    schema: String,
}

impl PostgresPlace {
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        let schema = format!("qingyu_bench_{}", std::process::id());
        let settings = PostgresSettings { schema: schema.clone(), ..PostgresSettings::new(url) };
        let postgres = Postgres::open(settings).await?;
        let store = Arc::new(PostgresStore::open(postgres.clone()).await?);
        let table = "CREATE TABLE bare(number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL)";
        postgres.client().await?.batch_execute(table).await?;
        Ok(Self { store, postgres, schema })
    }

    /// What `count` commits of one row each take.
    pub async fn bare_commits(&self, count: u32) -> anyhow::Result<Spent> {
        let client = self.postgres.client().await?;
        let insert = client.prepare_cached("INSERT INTO bare(body) VALUES ($1)").await?;
        let clock = Clock::start();
        for _ in 0..count {
            client.execute(&insert, &[&ROW]).await?;
        }
        Ok(clock.stop())
    }

    /// One number that the server tells.
    pub async fn number(&self, sql: &str) -> anyhow::Result<i64> {
        Ok(self.postgres.client().await?.query_one(sql, &[]).await?.try_get(0)?)
    }

    /// Takes the schema away again, whatever `measured` came to.
    pub async fn leave<T>(self, measured: anyhow::Result<T>) -> anyhow::Result<T> {
        let dropping = format!("DROP SCHEMA {} CASCADE", self.schema);
        self.postgres.client().await?.batch_execute(&dropping).await.context(dropping)?;
        measured
    }
}
