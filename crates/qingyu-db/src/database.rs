//! A handle to either database.

#[cfg(feature = "postgres")]
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

#[cfg(feature = "postgres")]
use tokio::runtime::Handle;
#[cfg(feature = "postgres")]
use tokio_postgres::IsolationLevel;

#[cfg(feature = "postgres")]
use crate::sql::session::{AnswerTimeout, PostgresSession};
use crate::sql::{Connection, Dialect};
use crate::{Error, Settings, SqlMigrations, Sqlite};
#[cfg(feature = "postgres")]
use crate::{Postgres, PostgresClient};

/// A SQLite or PostgreSQL database. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Database {
    /// A file, or an in-memory database.
    Sqlite(Sqlite),
    /// A schema on a server.
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

impl Database {
    /// Opens the file at `path`, or creates the file.
    pub async fn open(path: &Path, settings: Settings) -> Result<Self, Error> {
        Ok(Self::Sqlite(Sqlite::open(path, settings).await?))
    }

    /// Returns the SQL dialect.
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Returns the SQLite database, for operations on files.
    pub fn as_sqlite(&self) -> Option<&Sqlite> {
        match self {
            Self::Sqlite(sqlite) => Some(sqlite),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }

    /// Applies the new migrations of the matching dialect in a single transaction.
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a server reads them"))]
    pub async fn migrate(&self, sqlite: &SqlMigrations, postgres: &SqlMigrations) -> Result<(), Error> {
        match self {
            Self::Sqlite(database) => database.migrate(sqlite).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => database.migrate(postgres).await,
        }
    }

    /// Runs `job` in a transaction and returns the value after the commit is durable. If the job returns an error, the
    /// transaction is rolled back.
    ///
    /// Jobs should be short. SQLite has a single writer; on PostgreSQL, jobs which must not run concurrently lock the
    /// [same name](Connection::lock) first. The job runs even if the returned future is dropped.
    pub async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite(database) => database.write(move |connection| job(&Connection::sqlite(connection))).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => on_server(database, TransactionAccess::Write, job).await,
        }
    }

    /// Runs `job` on a snapshot of the last commit; writes fail.
    pub async fn read<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match self {
            Self::Sqlite(database) => database.read(move |connection| job(&Connection::sqlite(connection))).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(database) => on_server(database, TransactionAccess::Read, job).await,
        }
    }
}

#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TransactionAccess {
    Read,
    Write,
}

/// Runs `job` in a transaction on a blocking thread.
///
/// Fails with [`Error::Unreachable`] if the server does not answer the start, a statement or the commit within
/// [`Postgres::answer_limit`]; after a timeout of a commit the outcome is unknown, and the reason says so.
#[cfg(feature = "postgres")]
async fn on_server<T, E, F>(postgres: &Postgres, access: TransactionAccess, job: F) -> Result<T, E>
where
    F: FnOnce(&Connection<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let mut client = postgres.client().await?;
    let wait = AnswerTimeout::new(Handle::current(), postgres);
    let work = move || {
        let result = in_transaction(&mut client, &wait, access, job);
        if wait.has_expired() {
            // The last request on the connection is still unanswered, so the connection must not return to the pool.
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
    wait: &AnswerTimeout,
    access: TransactionAccess,
    job: F,
) -> std::thread::Result<Result<T, E>>
where
    F: FnOnce(&Connection<'_>) -> Result<T, E>,
    E: From<Error>,
{
    let begin = client.build_transaction();
    let begun = match access {
        TransactionAccess::Read => {
            wait.until(begin.isolation_level(IsolationLevel::RepeatableRead).read_only(true).start())
        }
        TransactionAccess::Write => wait.until(begin.start()),
    };
    let transaction = match begun {
        Ok(transaction) => transaction,
        Err(error) => return Ok(Err(error.into())),
    };
    let session = PostgresSession { wait, transaction };
    let result = catch_unwind(AssertUnwindSafe(|| job(&Connection::postgres(&session))));
    let PostgresSession { transaction, .. } = session;
    match result {
        Ok(Ok(value)) => {
            let committed = wait.until(transaction.commit());
            Ok(committed
                .map(|()| value)
                .map_err(|error| wait.at_commit(error, access == TransactionAccess::Write).into()))
        }
        failed => {
            // The rollback's error is dropped, because the job's own error says more.
            let _ = wait.until(transaction.rollback());
            failed
        }
    }
}
