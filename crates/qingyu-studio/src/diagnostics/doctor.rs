//! Independent checks of the installation: a failing check does not hide the others.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_agents::Prompts;
use qingyu_db::Database;
use qingyu_graph::store::SqliteStore;
use qingyu_knowledge::embed::LexicalEmbedder;
use serde_json::json;

use crate::diagnostics::check::{CheckRow, CheckState, DoctorReach, failed, row};
use crate::diagnostics::{engines, models};
use crate::error::failures::FailureContext;
use crate::error::{Error, ProviderFailure};
use crate::models::embedder::{dimensions, embedder_of};
use crate::settings::layer::SettingLayer;
use crate::settings::layers::Settings;
use crate::settings::values::StorageSettings;
use crate::storage::{data_folder, opening};
use crate::studio::Studio;

/// The threshold for a warning about free space: 200 MB.
const LITTLE_SPACE: u64 = 200_000_000;
/// The timeout of an embedder for a short text.
const PATIENCE: Duration = Duration::from_secs(30);
/// A clock before this time is wrong: the release did not exist yet.
const RELEASED: &str = "2026-01-01T00:00:00Z";

impl Studio {
    /// Checks the installation. Needs no open studio, and can therefore explain a failure to open.
    ///
    /// With [`DoctorReach::Servers`] also tries every model used by runs: fetches the server's model list, and generates a
    /// few tokens if the list does not prove the key and the name valid.
    pub async fn doctor(settings: &Settings, reach: DoctorReach) -> Vec<CheckRow> {
        checks(settings, reach).await
    }
}

/// Runs all checks in order of their dependencies.
pub(crate) async fn checks(settings: &Settings, reach: DoctorReach) -> Vec<CheckRow> {
    let mut rows = vec![folder(settings), free_space(settings.home()), sqlite_version()];
    rows.extend(database(settings).await);
    rows.push(backups(settings));
    rows.push(settings_row(settings));
    rows.extend(models::checks(settings, reach).await);
    rows.push(embedder(settings, reach).await);
    rows.extend(engines::checks(settings, reach).await);
    rows.extend(engines::copies(settings).await);
    rows.push(prompts(settings));
    rows.push(clock());
    rows
}

fn folder(settings: &Settings) -> CheckRow {
    let data = json!({"path": settings.home()});
    match data_folder::prepare(settings.home()).and_then(|()| data_folder::probe(settings.home())) {
        Ok(()) => row("data_folder", CheckState::Ok, data),
        Err(error) => failed("data_folder", &error, data),
    }
}

fn free_space(home: &Path) -> CheckRow {
    match data_folder::free_space(home) {
        Some(bytes) => {
            let state = if bytes < LITTLE_SPACE { CheckState::Warning } else { CheckState::Ok };
            row("free_space", state, json!({"path": home, "bytes": bytes}))
        }
        None => {
            // Free space is known on Unix only.
            let state = if cfg!(unix) { CheckState::Warning } else { CheckState::NotTried };
            row("free_space", state, json!({"path": home, "bytes": null}))
        }
    }
}

fn sqlite_version() -> CheckRow {
    // Opening the database already returns an error for old versions.
    row("sqlite_version", CheckState::Ok, json!({"version": qingyu_store::sqlite_version()}))
}

async fn database(settings: &Settings) -> Vec<CheckRow> {
    if let Ok(values) = settings.values(None)
        && values.storage.url.is_some()
    {
        return vec![server(&values.storage, settings).await];
    }
    let path = settings.database();
    let data = json!({"path": path, "bytes": std::fs::metadata(&path).map(|file| file.len()).ok()});
    let place = FailureContext { database: &path, run: "" };
    if !path.exists() {
        // Opening would create the database; a check must not.
        return vec![row("database", CheckState::Ok, data)];
    }
    let opened = match Database::open(&path, qingyu_db::Settings::default()).await {
        Ok(database) => qingyu_store::migrate(&database).await.map(|()| database).map_err(|error| place.store(error)),
        Err(error) => Err(place.database(&error)),
    };
    let database = match opened {
        Ok(database) => database,
        Err(error) => return vec![failed("database", &error, data)],
    };
    let integrity = match find_damage(&database, place).await {
        Ok(problems) if problems.is_empty() => row("integrity", CheckState::Ok, json!({})),
        Ok(problems) => row("integrity", CheckState::Failed, json!({"problems": problems})),
        Err(error) => failed("integrity", &error, json!({})),
    };
    vec![row("database", CheckState::Ok, data), integrity]
}

