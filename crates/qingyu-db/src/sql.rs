//! A common query interface for both databases: SQL with parameters `?1`, and rows with columns by index or name.
//!
//! The names follow rusqlite. Statements are written once; the few differences between the databases are chosen by
//! [`Dialect`]. On PostgreSQL a job runs on a blocking thread, so the same synchronous code runs on both.

mod column;
mod param;
#[cfg(feature = "postgres")]
pub(crate) mod session;

#[cfg(feature = "postgres")]
use self::session::PostgresSession;
use crate::Error;

pub use column::{ColumnIndex, ColumnValue};
pub use param::{Param, Params, ToParam};

/// The SQL dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Dialect {
    /// Returns the statement for the dialect.
    pub fn choose<'s>(self, sqlite: &'s str, postgres: &'s str) -> &'s str {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres => postgres,
        }
    }
}

/// The connection passed to a job: a transaction, or a read-only snapshot.
pub struct Connection<'c> {
    inner: ConnectionInner<'c>,
}

enum ConnectionInner<'c> {
    Sqlite(&'c rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(&'c PostgresSession<'c>),
}

impl std::fmt::Debug for Connection<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Connection").field(&self.dialect()).finish()
    }
}

impl<'c> Connection<'c> {
    pub(crate) fn sqlite(connection: &'c rusqlite::Connection) -> Self {
        Self { inner: ConnectionInner::Sqlite(connection) }
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn postgres(session: &'c PostgresSession<'c>) -> Self {
        Self { inner: ConnectionInner::Postgres(session) }
    }

    /// Returns the SQL dialect.
    pub fn dialect(&self) -> Dialect {
        match &self.inner {
            ConnectionInner::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            ConnectionInner::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Returns the SQLite connection, for features without a PostgreSQL counterpart.
    pub fn as_sqlite(&self) -> Option<&'c rusqlite::Connection> {
        match &self.inner {
            ConnectionInner::Sqlite(connection) => Some(connection),
            #[cfg(feature = "postgres")]
            ConnectionInner::Postgres(_) => None,
        }
    }

    /// Locks a name until the end of the transaction; concurrent transactions locking the same name wait. Does nothing
    /// on SQLite, which has a single writer.
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a server locks by name"))]
    pub fn lock(&self, name: &str) -> Result<(), Error> {
        match &self.inner {
            ConnectionInner::Sqlite(_) => Ok(()),
            #[cfg(feature = "postgres")]
            ConnectionInner::Postgres(session) => session.lock(name),
        }
    }

    /// Starts a snapshot for consistent reads until dropped. Returns `None` inside a transaction and always on
    /// PostgreSQL, where read jobs run at the isolation level repeatable read.
    pub fn snapshot(&self) -> Result<Option<Snapshot<'_>>, Error> {
        match &self.inner {
            ConnectionInner::Sqlite(connection) if connection.is_autocommit() => {
                Ok(Some(Snapshot { _transaction: connection.unchecked_transaction()? }))
            }
            ConnectionInner::Sqlite(_) => Ok(None),
            #[cfg(feature = "postgres")]
            ConnectionInner::Postgres(_) => Ok(None),
        }
    }

    /// Returns a prepared statement from the connection's cache.
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, Error> {
        Ok(Statement {
            inner: match &self.inner {
                ConnectionInner::Sqlite(connection) => Prepared::Sqlite(connection.prepare_cached(sql)?),
                #[cfg(feature = "postgres")]
                ConnectionInner::Postgres(session) => Prepared::Postgres(session, session.prepare(sql)?),
            },
        })
    }

    /// Executes a statement and returns the number of changed rows.
    pub fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize, Error> {
        self.prepare_cached(sql)?.execute(parameters)
    }
}

/// A consistent snapshot of the database until dropped.
#[derive(Debug)]
pub struct Snapshot<'c> {
    _transaction: rusqlite::Transaction<'c>,
}

/// A prepared statement.
pub struct Statement<'s> {
    inner: Prepared<'s>,
}

enum Prepared<'s> {
    Sqlite(rusqlite::CachedStatement<'s>),
    #[cfg(feature = "postgres")]
    Postgres(&'s PostgresSession<'s>, tokio_postgres::Statement),
}

