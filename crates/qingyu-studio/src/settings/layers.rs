//! The layers of settings, not yet merged.

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use toml::Table;

use crate::error::Error;
use crate::settings::defaults::DEFAULTS;
use crate::settings::effective::EffectiveSettings;
use crate::settings::environment::{Environment, VARIABLES, Variable};
use crate::settings::files::{USER_FILE, read};
use crate::settings::layer::SettingLayer;
use crate::settings::names::assign;
use crate::settings::request::RequestSettings;
use crate::settings::row::SettingRow;
use crate::settings::values::SettingValues;

/// The layers of settings, not yet merged: the relevant layers depend on the project.
#[derive(Clone)]
pub struct Settings {
    pub(super) home: PathBuf,
    environment: Environment,
    flags: Table,
    pub(super) user: Arc<UserSettings>,
}

/// The user's file, shared by all clones.
pub(super) struct UserSettings {
    now: RwLock<Arc<LoadedUserFile>>,
    /// The lock for changing a settings file.
    pub(super) writing: Mutex<()>,
}

/// The content of the user's file at the last read.
#[derive(Default)]
pub(super) struct LoadedUserFile {
    pub(super) table: Table,
    /// A cache of the effective settings without project settings.
    usual: OnceLock<Arc<EffectiveSettings>>,
}

impl UserSettings {
    fn new(table: Table) -> Arc<Self> {
        let read = LoadedUserFile { table, usual: OnceLock::new() };
        Arc::new(Self { now: RwLock::new(Arc::new(read)), writing: Mutex::new(()) })
    }

    pub(super) fn now(&self) -> Arc<LoadedUserFile> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn put(&self, table: Table) {
        let read = LoadedUserFile { table, usual: OnceLock::new() };
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
    }
}

impl Settings {
    /// Loads the user's settings file, if any, from the data folder named by `environment`.
    ///
    /// `flags` has the format of the settings file. Returns [`Error::BadSettings`] if the file is not valid TOML, or
    /// any layer contains an unknown setting or an invalid value.
    pub fn load(environment: Environment, flags: Table) -> Result<Self, Error> {
        let home = environment.home();
        let user = UserSettings::new(read(&home.join(USER_FILE), SettingLayer::User)?);
        let settings = Self { home, environment, flags, user };
        settings.effective(None)?;
        Ok(settings)
    }

    /// Returns settings consisting of `table` only, for an exact replay of a run.
    pub(crate) fn alone(home: PathBuf, table: Table) -> Result<Self, Error> {
        let (environment, user) = (Environment::default(), UserSettings::new(Table::new()));
        let settings = Self { home, environment, flags: table, user };
        settings.effective(None)?;
        Ok(settings)
    }

    /// Returns the folder of data and settings.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the path of the database file.
    pub fn database(&self) -> PathBuf {
        self.home.join("qingyu.db")
    }

    /// Returns the path of a project's settings file.
    pub(crate) fn project_file(&self, project: &str) -> PathBuf {
        self.project_files().join(format!("{project}.toml"))
    }

    /// Returns the folder of the projects' settings files.
    fn project_files(&self) -> PathBuf {
        self.home.join("projects")
    }

