//! SQLite: opening, writing, reading.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::readers::Readers;
use crate::writer::Writer;
use crate::{Error, Migrations, Replace, Settings, Standing};

/// The lowest SQLite without the WAL-reset corruption bug.
const NEEDED_NUMBER: i32 = 3_051_003;
const NEEDED: &str = "3.51.3";

/// One SQLite database: one writer thread, a few readers. Cheap to clone; the last clone closes it.
#[derive(Debug, Clone)]
pub struct Sqlite {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    writer: Writer,
    /// `None` in memory: there the writer's connection is the only one that sees the data.
    readers: Option<Readers>,
}

impl Sqlite {
    /// Opens the file at `path`, or creates it.
    pub async fn open(path: &Path, settings: Settings) -> Result<Self, Error> {
        refuse_old_library()?;
        let file = path.to_owned();
        let for_writer = settings.clone();
        let writer = Writer::start(move || open_writer(&file, &for_writer)).await?;
        let readers = Readers::new(path.to_owned(), &settings);
        Ok(Self { inner: Arc::new(Inner { writer, readers: Some(readers) }) })
    }

    /// Opens a database that lives as long as its handles.
    pub async fn in_memory() -> Result<Self, Error> {
        refuse_old_library()?;
        let writer = Writer::start(|| {
            let connection = Connection::open_in_memory()?;
            connection.pragma_update(None, "foreign_keys", "ON")?;
            Ok(connection)
        })
        .await?;
        Ok(Self { inner: Arc::new(Inner { writer, readers: None }) })
    }

    /// Applies those files of `migrations` that are new here; all of them or none.
    pub async fn migrate(&self, migrations: &Migrations) -> Result<(), Error> {
        let migrations = *migrations;
        self.write(move |tx| migrations.apply(tx)).await
    }

    /// How the database stands to `migrations`, without applying any.
    ///
    /// Fails with [`Error::NewerSchema`] if a newer program has migrated it.
    pub async fn standing(&self, migrations: &Migrations) -> Result<Standing, Error> {
        let migrations = *migrations;
        self.read(move |connection| migrations.standing(connection)).await
    }

    /// Writes a copy of the whole database, as it was at the last commit, to a new file at `to`: whole, or not at all.
    ///
    /// Nobody waits for it: others read and write meanwhile. Only whoever runs this process may read the copy, which is one
    /// file and is checked before it is put in its place. Fails with [`Error::Exists`] if something is there.
    pub async fn back_up(&self, to: &Path) -> Result<(), Error> {
        let to = to.to_owned();
        match &self.inner.readers {
            Some(readers) => readers.run(move |source| crate::backup::copy(source, &to, Replace::Nothing)).await,
            None => Err(Error::CannotOpen { path: to, reason: "a database in memory is not copied".to_owned() }),
        }
    }

    /// Runs `job` on the writer and returns its value once the transaction is durable.
    ///
    /// Several jobs may share one commit, but each has its own savepoint: a job that returns an error is undone alone.
    /// A job must not begin, commit or roll back by itself, and should not take long: everybody waits for it.
    /// It is carried out even if the returned future is dropped.
    pub async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.inner.writer.run(job).await
    }

    /// Refuses all writes from now on with [`Error::ReadOnly`].
    pub async fn refuse_writes(&self) -> Result<(), Error> {
        self.write(|connection| connection.pragma_update(None, "query_only", "ON").map_err(Error::from)).await
    }

    /// Runs `job` on a reader's snapshot of the last commit; an attempt to write is refused.
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

/// Runs `job` with writing switched off, which makes memory databases behave like files.
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

/// How long whoever meets another while a file is turned over waits before it looks again.
const MOMENT: Duration = Duration::from_millis(5);

/// How many prepared statements a connection keeps: a save with its search index uses thirty.
pub(crate) const STATEMENTS: usize = 64;

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
        // On macOS a plain fsync leaves the commit in the cache of the disk. Other systems ignore these two.
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

/// Has the database keep a write-ahead log.
///
/// Of two connections that turn a new file over at once, each holds a read lock that the other waits for. SQLite sees that
/// and tells one of them that it is busy at once, whatever its time-out is; a moment later the file is turned over.
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
