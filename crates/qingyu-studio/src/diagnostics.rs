//! Diagnostics: one document for a bug report that tells how the program is set up and what failed, and nothing of the author.
//!
//! What is told is chosen, not filtered: numbers, switches, codes and names that this release knows by itself. Every other text stands as
//! [`HIDDEN`]; see `diagnostics/redaction.rs`.

mod redaction;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use qingyu_store::{Run, RunQuery, Standing};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use redaction::HIDDEN;
use redaction::Redaction;

use crate::outcome::Ending;
use crate::settings::{Layer, SectionDescription, describe};
use crate::work::RunConfig;
use crate::{CheckRow, CheckState, Error, Reach, RunKind, Settings, Studio};

/// The form of the document.
const FORMAT: &str = "qingyu-diagnostics-1";
/// What stands at its beginning, for whoever reads it before it is sent.
const ABOUT: &str = "For a bug report. It holds no key, no text, no title, no name that you gave and no path; what is left out stands as \
                     \"<hidden>\". Read it before you send it.";
/// How many runs are looked through for failures, the newest first.
const MOST_RUNS: u32 = 200;
/// How many failures are told.
const MOST_FAILURES: usize = 20;

/// How the program is set up and what failed, with nothing of the author in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostics {
    /// What this is, for people.
    pub about: String,
    /// `qingyu-diagnostics-1`.
    pub format: String,
    /// When it was made.
    pub made: Timestamp,
    /// Which program.
    pub program: ProgramFacts,
    /// On which system.
    pub platform: PlatformFacts,
    /// The data folder's name, without the folders around it.
    pub folder: String,
    /// The settings that are not the default, by name.
    pub settings: Vec<ReportedSetting>,
    /// How many projects have a file of settings of their own.
    pub project_settings: usize,
    /// What the doctor found.
    pub checks: Vec<ReportedCheck>,
    /// How many of the newest runs stand how.
    pub runs: BTreeMap<String, usize>,
    /// The runs that failed last, the newest first.
    pub failures: Vec<ReportedFailure>,
    /// How much there is: bytes of files whose names end in `_bytes`, numbers of the rest.
    pub sizes: BTreeMap<String, u64>,
    /// The parts that could not be read, with the code of the failure.
    pub unread: BTreeMap<String, String>,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramFacts {
    /// Its release.
    pub version: String,
    /// Whether it was built for work on it.
    pub debug: bool,
    /// What it was built with.
    pub features: Vec<String>,
}

/// The system that a program runs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlatformFacts {
    /// Such as `linux`.
    pub system: String,
    /// Such as `x86_64`.
    pub architecture: String,
    /// How many threads it runs at once; none if it does not say.
    pub processors: Option<usize>,
}

/// A setting, as far as it may be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedSetting {
    /// Its name as it is described: `providers.<provider>.base_url`.
    pub key: String,
    /// Its value, or `<hidden>`.
    pub value: Value,
    /// The layer it comes from.
    pub layer: Layer,
    /// The name of the file or variable it comes from.
    pub source: Option<String>,
}

/// What a check found, as far as it may be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedCheck {
    /// Such as `free_space`.
    pub check: String,
    /// What came of it.
    pub state: CheckState,
    /// Numbers, codes and known names of what was found.
    pub data: BTreeMap<String, Value>,
}

/// A run that failed, as far as it may be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedFailure {
    /// What it was to do; none if a later release began it.
    pub kind: Option<RunKind>,
    /// The model of most roles, or `<hidden>`.
    pub model: String,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// Why it failed, such as `provider_unreachable`.
    pub code: String,
    /// Numbers, codes and known names of the failure.
    pub data: BTreeMap<String, Value>,
}

impl Studio {
    /// The diagnostics of this studio; models on servers are not tried.
    pub async fn diagnostics(&self) -> Diagnostics {
        let checks = Self::doctor(self.settings(), Reach::ThisMachine).await;
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

/// The diagnostics of an installation, after `checks` of it; `features` is what the program was built with beside the studio.
///
/// A database that cannot be opened is listed in `unread`.
pub async fn diagnose(settings: &Settings, checks: &[CheckRow], features: &[&str]) -> Diagnostics {
    // Opening would make a folder and a database; looking must not.
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

/// What can be told without the database.
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

/// The settings that are not the default.
fn reported_settings(redaction: &Redaction, settings: &Settings) -> Result<Vec<ReportedSetting>, Error> {
    let sections: Vec<SectionDescription> = describe(Language::En);
    let rows = settings.rows(None)?.into_iter().filter(|row| row.layer != Layer::Default);
    Ok(rows.map(|row| redaction.setting(&sections, row)).collect())
}

fn failure(redaction: &Redaction, run: &Run) -> Option<ReportedFailure> {
    let failure = Ending::kept(run).failure?;
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

/// How large the files of the data folder are, by what they are for.
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
