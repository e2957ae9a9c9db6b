//! Where everything is kept: a file in the data folder, or a server that several processes share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use qingyu_db::{Database, Postgres, PostgresSettings, Sqlite};
use qingyu_graph::Store;
use qingyu_graph::store::{PostgresStore, SqliteStore};
use tempfile::TempDir;

use crate::Error;
use crate::failures::Place;
use crate::settings::values::{Durability, Storage};

/// What is open.
pub(crate) struct Opened {
    pub(crate) database: Database,
    pub(crate) threads: Arc<dyn Store>,
    /// The folder of the copy that is read, since the data folder cannot be written.
    pub(crate) copy: Option<TempDir>,
}

/// Opens what the settings name, and brings its tables up to date. A file is copied before it is changed.
pub(crate) async fn open(storage: &Storage, file: &Path, home: &Path) -> Result<Opened, Error> {
    let place = Place { database: file, run: "" };
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
                crate::backup::before_migration(&sqlite, file, home).await?;
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
    Ok(Opened { database, threads, copy })
}

/// Opens a copy of a database whose folder cannot be written, such as on a disk that went read-only: SQLite needs its log beside the
/// file even for reading. The caller lets nobody write to it.
async fn open_copy(storage: &Storage, file: &Path) -> Result<(Sqlite, TempDir), Error> {
    let place = Place { database: file, run: "" };
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
            // Not copied with its permissions: those may forbid writing.
            read => std::fs::write(beside(&copied), read.map_err(failed)?).map_err(failed)?,
        }
    }
    tracing::warn!(path = %file.display(), "data folder is read-only: reading from a copy, nothing is written");
    let sqlite = open_file(storage, &copied).await.map_err(|error| place.database(&error))?;
    Ok((sqlite, folder))
}

async fn open_file(storage: &Storage, file: &Path) -> Result<Sqlite, qingyu_db::Error> {
    let durability = durability(storage);
    Sqlite::open(file, qingyu_db::Settings { durability, ..qingyu_db::Settings::default() }).await
}

fn server(storage: &Storage, url: &str) -> PostgresSettings {
    let usual = PostgresSettings::new(url);
    PostgresSettings {
        schema: storage.schema.clone().unwrap_or_else(|| usual.schema.clone()),
        connections: storage.connections.unwrap_or(usual.connections),
        durability: durability(storage),
        ..usual
    }
}

fn durability(storage: &Storage) -> qingyu_db::Durability {
    match storage.durability {
        Durability::Strict => qingyu_db::Durability::Full,
        Durability::Relaxed => qingyu_db::Durability::Normal,
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
        let refused = Place { database: &file, run: "" }.store(refused.unwrap_err());
        assert_eq!(refused.code(), "read_only", "{refused}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
        drop((database, folder));
    }
}
