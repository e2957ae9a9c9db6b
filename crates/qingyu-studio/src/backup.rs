//! The whole database copied while it is used, put back, and kept before it is changed by a new release.
//!
//! What stands in files beside the database is not in the copy: the settings, the author's own prompts and lists, recordings.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use qingyu_db::{Migrations, Replace, Sqlite};
use qingyu_graph::store::SqliteStore;
use qingyu_memory::long_term::StoredLongTerm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::Right;
use crate::failures::Place;
use crate::{Error, Settings, Studio, data_folder};

/// Who has tables in the database; the studio's own come first.
const OWNERS: [Migrations; 3] = [qingyu_store::MIGRATIONS, SqliteStore::MIGRATIONS, StoredLongTerm::MIGRATIONS];
/// The folder of copies, in the data folder.
const FOLDER: &str = "backups";
/// How many copies of before migrations are kept.
const KEPT: usize = 3;
/// What their names begin with.
const BEFORE: &str = "before-";

/// A copy that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackedUp {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

/// A copy that was put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupRestored {
    /// Where the database is now.
    pub path: PathBuf,
    /// Where the one is kept that was there before.
    pub replaced: Option<PathBuf>,
}

/// What becomes of a database that is there when another is put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is put in its place.
    Stays,
    /// It is kept beside.
    IsReplaced,
}

impl Studio {
    /// Copies the whole database, of all users, to a new file, while everybody goes on working. Demands [`Right::Admin`].
    ///
    /// The copy is one moment of the database, checked, and for nobody else on the machine to read. Fails with
    /// [`Error::TargetExists`] if something is there.
    pub async fn backup(&self, to: &Path) -> Result<BackedUp, Error> {
        self.scope().demand(Right::Admin)?;
        let Some(file) = self.database().as_sqlite() else {
            return Err(Error::OnServer { command: self.dump_command(to) });
        };
        let copied = file.back_up(to).await.map_err(|error| Place { database: to, run: "" }.database(&error));
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        self.access().record("backup", &name, &copied).await?;
        copied?;
        let bytes = std::fs::metadata(to).map_or(0, |file| file.len());
        Ok(BackedUp { path: to.to_owned(), bytes })
    }

    /// Puts a copy in the place of the database of these settings: whole, or not at all.
    ///
    /// It is checked as a whole before: fails with [`Error::Corrupt`] if it is damaged or no database of ours, with
    /// [`Error::NewerData`] if a newer release has written it, with [`Error::HasData`] if a database is there that is to
    /// stay, and with [`Error::DatabaseBusy`] if somebody uses that one.
    pub async fn restore_backup(settings: &Settings, from: &Path, existing: Existing) -> Result<BackupRestored, Error> {
        data_folder::prepare(settings.home())?;
        let path = settings.database();
        let replaced = (existing == Existing::IsReplaced && path.exists())
            .then(|| folder(settings.home()).map(|folder| folder.join(format!("replaced-{}.db", moment()))))
            .transpose()?;
        let replace = replaced.clone().map_or(Replace::Nothing, Replace::KeepAs);
        let (source, target) = (from.to_owned(), path.clone());
        let working =
            tokio::task::spawn_blocking(move || qingyu_db::restore(&source, &target, &OWNERS, &replace)).await;
        let broken = |error: tokio::task::JoinError| Error::Internal { message: error.to_string() };
        working.map_err(broken)?.map_err(|error| match error {
            qingyu_db::Error::Exists { path } => Error::HasData { path },
            qingyu_db::Error::Busy => Error::DatabaseBusy { path: path.clone() },
            qingyu_db::Error::CannotOpen { path, reason } => Error::ReadOnly { path, message: reason },
            error => Place { database: from, run: "" }.database(&error),
        })?;
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        Self::open(settings.clone()).await?.access().record("restore", &name, &Ok(())).await?;
        Ok(BackupRestored { path, replaced })
    }
}

impl Studio {
    /// What copies the schema of a server with the server's own tools, without the password.
    fn dump_command(&self, to: &Path) -> String {
        let storage = self.storage();
        let schema = storage.schema.as_deref().unwrap_or("qingyu");
        let address = storage.url.as_deref().map(without_password).unwrap_or_default();
        format!("pg_dump --format=custom --schema={schema} --file='{}' '{address}'", to.display())
    }
}

/// An address without what stands between the user's name and the host.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    match rest.rsplit_once('@') {
        Some((user, host)) => format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or_default()),
        None => address.to_owned(),
    }
}

/// Copies a database, whose file is `file`, that the next step changes for a new release, and forgets the oldest such copies. A new
/// database has nothing to lose.
pub(crate) async fn before_migration(database: &Sqlite, file: &Path, home: &Path) -> Result<(), Error> {
    let place = Place { database: file, run: "" };
    let (mut newest, mut missing) = (None, 0);
    for owner in &OWNERS {
        let standing = database.standing(owner).await.map_err(|error| place.database(&error))?;
        newest = newest.or(standing.newest);
        missing += standing.missing;
    }
    let Some(schema) = newest.filter(|_| missing > 0) else { return Ok(()) };
    let folder = folder(home)?;
    let to = folder.join(format!("{BEFORE}{}-{schema}.db", moment()));
    match database.back_up(&to).await {
        // Another process was faster by less than a second: the same is there.
        Err(qingyu_db::Error::Exists { .. }) => {}
        copied => copied.map_err(|error| Place { database: &to, run: "" }.database(&error))?,
    }
    forget_oldest(&folder);
    Ok(())
}

/// A moment in names of files: they sort by time.
fn moment() -> String {
    Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn folder(home: &Path) -> Result<PathBuf, Error> {
    let folder = home.join(FOLDER);
    data_folder::prepare(&folder)?;
    Ok(folder)
}

fn forget_oldest(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(BEFORE) && name.ends_with(".db")
    };
    let mut copies: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_ours).collect();
    copies.sort();
    let superfluous = copies.len().saturating_sub(KEPT);
    for copy in copies.drain(..superfluous) {
        if let Err(error) = std::fs::remove_file(&copy) {
            tracing::warn!(%error, copy = %copy.display(), "an old copy could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_copies_are_kept_and_nothing_else_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let ours = (1..=6).map(|day| format!("before-2026010{day}T000000Z-0005_calls.db"));
        let others = ["replaced-20260101T000000Z.db", "mine.db", "before-2026.txt"].map(str::to_owned);
        ours.chain(others).for_each(|name| std::fs::write(folder.path().join(name), "").unwrap());
        forget_oldest(folder.path());
        let mut left: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let kept = (4..=6).map(|day| format!("before-2026010{day}T000000Z-0005_calls.db"));
        let others = ["before-2026.txt", "mine.db", "replaced-20260101T000000Z.db"].map(str::to_owned);
        let mut expected: Vec<String> = kept.chain(others).collect();
        expected.sort();
        assert_eq!(left, expected);
    }
}
