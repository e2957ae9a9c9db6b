//! The servers of a shared database: liveness, and runs to take over or to stop.

use std::fmt;
use std::time::Duration;

use qingyu_db::Database;
use qingyu_db::sql::{Connection, Dialect, Row};

use crate::Error;
use crate::row::{from_count, to_count};

/// The id of a server process; every start has a new id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerId(String);

impl ServerId {
    /// Returns a new id.
    pub fn new() -> Self {
        Self(format!("s-{}", uuid::Uuid::now_v7().simple()))
    }

    /// Returns the stored form.
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

/// A run with its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedRun {
    /// The user.
    pub user: String,
    /// The run.
    pub run: String,
    /// The key used to start or last resume the run.
    pub key: Option<String>,
}

/// The servers of a database, shared by all users.
#[derive(Debug, Clone)]
pub struct Servers {
    database: Database,
}

/// Returns the SQL for the database clock, in seconds.
pub(crate) fn now(dialect: Dialect) -> &'static str {
    dialect.choose("unixepoch('subsec')", "extract(epoch FROM clock_timestamp())::double precision")
}

impl Servers {
    /// Returns the servers of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Renews the lease of the server for the duration `lease`. `process` is returned to other servers by
    /// [`others`](Self::others).
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

    /// Returns the other live servers, with their processes.
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

    /// Records that a server died, so that its runs need not wait for the lease to expire.
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

    /// Records an orderly shutdown; any server can take over the runs. Deletes servers dead for an hour.
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

    /// Returns the runs of dead servers, oldest first.
    pub async fn abandoned(&self, most: usize) -> Result<Vec<OwnedRun>, Error> {
        let now = now(self.database.dialect());
        let sql = format!(
            "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM server WHERE server.id = run.server AND server.expires > {now})
             ORDER BY started, id LIMIT ?1"
        );
        self.select(sql, (to_count(most as u64),)).await
    }

    /// Returns the runs of the server, according to their rows.
    pub async fn at_work(&self, server: &ServerId) -> Result<Vec<OwnedRun>, Error> {
        let sql = "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server = ?1";
        self.select(sql.to_owned(), (server.0.clone(),)).await
    }

    /// Returns the runs of the server with a stop request.
    pub async fn to_stop(&self, server: &ServerId) -> Result<Vec<OwnedRun>, Error> {
        let sql = "SELECT user_id, id, key_id FROM run WHERE status = 'running' AND server = ?1 AND stop = 1";
        self.select(sql.to_owned(), (server.0.clone(),)).await
    }

    /// Returns the number of live servers.
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