impl std::fmt::Debug for Statement<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Statement").finish_non_exhaustive()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "tuples of references are made for the call")]
impl Statement<'_> {
    /// Executes the statement and returns the number of changed rows.
    pub fn execute(&mut self, parameters: impl Params) -> Result<usize, Error> {
        let parameters = parameters.params();
        match &mut self.inner {
            Prepared::Sqlite(statement) => Ok(statement.execute(rusqlite::params_from_iter(parameters.iter()))?),
            #[cfg(feature = "postgres")]
            Prepared::Postgres(session, statement) => session.execute(statement, &parameters),
        }
    }

    /// Executes the query and returns the rows.
    pub fn query(&mut self, parameters: impl Params) -> Result<Rows<'_>, Error> {
        let parameters = parameters.params();
        Ok(match &mut self.inner {
            Prepared::Sqlite(statement) => {
                Rows::Sqlite(statement.query(rusqlite::params_from_iter(parameters.iter()))?)
            }
            #[cfg(feature = "postgres")]
            Prepared::Postgres(session, statement) => {
                Rows::Postgres { rows: session.query(statement, &parameters)?.into_iter(), row: None }
            }
        })
    }

    /// Executes the query and returns each row converted by `read`.
    pub fn query_map<T>(
        &mut self,
        parameters: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<std::vec::IntoIter<Result<T, Error>>, Error> {
        let mut rows = self.query(parameters)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(&row));
        }
        Ok(all.into_iter())
    }

    /// Executes the query and returns the first row converted by `read`. Fails with [`Error::NoRow`] without a row.
    pub fn query_row<T>(
        &mut self,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut rows = self.query(parameters)?;
        match rows.next()? {
            Some(row) => read(&row),
            None => Err(Error::NoRow),
        }
    }
}

/// The rows returned by a query.
pub enum Rows<'r> {
    /// Fetched on iteration.
    #[doc(hidden)]
    Sqlite(rusqlite::Rows<'r>),
    /// Fetched in advance.
    #[cfg(feature = "postgres")]
    #[doc(hidden)]
    Postgres { rows: std::vec::IntoIter<tokio_postgres::Row>, row: Option<tokio_postgres::Row> },
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Rows").finish_non_exhaustive()
    }
}

impl Rows<'_> {
    /// Fetches the next row; returns `None` after the last.
    #[expect(clippy::should_implement_trait, reason = "a row lives until the next one is asked for")]
    pub fn next(&mut self) -> Result<Option<Row<'_>>, Error> {
        match self {
            Self::Sqlite(rows) => Ok(rows.next()?.map(Row::Sqlite)),
            #[cfg(feature = "postgres")]
            Self::Postgres { rows, row } => {
                *row = rows.next();
                Ok(row.as_ref().map(Row::Postgres))
            }
        }
    }
}

/// A row.
pub enum Row<'r> {
    /// A row of SQLite.
    #[doc(hidden)]
    Sqlite(&'r rusqlite::Row<'r>),
    /// A row of PostgreSQL.
    #[cfg(feature = "postgres")]
    #[doc(hidden)]
    Postgres(&'r tokio_postgres::Row),
}

impl std::fmt::Debug for Row<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Row").finish_non_exhaustive()
    }
}

impl Row<'_> {
    /// Returns a column by zero-based index or name.
    pub fn get<I: ColumnIndex, T: ColumnValue>(&self, index: I) -> Result<T, Error> {
        match self {
            Self::Sqlite(row) => T::of_sqlite(row, index),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => T::of_postgres(row, index),
        }
    }

    /// Returns a text column without copying.
    pub fn text(&self, index: usize) -> Result<&str, Error> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(index)?.as_str().map_err(rusqlite::Error::from)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => Ok(row.try_get(index)?),
        }
    }

    /// Returns a bytes column without copying; `None` for null.
    pub fn bytes(&self, index: usize) -> Result<Option<&[u8]>, Error> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(index)?.as_blob_or_null().map_err(rusqlite::Error::from)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => Ok(row.try_get(index)?),
        }
    }
}

/// Converts a missing row to `None`.
pub trait OptionalExtension<T> {
    /// Returns `None` if the query returned no row.
    fn optional(self) -> Result<Option<T>, Error>;
}

impl<T> OptionalExtension<T> for Result<T, Error> {
    fn optional(self) -> Result<Option<T>, Error> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Builds a parameter list from values of any types.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        [$($crate::sql::ToParam::param(&$value)),*]
    };
}
