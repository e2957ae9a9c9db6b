//! The studio as doors use it.

mod installation;
mod settings;

use std::path::Path;

use qingyu_studio::{Environment, Settings};

/// Settings of a data folder, with these variables beside `QINGYU_HOME`.
fn environment(home: &Path, variables: &[(&str, &str)]) -> Environment {
    let home = ("QINGYU_HOME", home.to_str().unwrap());
    Environment::new([home].iter().chain(variables).map(|(name, value)| ((*name).into(), (*value).into())))
}

/// A table of settings from `key=value` pairs.
fn table(assignments: &[(&str, &str)]) -> toml::Table {
    let mut table = toml::Table::new();
    for (key, value) in assignments {
        qingyu_studio::settings::assign(&mut table, key, value).unwrap();
    }
    table
}

fn offline(home: &Path) -> Settings {
    Settings::load(environment(home, &[("QINGYU_MODEL", "offline-rules-1")]), toml::Table::new()).unwrap()
}
