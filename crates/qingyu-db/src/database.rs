//! Either database, behind one handle.

#[cfg(feature = "postgres")]
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

#[cfg(feature = "postgres")]
use tokio::runtime::Handle;
#[cfg(feature = "postgres")]
use tokio_postgres::IsolationLevel;

#[cfg(feature = "postgres")]
use crate::sql::session::{Session, Wait};
use crate::sql::{Connection, Dialect};
use crate::{Error, Migrations, Settings, Sqlite};
#[cfg(feature = "postgres")]
use crate::{Postgres, PostgresClient};

/// Either database. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Database {
    /// A file, or memory.
    Sqlite(Sqlite),
    /// A schema on a server.
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

impl Database {
    /// Opens the file at `path`, or creates it.
    pub async fn open(path: &Path, settings: Settings) -> Result<Self, Error> {
        Ok(Self::Sqlite(Sqlite::open(path, settings).await?))
    }

    /// Opens a database that lives as long as its handles.
    pub async fn in_memory() -> Result<Self, Error> {
        Ok(Self::Sqlite(Sqlite::in_memory().await?))
    }

    /// Which it is.
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The file, for what only a file has.
    pub fn as_sqlite(&self) -> Option<&Sqlite> {
        match self {
            Self::Sqlite(sqlite) => Some(sqlite),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }

    /// Applies those files that are new here, in the words of the database; all of them or none.
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a server reads them"))]
    pub async fn migrate(&self, sqlite: &Migrations, postgres: &Migrations) -> Result<(), Error> {
        match self {
            Self::Sqlite(database) => database.migrate(sqlite).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => database.migrate(postgres).await,
        }
    }

    /// Runs `job` in a transaction and returns its value once it is durable. A job that returns an error is undone.
    ///
    /// It should not take long. On SQLite there is one writer; on PostgreSQL jobs that must not mix lock the
    /// [same name](Connection::lock) first. It is carried out even if the returned future is dropped.
    pub async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite(database) => database.write(move |connection| job(&Connection::sqlite(connection))).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => on_server(database, Access::Write, job).await,
        }
    }

    /// Runs `job` on a snapshot of the last commit; an attempt to write is refused.
    pub async fn read<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite(database) => database.read(move |connection| job(&Connection::sqlite(connection))).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => on_server(database, Access::Read, job).await,
        }
    }
}

#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Runs `job` in a transaction on a thread that may wait.
///
/// Fails with [`Error::Unreachable`] if the server leaves the transaction's start, a statement or its end unanswered for
/// [`Postgres::answer_limit`]; after the end of a write it is then not known whether it was committed, and the reason says so.
#[cfg(feature = "postgres")]
async fn on_server<T, E, F>(postgres: &Postgres, access: Access, job: F) -> Result<T, E>
where
    F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let mut client = postgres.client().await?;
    let wait = Wait::new(Handle::current(), postgres);
    let work = move || {
        let result = in_transaction(&mut client, &wait, access, job);
        if wait.has_expired() {
            // What was asked last is still to be answered on this connection: nobody else may be given it.
            drop(PostgresClient::take(client));
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    };
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| Error::BrokenJob { reason: error.to_string() })?
}

#[cfg(feature = "postgres")]
fn in_transaction<T, E, F>(
    client: &mut PostgresClient,
    wait: &Wait,
    access: Access,
    job: F,
) -> std::thread::Result<Result<T, E>>
where
    F: FnOnce(&Connection<'_>) -> Result<T, E>,
    E: From<Error>,
{
    let begin = client.build_transaction();
    let begun = match access {
        Access::Read => wait.until(begin.isolation_level(IsolationLevel::RepeatableRead).read_only(true).start()),
        Access::Write => wait.until(begin.start()),
    };
    let transaction = match begun {
        Ok(transaction) => transaction,
        Err(error) => return Ok(Err(error.into())),
    };
    let session = Session { wait, transaction };
    let result = catch_unwind(AssertUnwindSafe(|| job(&Connection::postgres(&session))));
    let Session { transaction, .. } = session;
    match result {
        Ok(Ok(value)) => {
            let committed = wait.until(transaction.commit());
            Ok(committed.map(|()| value).map_err(|error| wait.at_commit(error, access == Access::Write).into()))
        }
        failed => {
            // What the job did is undone; its own error says more than one of undoing it.
            let _ = wait.until(transaction.rollback());
            failed
        }
    }
}
