//! Opens two databases: SQLite with a single writer and group commit, PostgreSQL with a connection pool; migrations for
//! both.
//!
//! The crate defines no tables; each dependent crate brings its own [`SqlMigrations`] and SQL.
//!
//! - [`Database`]: either database behind a handle; jobs query both with the same [SQL](sql)
//! - [`Sqlite`]: SQLite; [`Sqlite::write`] and [`Sqlite::read`] run closures on rusqlite connections
//! - [`Settings`]: durability, timeouts and the size of the reader pool
//! - [`Postgres`] and [`PostgresSettings`]: a schema on a server, with a connection pool
//! - [`SqlMigrations`]: numbered SQL files of an owner, applied once and never edited afterwards
//! - [`Sqlite::back_up`] and [`restore`]: copy the whole file while in use, and restore a copy
//! - [`Error`]: the error type, with variants by possible reaction of the caller
//!
//! Features: `sqlite` (default) for the embedded database, `postgres` for a server.
//!
//! ```
//! use qingyu_db::{Error, SqlMigrations, Sqlite};
//!
//! const NOTES: SqlMigrations =
//!     SqlMigrations { owner: "notes", files: &[("0001_note", "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT) STRICT")] };
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
pub use backup::{ReplacePolicy, restore};
#[cfg(feature = "sqlite")]
pub use database::Database;
pub use error::Error;
pub use migrations::{SqlMigrations, Standing};
#[cfg(feature = "postgres")]
pub use postgres::{Postgres, PostgresClient, PostgresSettings};
pub use settings::Durability;
#[cfg(feature = "sqlite")]
pub use settings::Settings;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
