//! Settings in layers: compiled-in defaults, the user's file, the project's file, the environment, flags.
//!
//! The library looks nothing up: the door passes the environment as a value and its flags as a table in the shape of
//! the settings file.

mod environment;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

pub use environment::{Environment, VARIABLES, Variable};

use crate::Error;

/// The settings every installation begins with.
pub const DEFAULTS: &str = include_str!("settings/defaults.toml");

/// Where a setting comes from; later layers win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[derive(Debug, Clone)]
pub struct Settings {
    home: PathBuf,
    environment: Environment,
    user: Table,
    flags: Table,
}

impl Settings {
    /// Reads the user's settings file from the data folder that `environment` names, if there is one.
    ///
    /// `flags` has the shape of the settings file. Fails with [`Error::BadSettings`] if the file is no TOML.
    pub fn load(environment: Environment, flags: Table) -> Result<Self, Error> {
        let home = environment.home();
        let user = read(&home.join("config.toml"), Layer::User)?;
        Ok(Self { home, environment, user, flags })
    }

    /// The folder of data and settings.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.home.join("qingyu.db")
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
    let mut names: Vec<&str> = key.split('.').collect();
    let last = names.pop().filter(|name| !name.is_empty()).ok_or_else(|| bad("the name is empty"))?;
    let mut place = table;
    for name in names {
        let inner = place.entry(name).or_insert_with(|| Value::Table(Table::new()));
        place = inner.as_table_mut().ok_or_else(|| bad("a part of the name is no table"))?;
    }
    place.insert(last.into(), parsed);
    Ok(())
}

/// Reads a settings file; an absent one is empty.
fn read(path: &Path, layer: Layer) -> Result<Table, Error> {
    let bad = |message: String| Error::BadSettings {
        layer,
        source_name: Some(path.display().to_string()),
        key: String::new(),
        message,
    };
    match std::fs::read_to_string(path) {
        Ok(text) => text.parse().map_err(|error: toml::de::Error| bad(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Table::new()),
        Err(error) => Err(bad(error.to_string())),
    }
}
