//! PostgreSQL: search, vectors and long-term memory in one schema.
//!
//! Postings are rows of our own terms and vectors are bytes that our own code scans, so that a server without any
//! extension serves, and answers are those of the embedded engine. Conditions are SQL, before anything is scored. What
//! is scanned (codes of eight bits) is kept in the memory of this process per project, and read again when another
//! process has changed it. pgvector is not used: an exact scan of a project's codes takes milliseconds, and which rows an
//! approximate index leaves out depends on what others have put there.

mod condition;
mod index;
mod memory;
mod search;
mod shelf;
mod vectors;

use qingyu_db::{Migrations, Postgres};
use qingyu_knowledge::engine::Error;

pub use memory::PostgresLongTerm;
pub use search::PostgresSearch;
pub use vectors::PostgresVectors;

const NAME: &str = "PostgreSQL";

const MIGRATIONS: Migrations = Migrations {
    owner: "engines",
    files: &[
        ("0001_engines", include_str!("postgres/0001_engines.sql")),
        ("0002_vectors", include_str!("postgres/0002_vectors.sql")),
        ("0003_memory", include_str!("postgres/0003_memory.sql")),
    ],
};

/// Sorts what the server said.
fn sorted(postgres: &Postgres, error: impl Into<qingyu_db::Error>) -> Error {
    let (engine, address) = (NAME, postgres.server().to_owned());
    match error.into() {
        qingyu_db::Error::Busy => Error::Busy { engine, address },
        qingyu_db::Error::Unreachable { reason, .. } => Error::Unreachable { engine, address, reason },
        other => Error::Refused { engine, address, reason: other.to_string() },
    }
}

/// What is kept cannot be read.
fn damaged(postgres: &Postgres, what: &str) -> Error {
    Error::BadAnswer { engine: NAME, address: postgres.server().to_owned(), reason: format!("{what} cannot be read") }
}
