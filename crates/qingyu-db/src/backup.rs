//! A copy of the whole file while it is used, and such a copy put in the place of the file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use crate::{Error, Migrations};

/// How often a copy is tried again while another process holds a lock, and how long it waits in between.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// What happens to a file that is where a database is to be put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replace {
    /// It stays, and nothing is put there.
    Nothing,
    /// It is kept under this name.
    KeepAs(PathBuf),
}

/// Puts the database in the file `from` at `to`: whole, or not at all.
///
/// Before, it is checked as a whole, and that this program knows it: `owners` are all who have tables in it, the first of
/// them always. Fails with [`Error::Exists`] if there is a database and `replace` does not say where it is to be kept, with
/// [`Error::Busy`] if somebody uses it. It works on the calling thread.
pub fn restore(from: &Path, to: &Path, owners: &[Migrations], replace: &Replace) -> Result<(), Error> {
    if *replace == Replace::Nothing && to.exists() {
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

/// Copies what `source` sees, checks the copy and puts it at `to`.
pub(crate) fn copy(source: &Connection, to: &Path, replace: Replace) -> Result<(), Error> {
    if replace == Replace::Nothing && to.exists() {
        return Err(Error::Exists { path: to.to_owned() });
    }
    let failed = |error: std::io::Error| of_file(to, &error);
    let folder = match to.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Nobody else may read it: temporary files are made so.
    let beside = NamedTempFile::with_prefix_in(".qingyu-", folder).map_err(failed)?;
    let mut target = Connection::open(beside.path())?;
    transfer(source, &mut target)?;
    // The copy says of itself that it has a log of its own beside it, as the original does.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    check(&target, beside.path(), "quick_check")?;
    drop(target);
    match replace {
        Replace::Nothing => beside.persist_noclobber(to).map_err(|error| failed(error.error))?,
        Replace::KeepAs(old) => {
            keep(to, &old)?;
            beside.persist(to).map_err(|error| failed(error.error))?
        }
    };
    sync_folder(folder).map_err(failed)
}

/// All pages in one step: one snapshot, during which others may read and write.
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

/// Fails if something in the file is wrong.
fn check(connection: &Connection, path: &Path, pragma: &str) -> Result<(), Error> {
    let found = connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0));
    match found.map_err(|error| Error::opening(path, error))? {
        ok if ok == "ok" => Ok(()),
        reason => Err(Error::Damaged { path: path.to_owned(), reason }),
    }
}

/// Keeps the database at `path` as `old`, where it is until something else is put in its place.
fn keep(path: &Path, old: &Path) -> Result<(), Error> {
    if !path.exists() {
        return Ok(());
    }
    match close_log(path) {
        // What cannot be read is kept as it is.
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
    // Not every file system can give a file a second name.
    fs::hard_link(path, old).or_else(|_| fs::copy(path, old).map(drop)).map_err(failed)
}

/// Brings the log into the file, which succeeds only if nobody else has it open.
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
