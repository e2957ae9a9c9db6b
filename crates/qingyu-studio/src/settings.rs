//! Settings in layers: compiled-in defaults, the user's file, the project's file, the environment, flags.
//!
//! The library looks nothing up: the door passes the environment as a value and its flags as a table in the shape of
//! the settings file.
//!
//! The map:
//!
//! - [`Settings`]: the layers, and the folder they are read from
//! - [`values`]: what can be set
//! - [`Environment`], [`VARIABLES`]: the environment as a value, and the variables that count
//! - [`describe`]: every setting with its form, default, maximum and meaning
//! - `effective`: the layers merged, with where each value comes from
//! - `request`: what a request sets above them, as far as its caller may
//! - `maxima`: how large each number may be
//! - `change`: one setting written into a file; `edit`: the file around it left as it is

mod change;
mod edit;
mod effective;
mod environment;
pub(crate) mod maxima;
mod reference;
mod request;
pub mod values;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

pub use change::SettingChange;
pub(crate) use change::Wish;
pub(crate) use effective::Effective;
pub use environment::{Environment, VARIABLES, Variable};
pub use reference::{SectionDescription, SettingDescription, SettingForm, describe, described};
pub(crate) use request::{CASSETTE, RECORDING, RequestSettings, recordings};
pub use values::Values;

use crate::{Error, SettingRow};

/// The user's file in the data folder.
const USER_FILE: &str = "config.toml";

/// The settings every installation begins with.
pub const DEFAULTS: &str = include_str!("settings/defaults.toml");

/// Where a setting comes from; later layers win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Compiled in.
    Default,
    /// `config.toml` in the data folder.
    User,
    /// `projects/<id>.toml` in the data folder.
    Project,
    /// An environment variable.
    Environment,
    /// A flag of the command, or the request itself.
    Flag,
}

/// The layers of settings, not yet merged: which layers count depends on the project.
#[derive(Clone)]
pub struct Settings {
    home: PathBuf,
    environment: Environment,
    flags: Table,
    user: Arc<User>,
}

/// The user's file, for all who work with it.
struct User {
    now: RwLock<Arc<Read>>,
    /// Held by who changes a file of settings.
    writing: Mutex<()>,
}

/// What the user's file said when it was read last.
#[derive(Default)]
struct Read {
    table: Table,
    /// What holds where no project says otherwise, once it was asked for.
    usual: OnceLock<Arc<Effective>>,
}

impl User {
    fn new(table: Table) -> Arc<Self> {
        let read = Read { table, usual: OnceLock::new() };
        Arc::new(Self { now: RwLock::new(Arc::new(read)), writing: Mutex::new(()) })
    }

    fn now(&self) -> Arc<Read> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, table: Table) {
        let read = Read { table, usual: OnceLock::new() };
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
    }
}

impl Settings {
    /// Reads the user's settings file from the data folder that `environment` names, if there is one.
    ///
    /// `flags` has the shape of the settings file. Fails with [`Error::BadSettings`] if the file is no TOML, or any of
    /// the layers holds something that cannot be set.
    pub fn load(environment: Environment, flags: Table) -> Result<Self, Error> {
        let home = environment.home();
        let user = User::new(read(&home.join(USER_FILE), Layer::User)?);
        let settings = Self { home, environment, flags, user };
        settings.effective(None)?;
        Ok(settings)
    }

    /// Settings of a folder where nothing is set but `table`: for playing a run again, as it was.
    pub(crate) fn alone(home: PathBuf, table: Table) -> Result<Self, Error> {
        let (environment, user) = (Environment::default(), User::new(Table::new()));
        let settings = Self { home, environment, flags: table, user };
        settings.effective(None)?;
        Ok(settings)
    }

