//! A pool of read-only connections, opened on demand.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use crate::settings::STATEMENTS;
use crate::{Error, Settings};

/// A pool of readers with a permit for each connection.
#[derive(Debug)]
pub(crate) struct SqliteReaders {
    permits: Arc<Semaphore>,
    pool: Arc<ReaderPool>,
}

#[derive(Debug)]
struct ReaderPool {
    path: PathBuf,
    busy_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl SqliteReaders {
    pub(crate) fn new(path: PathBuf, settings: &Settings) -> Self {
        let pool = ReaderPool { path, busy_timeout: settings.busy_timeout, idle: Mutex::default() };
        Self { permits: Arc::new(Semaphore::new(settings.readers.max(1))), pool: Arc::new(pool) }
    }

    /// Runs `job` on a blocking thread with a pooled connection.
    pub(crate) async fn run<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Error::Closed)?;
        let pool = Arc::clone(&self.pool);
        let work = move || {
            let connection = pool.take()?;
            let result = catch_unwind(AssertUnwindSafe(|| job(&connection)));
            pool.put_back(connection);
            drop(permit);
            result.unwrap_or_else(|panic| resume_unwind(panic))
        };
        let reading = tokio::task::spawn_blocking(work).await;
        reading.map_err(|error| Error::BrokenJob { reason: error.to_string() })?
    }
}

impl ReaderPool {
    fn take(&self) -> Result<Connection, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| open_reader(&self.path, self.busy_timeout), Ok)
    }

    fn put_back(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}

fn open_reader(path: &Path, busy_timeout: Duration) -> Result<Connection, Error> {
    // Opened read-write because a reader may have to create the shared-memory file; `query_only` forbids writes.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opening = |error| Error::opening(path, error);
    let connection = Connection::open_with_flags(path, flags).map_err(opening)?;
    connection.busy_timeout(busy_timeout).map_err(opening)?;
    // A search reads a hundred rows from trees with inner pages exceeding the default cache of 2 MB.
    let cache = ("cache_size", "-8192");
    for (name, value) in [("query_only", "ON"), ("trusted_schema", "OFF"), ("mmap_size", "0"), cache] {
        connection.pragma_update(None, name, value).map_err(opening)?;
    }
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}
