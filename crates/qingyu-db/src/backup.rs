//! Copies a database file in use, and restores a copy.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use crate::{Error, SqlMigrations};

/// The number of retries while another process holds a lock, and the pause between retries.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// The policy for an existing file at the target path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplacePolicy {
    /// Keep the existing file and fail.
    Nothing,
    /// Rename the existing file to the given path.
    KeepAs(PathBuf),
}

/// Restores the database in the file `from` to `to`, completely or not at all.
///
/// The copy is validated first, including migrations: `owners` lists every owner of tables in the file; the first must
/// always be present. Fails with [`Error::Exists`] if a database exists at `to` and `replace` gives no path for the old
/// file, and with [`Error::Busy`] if the database is in use. Blocks the calling thread.
pub fn restore(from: &Path, to: &Path, owners: &[SqlMigrations], replace: &ReplacePolicy) -> Result<(), Error> {
    if *replace == ReplacePolicy::Nothing && to.exists() {
        return Err(Error::Exists { path: to.to_owned() });
    }
    let opening = |error| Error::opening(from, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(from, flags).map_err(opening)?;
    check(&source, from, "integrity_check")?;
    for (place, owner) in owners.iter().enumerate() {
        let standing = owner.standing(&source)?;
        if place == 0 && standing.newest.is_none() {
            return Err(Error::NotADatabase { path: from.to_owned() });
        }
    }
    copy(&source, to, replace.clone())
}

/// Copies the content visible to `source`, validates the copy and moves the copy to `to`.
pub(crate) fn copy(source: &Connection, to: &Path, replace: ReplacePolicy) -> Result<(), Error> {
    if replace == ReplacePolicy::Nothing && to.exists() {
        return Err(Error::Exists { path: to.to_owned() });
    }
    let failed = |error: std::io::Error| of_file(to, &error);
    let folder = match to.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Temporary files are readable by the owner only.
    let beside = NamedTempFile::with_prefix_in(".qingyu-", folder).map_err(failed)?;
    let mut target = Connection::open(beside.path())?;
    transfer(source, &mut target)?;
    // The copy is marked as using a write-ahead log, like the original.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    check(&target, beside.path(), "quick_check")?;
    drop(target);
    match replace {
        ReplacePolicy::Nothing => beside.persist_noclobber(to).map_err(|error| failed(error.error))?,
        ReplacePolicy::KeepAs(old) => {
            keep(to, &old)?;
            beside.persist(to).map_err(|error| failed(error.error))?
        }
    };
    sync_folder(folder).map_err(failed)
}

/// Copies all pages in a single step: a snapshot, concurrent with other reads and writes.
fn transfer(source: &Connection, target: &mut Connection) -> Result<(), Error> {
    let backup = Backup::new(source, target)?;
    for _ in 0..TRIES {
        match backup.step(-1)? {
            StepResult::Done => return Ok(()),
            _ => std::thread::sleep(PAUSE),
        }
    }
    Err(Error::Busy)
}

/// Validates the file; fails if SQLite reports damage.
fn check(connection: &Connection, path: &Path, pragma: &str) -> Result<(), Error> {
    let found = connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0));
    match found.map_err(|error| Error::opening(path, error))? {
        ok if ok == "ok" => Ok(()),
        reason => Err(Error::Damaged { path: path.to_owned(), reason }),
    }
}

/// Links the database at `path` as `old`; the original path stays valid until replaced.
fn keep(path: &Path, old: &Path) -> Result<(), Error> {
    if !path.exists() {
        return Ok(());
    }
    match close_log(path) {
        // An unreadable file is kept unchanged.
        Ok(()) | Err(Error::NotADatabase { .. } | Error::Sqlite(_)) => {}
        Err(error) => return Err(error),
    }
    let failed = |error: std::io::Error| of_file(old, &error);
    for end in ["-wal", "-shm"] {
        let beside = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        match fs::rename(beside(path), beside(old)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    // Fallback for file systems without hard links.
    fs::hard_link(path, old).or_else(|_| fs::copy(path, old).map(drop)).map_err(failed)
}

/// Checkpoints the log into the file, which succeeds only if nobody else has the file open.
fn close_log(path: &Path) -> Result<(), Error> {
    let opening = |error| Error::opening(path, error);
    let connection = Connection::open(path).map_err(opening)?;
    connection.busy_timeout(Duration::from_millis(500)).map_err(opening)?;
    connection.pragma_update(None, "journal_mode", "DELETE").map_err(opening)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

fn of_file(path: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::AlreadyExists => Error::Exists { path: path.to_owned() },
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::DiskFull,
        _ => Error::CannotOpen { path: path.to_owned(), reason: error.to_string() },
    }
}
