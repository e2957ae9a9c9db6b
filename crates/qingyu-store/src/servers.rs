//! The servers that share a database: who is alive, and whose runs are to be taken over or stopped.

use std::fmt;
use std::time::Duration;

use qingyu_db::Database;
use qingyu_db::sql::{Connection, Dialect, Row};

use crate::Error;
use crate::row::{from_count, to_count};

/// A server process. Each start of one has another id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerId(String);

impl ServerId {
    /// A new one.
    pub fn new() -> Self {
        Self(format!("s-{}", uuid::Uuid::now_v7().simple()))
    }

    /// As it is kept.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ServerId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A run, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedRun {
    /// The user.
    pub user: String,
    /// The run.
    pub run: String,
    /// The key with which it was started, or gone on with last.
    pub key: Option<String>,
}

/// The servers of a database, which belong to no user.
#[derive(Debug, Clone)]
pub struct Servers {
    database: Database,
}

/// The clock of the database, in seconds.
pub(crate) fn now(dialect: Dialect) -> &'static str {
    dialect.choose("unixepoch('subsec')", "extract(epoch FROM clock_timestamp())::double precision")
}

impl Servers {
    /// The servers of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Says that the server is alive, and will be for `lease`. `process` is what [`others`](Self::others) are told of it.
    pub async fn beat(&self, server: &ServerId, name: &str, process: &str, lease: Duration) -> Result<(), Error> {
        let (server, name, process) = (server.0.clone(), name.to_owned(), process.to_owned());
        let now = now(self.database.dialect());
        let job = move |connection: &Connection| {
            let insert = format!(
                "INSERT INTO server(id, name, process, expires) VALUES (?1, ?2, ?3, {now} + ?4)
                 ON CONFLICT (id) DO UPDATE SET name = excluded.name, process = excluded.process,
                                                expires = excluded.expires"
            );
            connection.prepare_cached(&insert)?.execute((server, name, process, lease.as_secs_f64()))?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// The other servers that count as alive, and which process each is.
    pub async fn others(&self, server: &ServerId) -> Result<Vec<(ServerId, String)>, Error> {
        let now = now(self.database.dialect());
        let sql = format!("SELECT id, process FROM server WHERE expires > {now} AND id <> ?1");
        let server = server.0.clone();
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(&sql)?;
            let read = |row: &Row<'_>| Ok((ServerId(row.get(0)?), row.get(1)?));
            Ok(select.query_map([server], read)?.collect::<Result<_, _>>()?)
        };
        self.database.read(job).await
    }

    /// Says that a server has ended without a word, so that its runs need not wait until it has not been heard for long.
    pub async fn ended(&self, server: &ServerId) -> Result<(), Error> {
        let server = server.0.clone();
        let now = now(self.database.dialect());
        let job = move |connection: &Connection| {
            let update = format!("UPDATE server SET expires = {now} WHERE id = ?1 AND expires > {now}");
            connection.prepare_cached(&update)?.execute([server])?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// Says that the server has gone; its runs are anybody's from now on. Forgets others that went without a word an hour ago.
    pub async fn leave(&self, server: &ServerId) -> Result<(), Error> {
        let server = server.0.clone();
        let now = now(self.database.dialect());
        let job = move |connection: &Connection| {
            let delete = format!("DELETE FROM server WHERE id = ?1 OR expires < {now} - 3600");
            connection.prepare_cached(&delete)?.execute([server])?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// The runs that a server worked on that is not alive any more, oldest first.
    pub async fn abandoned(&self, most: usize) -> Result<Vec<OwnedRun>, Error> {
        let now = now(self.database.dialect());
        let sql = format!(
            "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM server WHERE server.id = run.server AND server.expires > {now})
             ORDER BY started, id LIMIT ?1"
        );
        self.select(sql, (to_count(most as u64),)).await
    }

    /// The runs that this server works on, as far as their rows say.
    pub async fn at_work(&self, server: &ServerId) -> Result<Vec<OwnedRun>, Error> {
        let sql = "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server = ?1";
        self.select(sql.to_owned(), (server.0.clone(),)).await
    }

    /// Those of them that somebody wants stopped.
    pub async fn to_stop(&self, server: &ServerId) -> Result<Vec<OwnedRun>, Error> {
        let sql = "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server = ?1 AND stop = 1";
        self.select(sql.to_owned(), (server.0.clone(),)).await
    }

    /// How many servers are alive.
    pub async fn alive(&self) -> Result<u64, Error> {
        let now = now(self.database.dialect());
        let sql = format!("SELECT count(*) FROM server WHERE expires > {now}");
        let job = move |connection: &Connection| {
            Ok(connection.prepare_cached(&sql)?.query_row((), |row| row.get::<_, i64>(0)).map(from_count)?)
        };
        self.database.read(job).await
    }

    async fn select(
        &self,
        sql: String,
        parameters: impl qingyu_db::sql::Params + Send + 'static,
    ) -> Result<Vec<OwnedRun>, Error> {
        let job = move |connection: &Connection| {
            let mut select = connection.prepare_cached(&sql)?;
            let read = |row: &Row<'_>| Ok(OwnedRun { user: row.get(0)?, run: row.get(1)?, key: row.get(2)? });
            Ok(select.query_map(parameters, read)?.collect::<Result<_, _>>()?)
        };
        self.database.read(job).await
    }
}