/// Returns the damage of the database file: a line for each problem of pages and texts, and a line for unreadable steps
/// of runs.
async fn find_damage(database: &Database, place: FailureContext<'_>) -> Result<Vec<String>, Error> {
    let mut problems = qingyu_store::find_damage(database).await.map_err(|error| place.store(error))?;
    if let Some(file) = database.as_sqlite().filter(|_| problems.is_empty()) {
        let store = SqliteStore::open(file.clone()).await.map_err(|error| place.graph(&error))?;
        let damaged = store.count_damaged().await.map_err(|error| place.graph(&error))?;
        if damaged > 0 {
            problems.push(format!("{damaged} records in graph_record.packed cannot be decompressed"));
        }
    }
    Ok(problems)
}

/// Checks the connection to the database server.
async fn server(storage: &StorageSettings, settings: &Settings) -> CheckRow {
    match opening::open(storage, &settings.database(), settings.home()).await {
        Ok(_) => row("database", CheckState::Ok, json!({"path": "postgresql", "bytes": null})),
        Err(error) => failed("database", &error, json!({"path": "postgresql", "bytes": null})),
    }
}

/// Checks the scheduled backups: a schedule that made none so far or in two intervals, a failed last try, and a schedule for
/// a database on a server are told.
fn backups(settings: &Settings) -> CheckRow {
    let status = match Studio::scheduled_backups(settings) {
        Ok(status) => status,
        Err(error) => return failed("backups", &error, json!({})),
    };
    let trouble = match &status.failure {
        _ if !status.is_available && status.every.is_some() => "server",
        _ if !status.is_available => "no",
        Some(_) => "failed",
        None if status.is_missing() => "none",
        None if status.is_overdue(Timestamp::now()) => "overdue",
        None => "no",
    };
    let state = if trouble == "no" { CheckState::Ok } else { CheckState::Warning };
    let time = |at: &Timestamp| at.to_string();
    let data = json!({
        "path": status.folder,
        "schedule": match &status.every {
            _ if !status.is_available => "server",
            Some(_) => "yes",
            None => "no",
        },
        "every": status.every,
        "keep": status.keep,
        "count": status.backups.len(),
        "newest": status.backups.first().map(|newest| time(&newest.at)),
        "next": status.next.as_ref().map(time),
        "trouble": trouble,
        "reason": status.failure.as_ref().map(|failure| &failure.message),
    });
    row("backups", state, data)
}

fn settings_row(settings: &Settings) -> CheckRow {
    let path = settings.home().join("config.toml");
    let data = json!({"path": path, "exists": path.exists()});
    match settings.values(None) {
        Ok(_) => row("settings", CheckState::Ok, data),
        Err(error) => failed("settings", &error, data),
    }
}

/// Checks the configured embedder with a short text.
async fn embedder(settings: &Settings, reach: DoctorReach) -> CheckRow {
    let opened = match embedder_of(settings, None) {
        Ok(opened) => opened,
        Err(error) => return failed("embedder", &error, json!({})),
    };
    let name = opened.name();
    if reach == DoctorReach::ThisMachine && name != LexicalEmbedder::NAME {
        return row("embedder", CheckState::NotTried, json!({"embedder": name, "tried": "no"}));
    }
    let asked = tokio::time::timeout(PATIENCE, dimensions(&*opened)).await;
    let answer = asked.unwrap_or_else(|_| {
        let message = format!("no answer in {} s", PATIENCE.as_secs());
        Err(Error::Provider(ProviderFailure::Unreachable { model: name.into(), message }))
    });
    match answer {
        Ok(dimensions) => {
            row("embedder", CheckState::Ok, json!({"embedder": name, "dimensions": dimensions, "tried": "answered"}))
        }
        Err(error) => failed("embedder", &error, json!({"embedder": name})),
    }
}

fn prompts(settings: &Settings) -> CheckRow {
    let folder = match settings.values(None) {
        Ok(values) => settings.prompt_folder(&values),
        Err(error) => return failed("prompts", &error, json!({})),
    };
    let data = json!({"path": folder, "exists": folder.is_dir()});
    match Prompts::with_overrides(&folder) {
        Ok(_) => row("prompts", CheckState::Ok, data),
        Err(error) => {
            let source_name = Some(folder.display().to_string());
            let (layer, key) = (SettingLayer::User, "prompts.folder".into());
            failed("prompts", &Error::BadSettings { layer, source_name, key, message: error.to_string() }, data)
        }
    }
}

fn clock() -> CheckRow {
    let now = Timestamp::now();
    let released: Timestamp = RELEASED.parse().expect("a constant time");
    let state = if now < released { CheckState::Warning } else { CheckState::Ok };
    row("clock", state, json!({"now": now.to_string()}))
}
