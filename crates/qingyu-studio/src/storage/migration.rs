//! Automatic backups before migrations.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use qingyu_db::{SqlMigrations, Sqlite};
use qingyu_graph::store::SqliteStore;
use qingyu_memory::long_term::StoredLongTerm;

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::storage::data_folder;

/// The migrations of all owners of tables in the database; the studio's own come first.
pub(crate) const OWNERS: [SqlMigrations; 3] =
    [qingyu_store::MIGRATIONS, SqliteStore::MIGRATIONS, StoredLongTerm::MIGRATIONS];
/// The folder of backups in the data folder.
pub(crate) const FOLDER: &str = "backups";
/// The number of automatic backups kept before migrations.
const KEPT: usize = 3;
/// The prefix of the names of automatic backups.
const BEFORE: &str = "before-";

/// Backs up the database in `file` before a migration and deletes the oldest automatic backups. Skips new databases.
pub(crate) async fn before_migration(database: &Sqlite, file: &Path, home: &Path) -> Result<(), Error> {
    let place = FailureContext { database: file, run: "" };
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
        // Another process made the same backup within the same second.
        Err(qingyu_db::Error::Exists { .. }) => {}
        copied => copied.map_err(|error| FailureContext { database: &to, run: "" }.database(&error))?,
    }
    forget_oldest(&folder);
    Ok(())
}

/// Returns the current time for file names; names sort by time.
pub(crate) fn moment() -> String {
    Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string()
}

pub(crate) fn folder(home: &Path) -> Result<PathBuf, Error> {
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
            tracing::warn!(%error, copy = %copy.display(), "failed to remove an old copy");
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
