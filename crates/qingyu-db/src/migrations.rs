//! Numbered SQL files, each applied once.

#[cfg(feature = "sqlite")]
use rusqlite::Connection;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::Error;

/// The SQL files of an owner, in order of application.
///
/// A released file is never edited: the applied text is stored with the name and compared at every start.
#[derive(Debug, Clone, Copy)]
pub struct SqlMigrations {
    /// The owner of the tables; owners do not see the files of other owners.
    pub owner: &'static str,
    /// Name and text, such as `("0001_journal", include_str!("0001_journal.sql"))`.
    pub files: &'static [(&'static str, &'static str)],
}

/// The migration status of a database for the files of an owner.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// The newest applied file; `None` if the owner has no tables in the database.
    pub newest: Option<String>,
    /// The number of files not yet applied.
    pub missing: usize,
}

/// The name and text of a file.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
type MigrationFile = (&'static str, &'static str);

#[cfg(feature = "sqlite")]
const LEDGER: &str = "CREATE TABLE IF NOT EXISTS migration(
    owner TEXT NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    sql TEXT NOT NULL,
    PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID";

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl SqlMigrations {
    /// Returns the files after the `applied` files, with their positions; fails if an applied file is unknown or
    /// differs.
    pub(crate) fn unapplied(
        self,
        applied: &[(String, String)],
    ) -> Result<impl Iterator<Item = (i64, &'static MigrationFile)>, Error> {
        for (position, (name, sql)) in applied.iter().enumerate() {
            match self.files.get(position) {
                None => return Err(Error::NewerSchema { owner: self.owner.to_owned(), found: name.clone() }),
                Some((known, text)) if known != name || text != sql => {
                    return Err(Error::EditedMigration { owner: self.owner.to_owned(), name: name.clone() });
                }
                Some(_) => {}
            }
        }
        Ok((0_i64..).zip(self.files).skip(applied.len()))
    }
}

#[cfg(feature = "sqlite")]
impl SqlMigrations {
    /// Applies the new files in the caller's transaction.
    pub(crate) fn apply(self, tx: &Connection) -> Result<(), Error> {
        tx.execute_batch(LEDGER)?;
        for (position, (name, sql)) in self.unapplied(&self.applied(tx)?)? {
            tx.execute_batch(sql)?;
            tx.execute(
                "INSERT INTO migration(owner, position, name, sql) VALUES (?1, ?2, ?3, ?4)",
                (self.owner, position, name, sql),
            )?;
        }
        Ok(())
    }

    /// Returns the migration status of the database; fails if the database is newer or an applied file was edited
    /// since.
    pub(crate) fn standing(self, connection: &Connection) -> Result<Standing, Error> {
        let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'migration'";
        if connection.query_row(tables, (), |row| row.get::<_, i64>(0))? == 0 {
            return Ok(Standing { newest: None, missing: self.files.len() });
        }
        let applied = self.applied(connection)?;
        let missing = self.unapplied(&applied)?.count();
        Ok(Standing { newest: applied.into_iter().next_back().map(|(name, _)| name), missing })
    }

    fn applied(self, tx: &Connection) -> Result<Vec<(String, String)>, Error> {
        let mut select = tx.prepare("SELECT name, sql FROM migration WHERE owner = ?1 ORDER BY position")?;
        let rows = select.query_map([self.owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
