//! Opening of the storage: a file in the data folder, or a database server shared by several processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use qingyu_db::{Database, Postgres, PostgresSettings, Sqlite};
use qingyu_graph::Store;
use qingyu_graph::store::{PostgresStore, SqliteStore};
use tempfile::TempDir;

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::settings::values::{StorageDurability, StorageSettings};

/// The open storage.
pub(crate) struct OpenedStorage {
    pub(crate) database: Database,
    pub(crate) threads: Arc<dyn Store>,
    /// The folder of the database copy used for reading when the data folder is read-only.
    pub(crate) copy: Option<TempDir>,
}

/// Opens the configured storage and migrates its tables, after a backup of the file.
pub(crate) async fn open(storage: &StorageSettings, file: &Path, home: &Path) -> Result<OpenedStorage, Error> {
    let place = FailureContext { database: file, run: "" };
    let mut copy = None;
    let (database, threads): (Database, Arc<dyn Store>) = match &storage.url {
        None => {
            let sqlite = match open_file(storage, file).await {
                Err(qingyu_db::Error::ReadOnly) if file.is_file() => {
                    let (sqlite, folder) = open_copy(storage, file).await?;
                    copy = Some(folder);
                    sqlite
                }
                opened => opened.map_err(|error| place.database(&error))?,
            };
            if copy.is_none() {
                crate::storage::migration::before_migration(&sqlite, file, home).await?;
            }
            let threads = SqliteStore::open(sqlite.clone()).await.map_err(|error| place.graph(&error))?;
            (Database::Sqlite(sqlite), Arc::new(threads))
        }
        Some(url) => {
            let postgres = Postgres::open(server(storage, url)).await.map_err(|error| place.database(&error))?;
            let threads = PostgresStore::open(postgres.clone()).await.map_err(|error| place.graph(&error))?;
            (Database::Postgres(postgres), Arc::new(threads))
        }
    };
    qingyu_store::migrate(&database).await.map_err(|error| place.store(error))?;
    Ok(OpenedStorage { database, threads, copy })
}

/// Opens a copy of a database in a read-only folder, such as on a disk remounted read-only: SQLite needs a writable log
/// beside the file even for reading. The caller must prevent writes.
async fn open_copy(storage: &StorageSettings, file: &Path) -> Result<(Sqlite, TempDir), Error> {
    let place = FailureContext { database: file, run: "" };
    let failed = |error: std::io::Error| place.file(file, &error);
    let folder = tempfile::Builder::new().prefix("qingyu-").tempdir().map_err(failed)?;
    let copied = folder.path().join("qingyu.db");
    for end in ["", "-wal"] {
        let beside = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        match std::fs::read(beside(file)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !end.is_empty() => {}
            // Copies the content without the permissions, which may forbid writing.
            read => std::fs::write(beside(&copied), read.map_err(failed)?).map_err(failed)?,
        }
    }
    tracing::warn!(path = %file.display(), "data folder is read-only: reading from a copy, nothing is written");
    let sqlite = open_file(storage, &copied).await.map_err(|error| place.database(&error))?;
    Ok((sqlite, folder))
}

async fn open_file(storage: &StorageSettings, file: &Path) -> Result<Sqlite, qingyu_db::Error> {
    let durability = durability(storage);
    Sqlite::open(file, qingyu_db::Settings { durability, ..qingyu_db::Settings::default() }).await
}

fn server(storage: &StorageSettings, url: &str) -> PostgresSettings {
    let usual = PostgresSettings::new(url);
    PostgresSettings {
        schema: storage.schema.clone().unwrap_or_else(|| usual.schema.clone()),
        connections: storage.connections.unwrap_or(usual.connections),
        durability: durability(storage),
        ..usual
    }
}

fn durability(storage: &StorageSettings) -> qingyu_db::Durability {
    match storage.durability {
        StorageDurability::Strict => qingyu_db::Durability::Full,
        StorageDurability::Relaxed => qingyu_db::Durability::Normal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CreateRequest, Environment, Settings, Studio};

    #[tokio::test]
    async fn a_copy_of_a_read_only_folder_is_read_and_never_written() {
        let home = tempfile::tempdir().unwrap();
        let variables = [("QINGYU_HOME".to_owned(), home.path().to_str().unwrap().to_owned())];
        let flags: toml::Table = "models.all = 'offline-rules-1'".parse().unwrap();
        let settings = Settings::load(Environment::new(variables), flags).unwrap();
        let studio = Studio::open(settings.clone()).await.unwrap();
        let outcome = studio.create(CreateRequest::new("灯塔")).await.unwrap().finish().await;
        let file = settings.database();
        let before = std::fs::read(&file).unwrap();

        let storage = settings.values(None).unwrap().storage;
        let (sqlite, folder) = open_copy(&storage, &file).await.unwrap();
        sqlite.refuse_writes().await.unwrap();
        let database = Database::Sqlite(sqlite);
        let projects = qingyu_store::Projects::new(&database, "local");
        assert_eq!(projects.list().await.unwrap()[0].id, outcome.project);
        let refused = projects.rename(&outcome.project, "anders").await;
        let refused = FailureContext { database: &file, run: "" }.store(refused.unwrap_err());
        assert_eq!(refused.code(), "read_only", "{refused}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
        drop((database, folder));
    }
}
