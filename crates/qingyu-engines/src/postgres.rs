//! PostgreSQL: search, vectors and long-term memory in one schema.
//!
//! Postings are rows with our own terms, and vectors are bytes scanned by our own code, so that a server without
//! extensions is sufficient, and results equal those of the embedded engine. Conditions are evaluated in SQL before
//! scoring. Scanned data (codes of eight bits) is cached in the memory of the process per project, and invalidated when
//! another process changes the index. pgvector is not used: an exact scan of a project's codes takes milliseconds, and
//! the omissions of an approximate index depend on the data of other users.

mod condition;
mod index;
mod memory;
mod search;
mod server;
mod shelf;
mod vectors;

pub use memory::PostgresLongTerm;
pub use search::PostgresSearch;
pub use vectors::PostgresVectors;
