//! The tables, and the errors of a server.

use qingyu_db::{Postgres, SqlMigrations};
use qingyu_knowledge::engine::Error;

pub(super) const NAME: &str = "PostgreSQL";

pub(super) const MIGRATIONS: SqlMigrations = SqlMigrations {
    owner: "engines",
    files: &[
        ("0001_engines", include_str!("0001_engines.sql")),
        ("0002_vectors", include_str!("0002_vectors.sql")),
        ("0003_memory", include_str!("0003_memory.sql")),
    ],
};

/// Maps an error of the server to an [`Error`] with the name and address of the server.
pub(super) fn sorted(postgres: &Postgres, error: impl Into<qingyu_db::Error>) -> Error {
    let (engine, address) = (NAME, postgres.server().to_owned());
    match error.into() {
        qingyu_db::Error::Busy => Error::Busy { engine, address },
        qingyu_db::Error::Unreachable { reason, .. } => Error::Unreachable { engine, address, reason },
        other => Error::Refused { engine, address, reason: other.to_string() },
    }
}

/// Returns the error for damaged data.
pub(super) fn damaged(postgres: &Postgres, what: &str) -> Error {
    Error::BadAnswer { engine: NAME, address: postgres.server().to_owned(), reason: format!("{what} cannot be read") }
}
