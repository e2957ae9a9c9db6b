//! A PostgreSQL transaction with a blocking interface.

use std::cell::Cell;
use std::error::Error as StdError;
use std::time::Duration;

use deadpool_postgres::Transaction;
use tokio::runtime::Handle;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Row, Statement};

use super::Param;
use crate::{Error, Postgres};

/// A transaction with the timeout for answers.
pub(crate) struct PostgresSession<'t> {
    pub(crate) wait: &'t AnswerTimeout,
    pub(crate) transaction: Transaction<'t>,
}

/// Blocks the thread until the server answers, with a timeout for each answer.
///
/// A frozen server keeps connections open, so only a timeout detects the failure. After the first timeout all later
/// calls fail immediately.
pub(crate) struct AnswerTimeout {
    runtime: Handle,
    server: String,
    limit: Duration,
    has_expired: Cell<bool>,
}

impl AnswerTimeout {
    pub(crate) fn new(runtime: Handle, postgres: &Postgres) -> Self {
        let (server, limit) = (postgres.server().to_owned(), postgres.answer_limit());
        Self { runtime, server, limit, has_expired: Cell::new(false) }
    }

    /// Waits for the answer and returns the result. Fails with [`Error::Unreachable`] on timeout.
    pub(crate) fn until<T>(&self, answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Error> {
        if self.has_expired() {
            return Err(self.unreachable(""));
        }
        // The timer must be created inside the runtime.
        let answered = self.runtime.block_on(async { tokio::time::timeout(self.limit, answer).await });
        answered.map_or_else(
            |_elapsed| {
                self.has_expired.set(true);
                Err(self.unreachable(""))
            },
            |answered| Ok(answered?),
        )
    }

    /// Returns whether an answer has timed out.
    pub(crate) fn has_expired(&self) -> bool {
        self.has_expired.get()
    }

    /// Returns the error of a commit; after a timeout of a write the reason adds: outcome unknown.
    pub(crate) fn at_commit(&self, error: Error, was_written: bool) -> Error {
        if self.has_expired() && was_written {
            return self.unreachable("; whether the change was committed is not known");
        }
        error
    }

    fn unreachable(&self, more: &str) -> Error {
        let reason = format!("it did not answer within {} s{more}", self.limit.as_secs_f32());
        Error::Unreachable { server: self.server.clone(), reason }
    }
}

impl PostgresSession<'_> {
    pub(super) fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        self.wait.until(self.transaction.prepare_cached(&dollars(sql)))
    }

    pub(super) fn execute(&self, statement: &Statement, parameters: &[Param<'_>]) -> Result<usize, Error> {
        let changed = self.wait.until(self.transaction.execute(statement, &references(parameters)))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub(super) fn query(&self, statement: &Statement, parameters: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        self.wait.until(self.transaction.query(statement, &references(parameters)))
    }

    pub(super) fn lock(&self, name: &str) -> Result<(), Error> {
        let lock = self.prepare("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ?1, 0))")?;
        self.query(&lock, &[Param::Text(name)]).map(drop)
    }
}

fn references<'p>(parameters: &'p [Param<'p>]) -> Vec<&'p (dyn ToSql + Sync)> {
    parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
}

/// Replaces placeholders `?1` with `$1`. No string literal in our statements contains a question mark.
fn dollars(sql: &str) -> String {
    sql.replace('?', "$")
}

impl ToSql for Param<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) => match *kind {
                Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
                Type::INT2 => i16::try_from(*number)?.to_sql(kind, out),
                Type::BOOL => (*number != 0).to_sql(kind, out),
                #[expect(clippy::cast_precision_loss, reason = "as SQLite does")]
                Type::FLOAT8 => (*number as f64).to_sql(kind, out),
                _ => number.to_sql(kind, out),
            },
            Self::Real(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_values_are_worded_as_the_server_has_them() {
        assert_eq!(dollars("SELECT a FROM t WHERE b = ?1 AND c > ?12"), "SELECT a FROM t WHERE b = $1 AND c > $12");
    }
}
