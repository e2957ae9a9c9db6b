//! Collecting the diagnostics of an installation.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use qingyu_store::{Run, RunQuery, Standing};
use qingyu_story::Language;

use crate::diagnostics::check::{CheckRow, DoctorReach};
use crate::diagnostics::redaction::Redaction;
use crate::diagnostics::report::{
    Diagnostics, PlatformFacts, ProgramFacts, ReportedCheck, ReportedFailure, ReportedSetting,
};
use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::outcome::RunEnding;
use crate::settings::layer::SettingLayer;
use crate::settings::layers::Settings;
use crate::settings::reference::{SectionDescription, describe};
use crate::studio::Studio;

/// The format identifier of the document.
const FORMAT: &str = "qingyu-diagnostics-1";
/// The introduction for people reading the document before sending it.
const ABOUT: &str = "For a bug report. It holds no key, no text, no title, no name that you gave and no path; what is left out stands as \
                     \"<hidden>\". Read it before you send it.";
/// The number of runs, newest first, searched for failures.
const MOST_RUNS: u32 = 200;
/// The maximum number of reported failures.
const MOST_FAILURES: usize = 20;

impl Studio {
    /// Returns the diagnostics of this studio, without calling models on servers.
    pub async fn diagnostics(&self) -> Diagnostics {
        let checks = Self::doctor(self.settings(), DoctorReach::ThisMachine).await;
        self.diagnostics_with(&checks, &[]).await
    }

    async fn diagnostics_with(&self, checks: &[CheckRow], features: &[&str]) -> Diagnostics {
        let mut diagnostics = without_data(self.settings(), checks, features);
        let redaction = Redaction::new();
        let query = RunQuery { standing: Standing::Any, limit: Some(MOST_RUNS), ..RunQuery::default() };
        match self.listed(query).await {
            Ok(listed) => {
                for run in &listed {
                    *diagnostics.runs.entry(format!("{:?}", run.run.status).to_lowercase()).or_default() += 1;
                }
                let failed = listed.iter().filter_map(|listed| failure(&redaction, &listed.run));
                diagnostics.failures = failed.take(MOST_FAILURES).collect();
            }
            Err(error) => drop(diagnostics.unread.insert("runs".into(), error.code().into())),
        }
        match self.projects().await {
            Ok(projects) => drop(diagnostics.sizes.insert("projects".into(), projects.len() as u64)),
            Err(error) => drop(diagnostics.unread.insert("projects".into(), error.code().into())),
        }
        diagnostics
    }
}

/// Returns the diagnostics of an installation, given the results of its `checks`; `features` are the program's features
/// beyond the studio.
///
/// A database failing to open is listed in `unread`.
pub async fn diagnose(settings: &Settings, checks: &[CheckRow], features: &[&str]) -> Diagnostics {
    // Opening would create a folder and a database; diagnostics must not.
    let is_new =
        settings.values(None).is_ok_and(|values| values.storage.url.is_none()) && !settings.database().exists();
    if is_new {
        return without_data(settings, checks, features);
    }
    match Studio::open(settings.clone()).await {
        Ok(studio) => studio.diagnostics_with(checks, features).await,
        Err(error) => {
            let mut diagnostics = without_data(settings, checks, features);
            diagnostics.unread.insert("database".into(), error.code().into());
            diagnostics
        }
    }
}

/// Returns the diagnostics available without the database.
fn without_data(settings: &Settings, checks: &[CheckRow], features: &[&str]) -> Diagnostics {
    let redaction = Redaction::new();
    let mut unread = BTreeMap::new();
    let told = reported_settings(&redaction, settings).unwrap_or_else(|error| {
        unread.insert("settings".to_owned(), error.code().to_owned());
        Vec::new()
    });
    let of_check = |row: &CheckRow| ReportedCheck {
        check: row.check.clone(),
        state: row.state,
        data: redaction.fields(&row.data),
    };
    Diagnostics {
        about: ABOUT.into(),
        format: FORMAT.into(),
        made: Timestamp::now(),
        program: program(features),
        platform: PlatformFacts {
            system: std::env::consts::OS.into(),
            architecture: std::env::consts::ARCH.into(),
            processors: std::thread::available_parallelism().ok().map(std::num::NonZero::get),
        },
        folder: settings.home().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        settings: told,
        project_settings: settings.projects_with_own().len(),
        checks: checks.iter().map(of_check).collect(),
        runs: BTreeMap::new(),
        failures: Vec::new(),
        sizes: sizes(settings),
        unread,
    }
}

fn program(features: &[&str]) -> ProgramFacts {
    let own = [
        ("bench", cfg!(feature = "bench")),
        ("local-embedder", cfg!(feature = "local-embedder")),
        ("mcp", cfg!(feature = "mcp")),
        ("network", cfg!(feature = "network")),
    ];
    let own = own.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| name);
    let mut features: Vec<String> = features.iter().copied().chain(own).map(str::to_owned).collect();
    features.sort();
    features.dedup();
    ProgramFacts { version: env!("CARGO_PKG_VERSION").into(), debug: cfg!(debug_assertions), features }
}

/// Returns the settings different from the default.
fn reported_settings(redaction: &Redaction, settings: &Settings) -> Result<Vec<ReportedSetting>, Error> {
    let sections: Vec<SectionDescription> = describe(Language::En);
    let rows = settings.rows(None)?.into_iter().filter(|row| row.layer != SettingLayer::Default);
    Ok(rows.map(|row| redaction.setting(&sections, row)).collect())
}

fn failure(redaction: &Redaction, run: &Run) -> Option<ReportedFailure> {
    let failure = RunEnding::kept(run).failure?;
    let config: Option<RunConfig> = serde_json::from_value(run.config.clone()).ok();
    Some(ReportedFailure {
        kind: config.map(|config| config.kind),
        model: redaction.model(&run.model),
        started: run.started,
        ended: run.ended,
        data: redaction.fields(&failure.data),
        code: redaction.code(&failure.code),
    })
}

/// Returns the sizes of the data folder's files, by purpose.
fn sizes(settings: &Settings) -> BTreeMap<String, u64> {
    let database = settings.database();
    let bytes = |path: &Path| std::fs::metadata(path).map(|file| file.len()).ok();
    let mut log = database.clone().into_os_string();
    log.push("-wal");
    let files = [("database_bytes", bytes(&database)), ("log_bytes", bytes(Path::new(&log)))];
    let mut sizes: BTreeMap<String, u64> =
        files.into_iter().filter_map(|(name, bytes)| Some((name.to_owned(), bytes?))).collect();
    for (folder, name) in [("cassettes", "recordings"), ("prompts", "own_prompts"), ("lists", "own_lists")] {
        let entries = settings.home().join(folder).read_dir().into_iter().flatten().flatten();
        let files: Vec<u64> = entries.filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).collect();
        sizes.insert(name.to_owned(), files.len() as u64);
        sizes.insert(format!("{name}_bytes"), files.iter().sum());
    }
    sizes
}