    /// Returns the IDs of the projects with a settings file; empty if the folder is not readable.
    pub(crate) fn projects_with_own(&self) -> Vec<String> {
        let entries = self.project_files().read_dir().into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(".toml").map(str::to_owned)).collect()
    }

    /// Returns the folder of the author's prompts according to `values`.
    pub(crate) fn prompt_folder(&self, values: &SettingValues) -> PathBuf {
        values.prompts.folder.clone().unwrap_or_else(|| self.home.join("prompts"))
    }

    /// Returns all effective settings with their layers, by name, for the user or a project. Secrets are masked.
    pub fn rows(&self, project: Option<&str>) -> Result<Vec<SettingRow>, Error> {
        Ok(self.effective(project)?.rows())
    }

    /// Returns the effective values, for the user or a project.
    pub(crate) fn values(&self, project: Option<&str>) -> Result<SettingValues, Error> {
        Ok(self.effective(project)?.values.clone())
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn flags(&self) -> &Table {
        &self.flags
    }

    /// Merges the layers without request overrides.
    pub(crate) fn effective(&self, project: Option<&str>) -> Result<Arc<EffectiveSettings>, Error> {
        self.effective_with(project, RequestSettings::default())
    }

    /// Merges the layers; `request` overrides all layers.
    pub(crate) fn effective_with(
        &self,
        project: Option<&str>,
        request: RequestSettings,
    ) -> Result<Arc<EffectiveSettings>, Error> {
        let file = project.map(|project| self.project_file(project));
        let of_project = file.as_deref().map(|path| read(path, SettingLayer::Project)).transpose()?.unwrap_or_default();
        let user = self.user.now();
        let is_usual = of_project.is_empty() && request.is_empty();
        if let Some(usual) = user.usual.get().filter(|_| is_usual) {
            return Ok(Arc::clone(usual));
        }
        let of_project = file.map(|file| (file, of_project));
        let effective = Arc::new(self.merged(user.table.clone(), of_project, None, request)?);
        if is_usual {
            // A concurrent thread cached the same value.
            let _ = user.usual.set(Arc::clone(&effective));
        }
        Ok(effective)
    }

    /// Merges the layers for a resumed run; the overrides of its start, with the run's ID, rank below the flags.
    pub(crate) fn effective_of_run(
        &self,
        project: &str,
        (run, earlier): (String, RequestSettings),
        request: RequestSettings,
    ) -> Result<Arc<EffectiveSettings>, Error> {
        if earlier.is_empty() {
            return self.effective_with(Some(project), request);
        }
        let file = self.project_file(project);
        let of_project = read(&file, SettingLayer::Project)?;
        let user = self.user.now().table.clone();
        self.merged(user, Some((file, of_project)), Some((run, earlier)), request).map(Arc::new)
    }

    /// Merges the files, without environment, flags and overrides.
    pub(super) fn of_files(&self, user: Table, of_project: Option<(PathBuf, Table)>) -> EffectiveSettings {
        let name = |path: &Path| Some(path.display().to_string());
        let mut effective = EffectiveSettings::new(DEFAULTS.parse().expect("the compiled-in settings are tested"));
        effective.put(SettingLayer::User, name(&self.home.join(USER_FILE)), user);
        if let Some((path, table)) = of_project {
            effective.put(SettingLayer::Project, name(&path), table);
        }
        effective
    }

    /// Merges the layers, lowest first: files, environment, an earlier request of the run, flags, `request`. Requests
    /// are limited by the settings of the machine. Fails if a value is invalid.
    pub(super) fn merged(
        &self,
        user: Table,
        of_project: Option<(PathBuf, Table)>,
        of_run: Option<(String, RequestSettings)>,
        request: RequestSettings,
    ) -> Result<EffectiveSettings, Error> {
        let mut effective = self.of_files(user, of_project);
        for Variable { name, setting } in VARIABLES {
            if let (Some(setting), Some(value)) = (setting, self.environment.get(name)) {
                let mut table = Table::new();
                assign(&mut table, setting, value)?;
                effective.put(SettingLayer::Environment, Some((*name).into()), table);
            }
        }
        // Compares the limits of both requests with the machine's settings, so a later request may raise a limit of an
        // earlier request.
        let mut machine = effective.clone();
        machine.put(SettingLayer::Flag, None, self.flags.clone());
        let (request, limits_kept) = request.over(&machine)?;
        if let Some((run, earlier)) = of_run {
            // Rejected parts were reported at the start of the run.
            effective.put(SettingLayer::Flag, Some(run), earlier.over(&machine)?.0);
        }
        effective.limits_kept = limits_kept;
        effective.put(SettingLayer::Flag, None, self.flags.clone());
        effective.put(SettingLayer::Flag, None, request);
        effective.check()
    }
}

/// Formats the names of the settings without values: some values may be secret.
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