    /// The folder of data and settings.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.home.join("qingyu.db")
    }

    /// The file of a project's own settings.
    pub fn project_file(&self, project: &str) -> PathBuf {
        self.project_files().join(format!("{project}.toml"))
    }

    /// The folder of the projects' files of settings.
    fn project_files(&self) -> PathBuf {
        self.home.join("projects")
    }

    /// The projects that have a file of settings, by their ids; none if the folder cannot be read.
    pub(crate) fn projects_with_own(&self) -> Vec<String> {
        let entries = self.project_files().read_dir().into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(".toml").map(str::to_owned)).collect()
    }

    /// The folder of the author's own prompts, as `values` say.
    pub(crate) fn prompt_folder(&self, values: &Values) -> PathBuf {
        values.prompts.folder.clone().unwrap_or_else(|| self.home.join("prompts"))
    }

    /// What holds, for a project if one is named: every setting with its layer, by name. Secrets are not shown.
    pub fn rows(&self, project: Option<&str>) -> Result<Vec<SettingRow>, Error> {
        Ok(self.effective(project)?.rows())
    }

    /// What can be set, as it holds for a project if one is named.
    pub fn values(&self, project: Option<&str>) -> Result<Values, Error> {
        Ok(self.effective(project)?.values.clone())
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn flags(&self) -> &Table {
        &self.flags
    }

    /// The layers merged, without any request.
    pub(crate) fn effective(&self, project: Option<&str>) -> Result<Arc<Effective>, Error> {
        self.effective_with(project, RequestSettings::default())
    }

    /// The layers merged; `request` goes over all.
    pub(crate) fn effective_with(
        &self,
        project: Option<&str>,
        request: RequestSettings,
    ) -> Result<Arc<Effective>, Error> {
        let file = project.map(|project| self.project_file(project));
        let of_project = file.as_deref().map(|path| read(path, Layer::Project)).transpose()?.unwrap_or_default();
        let user = self.user.now();
        let is_usual = of_project.is_empty() && request.is_empty();
        if let Some(usual) = user.usual.get().filter(|_| is_usual) {
            return Ok(Arc::clone(usual));
        }
        let of_project = file.map(|file| (file, of_project));
        let effective = Arc::new(self.merged(user.table.clone(), of_project, None, request)?);
        if is_usual {
            // Who was first has put the same there.
            let _ = user.usual.set(Arc::clone(&effective));
        }
        Ok(effective)
    }

    /// The layers merged for a run that goes on; what was set when it began, with its id, goes below the flags.
    pub(crate) fn effective_of_run(
        &self,
        project: &str,
        (run, earlier): (String, RequestSettings),
        request: RequestSettings,
    ) -> Result<Arc<Effective>, Error> {
        if earlier.is_empty() {
            return self.effective_with(Some(project), request);
        }
        let file = self.project_file(project);
        let of_project = read(&file, Layer::Project)?;
        let user = self.user.now().table.clone();
        self.merged(user, Some((file, of_project)), Some((run, earlier)), request).map(Arc::new)
    }

    /// What the files say, without what goes over them.
    fn of_files(&self, user: Table, of_project: Option<(PathBuf, Table)>) -> Effective {
        let name = |path: &Path| Some(path.display().to_string());
        let mut effective = Effective::new(DEFAULTS.parse().expect("the compiled-in settings are tested"));
        effective.put(Layer::User, name(&self.home.join(USER_FILE)), user);
        if let Some((path, table)) = of_project {
            effective.put(Layer::Project, name(&path), table);
        }
        effective
    }

    fn merged(
        &self,
        user: Table,
        of_project: Option<(PathBuf, Table)>,
        of_run: Option<(String, RequestSettings)>,
        request: RequestSettings,
    ) -> Result<Effective, Error> {
        let mut effective = self.of_files(user, of_project);
        for Variable { name, setting } in VARIABLES {
            if let (Some(setting), Some(value)) = (setting, self.environment.get(name)) {
                let mut table = Table::new();
                assign(&mut table, setting, value)?;
                effective.put(Layer::Environment, Some((*name).into()), table);
            }
        }
        // Limits of both requests are compared with what the machine says, so that a later one may raise an earlier one.
        let mut machine = effective.clone();
        machine.put(Layer::Flag, None, self.flags.clone());
        let (request, limits_kept) = request.over(&machine)?;
        if let Some((run, earlier)) = of_run {
            // What of it was not allowed was said when the run began.
            effective.put(Layer::Flag, Some(run), earlier.over(&machine)?.0);
        }
        effective.limits_kept = limits_kept;
        effective.put(Layer::Flag, None, self.flags.clone());
        effective.put(Layer::Flag, None, request);
        effective.check()
    }
}

/// Shows which settings there are, not their values: some may be secret.
impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("home", &self.home)
            .field("environment", &self.environment)
            .field("user", &self.user.now().table.keys().collect::<Vec<_>>())
            .field("flags", &self.flags.keys().collect::<Vec<_>>())
            .finish()
    }
}

/// Sets `key=value` in a table of settings: `assign(&mut flags, "pipeline.max_iterations", "2")`.
///
/// The value is read as TOML and, if it is none, taken as a string.
pub fn assign(table: &mut Table, key: &str, value: &str) -> Result<(), Error> {
    let parsed = value.parse::<Value>().unwrap_or_else(|_| Value::String(value.into()));
    let bad = |message: &str| Error::BadSettings {
        layer: Layer::Flag,
        source_name: None,
        key: key.into(),
        message: message.into(),
    };
    let names = names_of(key).ok_or_else(|| bad("that is no name of a setting"))?;
    edit::change(table, &names, Some(&parsed)).ok_or_else(|| bad("a part of the name is no table"))
}

/// More parts than any setting has. What is nested thousands of tables deep would end the program when it is let go.
const MOST_PARTS: usize = 32;

/// The parts of a name such as `models.default`; none of them is empty. One with a dot in it stands in quotation marks, as in a
/// file.
fn names_of(key: &str) -> Option<Vec<String>> {
    let names = match key.contains(['"', '\'']) {
        true => quoted_names_of(key)?,
        false => key.split('.').take(MOST_PARTS + 1).map(str::to_owned).collect(),
    };
    Some(names).filter(|names| names.len() <= MOST_PARTS && !names.iter().any(String::is_empty))
}

fn quoted_names_of(key: &str) -> Option<Vec<String>> {
    let mut table: Table = format!("{key} = 0").parse().ok().filter(|_| !key.contains(['=', '#', '\n']))?;
    let mut names = Vec::new();
    while let Some((name, value)) = std::mem::take(&mut table).into_iter().next() {
        names.push(name);
        if let Value::Table(inner) = value {
            table = inner;
        }
    }
    Some(names)
}

/// Reads a settings file; an absent one is empty.
fn read(path: &Path, layer: Layer) -> Result<Table, Error> {
    parsed(path, layer, &text_of(path, layer)?)
}

/// The text of a settings file; that of an absent one is empty.
fn text_of(path: &Path, layer: Layer) -> Result<String, Error> {
    match std::fs::read_to_string(path) {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(String::new())
        }
        text => text.map_err(|error| bad_file(path, layer, error.to_string())),
    }
}

/// What the text of a settings file says.
fn parsed(path: &Path, layer: Layer, text: &str) -> Result<Table, Error> {
    // The message alone: the whole error quotes the line, which may hold a secret.
    text.parse().map_err(|error: toml::de::Error| bad_file(path, layer, position(text, &error)))
}

fn bad_file(path: &Path, layer: Layer, message: String) -> Error {
    Error::BadSettings { layer, source_name: Some(path.display().to_string()), key: String::new(), message }
}

/// What is wrong with a file, and in which line.
fn position(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {message}", before.matches('\n').count() + 1),
        None => message.into(),
    }
}
