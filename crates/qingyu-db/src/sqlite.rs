//! A SQLite database with a writer thread and readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::readers::SqliteReaders;
use crate::settings::STATEMENTS;
use crate::writer::SqliteWriter;
use crate::{Error, ReplacePolicy, Settings, SqlMigrations, Standing};

/// The lowest SQLite version without the WAL-reset corruption bug.
const NEEDED_NUMBER: i32 = 3_051_003;
const NEEDED: &str = "3.51.3";

/// A SQLite database with a writer thread and a pool of readers. Cheap to clone; dropping the last clone closes the
/// database.
#[derive(Debug, Clone)]
pub struct Sqlite {
    inner: Arc<SqliteInner>,
}

#[derive(Debug)]
struct SqliteInner {
    writer: SqliteWriter,
    /// `None` for an in-memory database, visible only to the writer's connection.
    readers: Option<SqliteReaders>,
}

impl Sqlite {
    /// Opens the file at `path`, or creates the file.
    pub async fn open(path: &Path, settings: Settings) -> Result<Self, Error> {
        refuse_old_library()?;
        let file = path.to_owned();
        let for_writer = settings.clone();
        let writer = SqliteWriter::start(move || open_writer(&file, &for_writer)).await?;
        let readers = SqliteReaders::new(path.to_owned(), &settings);
        Ok(Self { inner: Arc::new(SqliteInner { writer, readers: Some(readers) }) })
    }

    /// Opens an in-memory database, dropped with the last handle.
    pub async fn in_memory() -> Result<Self, Error> {
        refuse_old_library()?;
        let writer = SqliteWriter::start(|| {
            let connection = Connection::open_in_memory()?;
            connection.pragma_update(None, "foreign_keys", "ON")?;
            Ok(connection)
        })
        .await?;
        Ok(Self { inner: Arc::new(SqliteInner { writer, readers: None }) })
    }

    /// Applies the new files of `migrations` in a single transaction.
    pub async fn migrate(&self, migrations: &SqlMigrations) -> Result<(), Error> {
        let migrations = *migrations;
        self.write(move |tx| migrations.apply(tx)).await
    }

    /// Returns the migration status for `migrations`, without applying any.
    ///
    /// Fails with [`Error::NewerSchema`] if a newer program has migrated the database.
    pub async fn standing(&self, migrations: &SqlMigrations) -> Result<Standing, Error> {
        let migrations = *migrations;
        self.read(move |connection| migrations.standing(connection)).await
    }

    /// Writes a copy of the whole database at the last commit to a new file at `to`, completely or not at all.
    ///
    /// Does not block concurrent readers or writers. The copy is a single file, readable by the current user only, and
    /// validated before the rename to `to`. Fails with [`Error::Exists`] if `to` exists.
    pub async fn back_up(&self, to: &Path) -> Result<(), Error> {
        let to = to.to_owned();
        match &self.inner.readers {
            Some(readers) => readers.run(move |source| crate::backup::copy(source, &to, ReplacePolicy::Nothing)).await,
            None => Err(Error::CannotOpen { path: to, reason: "a database in memory is not copied".to_owned() }),
        }
    }

    /// Runs `job` on the writer thread and returns the value after the commit is durable.
    ///
    /// Several jobs may share a commit, each in a savepoint of its own: a job which returns an error is rolled back
    /// alone. A job must not begin, commit or roll back a transaction, and should be short, because all other writers
    /// wait. The job runs even if the returned future is dropped.
    pub async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.inner.writer.run(job).await
    }

    /// Rejects all later writes with [`Error::ReadOnly`].
    pub async fn refuse_writes(&self) -> Result<(), Error> {
        self.write(|connection| connection.pragma_update(None, "query_only", "ON").map_err(Error::from)).await
    }

    /// Runs `job` on a reader's snapshot of the last commit; writes fail.
    pub async fn read<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &self.inner.readers {
            Some(readers) => readers.run(job).await,
            None => self.inner.writer.run(move |connection| read_only(connection, job)).await,
        }
    }
}

/// Runs `job` with writes disabled, so in-memory databases behave like files.
fn read_only<T, E: From<Error>>(
    connection: &Connection,
    job: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.pragma_update(None, "query_only", "ON").map_err(Error::from)?;
    let result = job(connection);
    connection.pragma_update(None, "query_only", "OFF").map_err(Error::from)?;
    result
}

fn refuse_old_library() -> Result<(), Error> {
    if rusqlite::version_number() < NEEDED_NUMBER {
        return Err(Error::OldLibrary { found: rusqlite::version().to_owned(), needed: NEEDED });
    }
    Ok(())
}

/// The pause before a retry while another connection converts the file.
const MOMENT: Duration = Duration::from_millis(5);

fn open_writer(path: &PathBuf, settings: &Settings) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opening = |error| Error::opening(path, error);
    let connection = Connection::open_with_flags(path, flags).map_err(opening)?;
    connection.busy_timeout(settings.busy_timeout).map_err(opening)?;
    if connection.is_readonly("main").map_err(opening)? {
        return Err(Error::ReadOnly);
    }
    write_ahead(&connection, settings.busy_timeout).map_err(opening)?;
    connection.pragma_update(None, "synchronous", settings.durability.pragma()).map_err(opening)?;
    let full = if settings.durability == crate::Durability::Full { "ON" } else { "OFF" };
    for (name, value) in [
        // On macOS a plain fsync leaves the commit in the disk's cache. Other systems ignore both settings.
        ("fullfsync", full),
        ("checkpoint_fullfsync", full),
        ("foreign_keys", "ON"),
        ("temp_store", "MEMORY"),
        ("cache_size", "-65536"),
        ("mmap_size", "0"),
        ("journal_size_limit", "67108864"),
        ("trusted_schema", "OFF"),
        ("cell_size_check", "ON"),
    ] {
        connection.pragma_update(None, name, value).map_err(opening)?;
    }
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Enables the write-ahead log.
///
/// When two connections convert a new file at once, each holds a read lock the other waits for. SQLite detects the
/// deadlock and returns busy immediately, regardless of the timeout; a later retry finds the file converted.
fn write_ahead(connection: &Connection, patience: Duration) -> Result<(), rusqlite::Error> {
    let given_up = Instant::now() + patience;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_busy(&error) && Instant::now() < given_up => std::thread::sleep(MOMENT),
            done => return done,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}
