//! Opens the embedded database: one writer with group commit, a pool of readers, migrations.
//!
//! It knows nobody's tables; each crate brings its own [`Migrations`] and its own SQL.
//!
//! - [`Database`]: the handle, cheap to clone; [`Database::write`] and [`Database::read`] run closures on connections
//! - [`Settings`]: durability, time-outs and the size of the reader pool
//! - [`Migrations`]: numbered SQL files of one owner, applied once and never edited afterwards
//! - [`Error`]: what went wrong, sorted by what the caller can do about it
//!
//! ```
//! use qingyu_db::{Database, Error, Migrations};
//!
//! const NOTES: Migrations =
//!     Migrations { owner: "notes", files: &[("0001_note", "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT) STRICT")] };
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let database = Database::in_memory().await?;
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

mod database;
mod error;
mod migrations;
mod readers;
mod settings;
mod writer;

pub use database::Database;
pub use error::Error;
pub use migrations::Migrations;
pub use settings::{Durability, Settings};
