//! Opens the two databases: SQLite with one writer and group commit, PostgreSQL with a pool; migrations for both.
//!
//! It knows nobody's tables; each crate brings its own [`Migrations`] and its own SQL.
//!
//! - [`Database`]: either database behind one handle; its jobs ask both in the same [words](sql)
//! - [`Sqlite`]: SQLite itself; [`Sqlite::write`] and [`Sqlite::read`] run closures on its own connections
//! - [`Settings`]: durability, time-outs and the size of the reader pool
//! - [`Postgres`] and [`PostgresSettings`]: a schema on a server, as a pool of connections
//! - [`Migrations`]: numbered SQL files of one owner, applied once and never edited afterwards
//! - [`Sqlite::back_up`] and [`restore`]: a copy of the whole file while it is used, and back
//! - [`Error`]: what went wrong, sorted by what the caller can do about it
//!
//! Features: `sqlite` (default) for the embedded database, `postgres` for a server.
//!
//! ```
//! use qingyu_db::{Error, Migrations, Sqlite};
//!
//! const NOTES: Migrations =
//!     Migrations { owner: "notes", files: &[("0001_note", "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT) STRICT")] };
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let database = Sqlite::in_memory().await?;
//! database.migrate(&NOTES).await?;
//! let id = database
//!     .write(|tx| {
//!         tx.execute("INSERT INTO note(text) VALUES (?1)", ["a lamp goes out"])?;
//!         Ok::<_, Error>(tx.last_insert_rowid())
//!     })
//!     .await?;
//! let text: String = database
//!     .read(move |connection| {
//!         Ok::<_, Error>(connection.query_row("SELECT text FROM note WHERE id = ?1", [id], |row| row.get(0))?)
//!     })
//!     .await?;
//! assert_eq!(text, "a lamp goes out");
//! # Ok::<_, Error>(())
//! # }).unwrap();
//! ```

#[cfg(feature = "sqlite")]
mod backup;
#[cfg(feature = "sqlite")]
mod database;
mod error;
mod migrations;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod readers;
mod settings;
#[cfg(feature = "sqlite")]
pub mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod writer;

#[cfg(feature = "sqlite")]
pub use backup::{Replace, restore};
#[cfg(feature = "sqlite")]
pub use database::Database;
pub use error::Error;
pub use migrations::{Migrations, Standing};
#[cfg(feature = "postgres")]
pub use postgres::{Postgres, PostgresClient, PostgresSettings};
pub use settings::Durability;
#[cfg(feature = "sqlite")]
pub use settings::Settings;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
