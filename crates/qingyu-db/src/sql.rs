//! One way to ask both databases: SQL with `?1` for the first value, and rows that are read by place or name.
//!
//! Its names are those of rusqlite. Statements are written once; the few that the databases word differently are chosen by
//! the [`Dialect`]. On PostgreSQL a job runs on a thread that may wait, so that it reads like one on SQLite.

mod column;
mod param;
#[cfg(feature = "postgres")]
pub(crate) mod session;

#[cfg(feature = "postgres")]
use self::session::Session;
use crate::Error;

pub use column::{Column, Index};
pub use param::{Param, Params, ToParam};

/// Which database answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Dialect {
    /// What is worded for each.
    pub fn choose<'s>(self, sqlite: &'s str, postgres: &'s str) -> &'s str {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres => postgres,
        }
    }
}

/// What a job works on: a transaction, or a snapshot that nobody changes.
pub struct Connection<'c> {
    inner: Inner<'c>,
}

enum Inner<'c> {
    Sqlite(&'c rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(&'c Session<'c>),
}

impl std::fmt::Debug for Connection<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Connection").field(&self.dialect()).finish()
    }
}

impl<'c> Connection<'c> {
    pub(crate) fn sqlite(connection: &'c rusqlite::Connection) -> Self {
        Self { inner: Inner::Sqlite(connection) }
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn postgres(session: &'c Session<'c>) -> Self {
        Self { inner: Inner::Postgres(session) }
    }

    /// Which database answers.
    pub fn dialect(&self) -> Dialect {
        match &self.inner {
            Inner::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => Dialect::Postgres,
        }
    }

    /// SQLite itself, for what only it has.
    pub fn as_sqlite(&self) -> Option<&'c rusqlite::Connection> {
        match &self.inner {
            Inner::Sqlite(connection) => Some(connection),
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => None,
        }
    }

    /// Makes everybody wait who locks the same name, until this transaction ends. On SQLite there is one writer anyway.
    #[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only a server locks by name"))]
    pub fn lock(&self, name: &str) -> Result<(), Error> {
        match &self.inner {
            Inner::Sqlite(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Inner::Postgres(session) => session.lock(name),
        }
    }

    /// From now on all that is read is of one state, as long as this lives. In a transaction it is so anyway.
    pub fn snapshot(&self) -> Result<Option<Snapshot<'_>>, Error> {
        match &self.inner {
            Inner::Sqlite(connection) if connection.is_autocommit() => {
                Ok(Some(Snapshot { _transaction: connection.unchecked_transaction()? }))
            }
            Inner::Sqlite(_) => Ok(None),
            #[cfg(feature = "postgres")]
            Inner::Postgres(_) => Ok(None),
        }
    }

    /// A statement, ready to be carried out; it is prepared once for each connection.
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, Error> {
        Ok(Statement {
            inner: match &self.inner {
                Inner::Sqlite(connection) => Prepared::Sqlite(connection.prepare_cached(sql)?),
                #[cfg(feature = "postgres")]
                Inner::Postgres(session) => Prepared::Postgres(session, session.prepare(sql)?),
            },
        })
    }

    /// Carries a statement out; gives how many rows it changed.
    pub fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize, Error> {
        self.prepare_cached(sql)?.execute(parameters)
    }
}

/// A state of the database that nobody changes, until it is dropped.
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
    Postgres(&'s Session<'s>, tokio_postgres::Statement),
}

impl std::fmt::Debug for Statement<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Statement").finish_non_exhaustive()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "tuples of references are made for the call")]
impl Statement<'_> {
    /// Carries it out; gives how many rows it changed.
    pub fn execute(&mut self, parameters: impl Params) -> Result<usize, Error> {
        let parameters = parameters.params();
        match &mut self.inner {
            Prepared::Sqlite(statement) => Ok(statement.execute(rusqlite::params_from_iter(parameters.iter()))?),
            #[cfg(feature = "postgres")]
            Prepared::Postgres(session, statement) => session.execute(statement, &parameters),
        }
    }

    /// The rows, one after the other.
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

    /// What `read` makes of each row.
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

    /// What `read` makes of the first row. Fails with [`Error::NoRow`] if there is none.
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

/// The rows of a statement.
pub enum Rows<'r> {
    /// Read as they are asked for.
    #[doc(hidden)]
    Sqlite(rusqlite::Rows<'r>),
    /// All there already.
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
    /// The next row; `None` after the last.
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
    /// Of SQLite.
    #[doc(hidden)]
    Sqlite(&'r rusqlite::Row<'r>),
    /// Of PostgreSQL.
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
    /// A value, by its place from 0 or by its name.
    pub fn get<I: Index, T: Column>(&self, index: I) -> Result<T, Error> {
        match self {
            Self::Sqlite(row) => T::of_sqlite(row, index),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => T::of_postgres(row, index),
        }
    }

    /// A text, not copied.
    pub fn text(&self, index: usize) -> Result<&str, Error> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(index)?.as_str().map_err(rusqlite::Error::from)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => Ok(row.try_get(index)?),
        }
    }

    /// Bytes, not copied; none where there are none.
    pub fn bytes(&self, index: usize) -> Result<Option<&[u8]>, Error> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(index)?.as_blob_or_null().map_err(rusqlite::Error::from)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => Ok(row.try_get(index)?),
        }
    }
}

/// Makes `None` of a row that is not there.
pub trait OptionalExtension<T> {
    /// `None` if there was no row.
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

/// The values of a statement, of any types.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        [$($crate::sql::ToParam::param(&$value)),*]
    };
}
