//! Stores of threads: a journal of records per thread, written by one owner at a time.
//!
//! A store knows neither states nor graphs; a store keeps records in order and guards appends with leases.
//! The stores import `record` and `interface`.

mod interface;
mod memory;
mod owner;
#[cfg(feature = "postgres")]
mod postgres;
mod record;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
mod tests;

pub use interface::{JoinedWrite, Store};
pub use memory::MemoryStore;
pub use owner::Owner;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
pub use record::{CheckpointJournal, JournalRecord, RecordKind, ThreadId, ThreadLease};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
