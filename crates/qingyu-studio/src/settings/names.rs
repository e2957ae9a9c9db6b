//! Dotted names of settings.

use toml::{Table, Value};

use crate::error::Error;
use crate::settings::edit;
use crate::settings::layer::SettingLayer;

/// Sets `key=value` in a table of settings: `assign(&mut flags, "pipeline.max_iterations", "2")`.
///
/// Parses the value as TOML, with a plain string as fallback.
pub fn assign(table: &mut Table, key: &str, value: &str) -> Result<(), Error> {
    let parsed = value.parse::<Value>().unwrap_or_else(|_| Value::String(value.into()));
    let bad = |message: &str| Error::BadSettings {
        layer: SettingLayer::Flag,
        source_name: None,
        key: key.into(),
        message: message.into(),
    };
    let names = names_of(key).ok_or_else(|| bad("that is no name of a setting"))?;
    edit::change(table, &names, Some(&parsed)).ok_or_else(|| bad("a part of the name is no table"))
}

/// More parts than any setting has. Dropping tables nested thousands of levels deep would overflow the stack.
const MOST_PARTS: usize = 32;

/// Parses a name such as `models.default` into its non-empty parts. Parts containing a dot are quoted, as in a file.
pub(crate) fn names_of(key: &str) -> Option<Vec<String>> {
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
