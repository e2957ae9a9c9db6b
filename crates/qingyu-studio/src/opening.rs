//! Where everything is kept: a file in the data folder, or a server that several processes share.

use std::path::Path;
use std::sync::Arc;

use qingyu_db::{Database, Postgres, PostgresSettings, Sqlite};
use qingyu_graph::Store;
use qingyu_graph::store::{PostgresStore, SqliteStore};

use crate::Error;
use crate::failures::Place;
use crate::settings::values::{Durability, Storage};

/// What is open.
pub(crate) struct Opened {
    pub(crate) database: Database,
    pub(crate) threads: Arc<dyn Store>,
}

/// Opens what the settings name, and brings its tables up to date. A file is copied before it is changed.
pub(crate) async fn open(storage: &Storage, file: &Path, home: &Path) -> Result<Opened, Error> {
    let place = Place { database: file, run: "" };
    let (database, threads): (Database, Arc<dyn Store>) = match &storage.url {
        None => {
            let sqlite = open_file(storage, file).await.map_err(|error| place.database(&error))?;
            crate::backup::before_migration(&sqlite, file, home).await?;
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
    Ok(Opened { database, threads })
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
