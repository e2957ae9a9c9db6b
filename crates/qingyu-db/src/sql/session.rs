//! A transaction on PostgreSQL, as jobs see it that wait for every answer.

use std::error::Error as StdError;

use deadpool_postgres::Transaction;
use tokio::runtime::Handle;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Row, Statement};

use super::Param;
use crate::Error;

/// A transaction, and the runtime that carries it out.
pub(crate) struct Session<'t> {
    pub(crate) runtime: Handle,
    pub(crate) transaction: Transaction<'t>,
}

impl Session<'_> {
    pub(super) fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        Ok(self.runtime.block_on(self.transaction.prepare_cached(&dollars(sql)))?)
    }

    pub(super) fn execute(&self, statement: &Statement, parameters: &[Param<'_>]) -> Result<usize, Error> {
        let changed = self.runtime.block_on(self.transaction.execute(statement, &references(parameters)))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub(super) fn query(&self, statement: &Statement, parameters: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        Ok(self.runtime.block_on(self.transaction.query(statement, &references(parameters)))?)
    }

    pub(super) fn lock(&self, name: &str) -> Result<(), Error> {
        let lock = self.prepare("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ?1, 0))")?;
        self.query(&lock, &[Param::Text(name)]).map(drop)
    }
}

fn references<'p>(parameters: &'p [Param<'p>]) -> Vec<&'p (dyn ToSql + Sync)> {
    parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
}

/// The statement with `$1` for `?1`. No text in our statements holds a question mark.
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
