//! Inserting, changing and removing a setting in a settings file.

use std::path::Path;

use qingyu_llm::{Prices, Providers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::settings::edit;
use crate::settings::effective::{EffectiveSettings, STARS, shown};
use crate::settings::files::{USER_FILE, parsed, text_of};
use crate::settings::layer::SettingLayer;
use crate::settings::layers::Settings;
use crate::settings::machine::{OF_THE_MACHINE, READ_AT_START, names_a_file};
use crate::settings::names::names_of;
use crate::settings::request::RequestSettings;
use crate::storage::written::write_whole;

/// The state of a setting after a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChange {
    /// The key in the settings file, such as `models.default`.
    pub key: String,
    /// The effective value, `"***"` for secrets; null if no layer sets the key.
    pub value: serde_json::Value,
    /// The layer of the effective value; `None` if no layer sets the key.
    pub layer: Option<SettingLayer>,
    /// The file or variable setting the value.
    pub source: Option<String>,
    /// The written layer. A higher layer may override it.
    pub written: SettingLayer,
    /// Whether the change applies only after a server restart.
    pub restart: bool,
}

/// An edit of a setting inside a section; files have no settings outside sections.
#[derive(Debug)]
pub(crate) struct SettingEdit {
    key: String,
    names: Vec<String>,
    value: Option<Value>,
}

impl SettingEdit {
    /// Parses a dotted key and a value; `None` removes the setting.
    pub(crate) fn new(key: &str, value: Option<serde_json::Value>) -> Result<Self, Error> {
        let bad = |message: &str| bad(SettingLayer::User, key, message);
        let names = names_of(key.trim()).filter(|names| names.iter().all(|name| !name.contains(char::is_control)));
        let names = names.ok_or_else(|| bad("that is no name of a setting"))?;
        if names.len() < 2 {
            return Err(bad("a setting is named with its section, such as budget.tokens"));
        }
        let value =
            value.map(|value| Value::try_from(value).map_err(|_| bad("a setting cannot be empty"))).transpose()?;
        let key = edit::written(&names);
        Ok(Self { key, names, value })
    }

    /// Returns whether the setting is restricted to the local user.
    pub(crate) fn is_of_the_machine(&self) -> bool {
        let section = self.names.first().map(String::as_str).unwrap_or_default();
        OF_THE_MACHINE.contains(&section) || self.value.as_ref().is_some_and(|value| names_a_file(value, &|_| false))
    }
}

impl Settings {
    /// Changes the user's file or a project's file, preserving the rest. Writes the file only after validating the
    /// resulting settings.
    ///
    /// Returns [`Error::BadSettings`] if the value or the resulting file is invalid.
    pub(crate) fn write(&self, project: Option<&str>, wish: &SettingEdit) -> Result<SettingChange, Error> {
        let _alone = self.user.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (path, layer) = match project {
            Some(project) => (self.project_file(project), SettingLayer::Project),
            None => (self.home.join(USER_FILE), SettingLayer::User),
        };
        let old = text_of(&path, layer)?;
        let before = parsed(&path, layer, &old)?;
        let value = wish.value.clone().map(|value| unstarred(value, &wish.names, &before)).transpose();
        let value =
            value.map_err(|()| bad(layer, &wish.key, "*** stands for a secret that is not there; say it anew"))?;
        let text = edit::edited(&old, &wish.names, value.as_ref());
        let text = text.ok_or_else(|| bad(layer, &wish.key, "it cannot be put into the file as that is written"))?;
        let table: Table = text.parse().map_err(|_| bad(layer, &wish.key, "the file would be no TOML"))?;
        let (user, of_project) = match project {
            Some(_) => (self.user.now().table.clone(), Some((path.clone(), table.clone()))),
            None => (table.clone(), None),
        };
        // A higher layer must not hide an invalid file.
        sound(&self.of_files(user.clone(), of_project.clone()).check()?)?;
        let effective = self.merged(user, of_project, None, RequestSettings::default())?;
        if text != old {
            put(&path, &text).map_err(|error| FailureContext { database: &path, run: "" }.file(&path, &error))?;
        }
        if project.is_none() {
            self.user.put(table);
        }
        Ok(changed(&effective, wish, layer))
    }
}

/// Validates providers and prices, otherwise parsed only at their first use.
fn sound(effective: &EffectiveSettings) -> Result<(), Error> {
    let values = &effective.values;
    Providers::with_overrides(&values.providers).map_err(|error| effective.bad("providers", error.to_string()))?;
    Prices::with_overrides(&values.prices).map_err(|error| effective.bad("prices", error.to_string()))?;
    Ok(())
}

fn changed(effective: &EffectiveSettings, wish: &SettingEdit, written: SettingLayer) -> SettingChange {
    let value = effective.value(&wish.names).map(|value| shown_whole(&wish.names, value));
    let (layer, source) = match value {
        Some(_) => effective.said_by(&wish.names),
        None => (None, None),
    };
    let restart = READ_AT_START.contains(&wish.names[0].as_str());
    SettingChange { key: wish.key.clone(), value: value.unwrap_or_default(), layer, source, written, restart }
}

/// Returns a value with all nested secrets masked.
fn shown_whole(names: &[String], value: &Value) -> serde_json::Value {
    let Value::Table(table) = value else { return shown(names, value) };
    let inner = table.iter().map(|(name, value)| {
        let names: Vec<String> = names.iter().chain([name]).cloned().collect();
        (name.clone(), shown_whole(&names, value))
    });
    serde_json::Value::Object(inner.collect())
}

/// Replaces masked secrets in the value by the secrets in the file: callers changing a part of a table see its secrets
/// masked only. Returns an error if the file has no such secret.
fn unstarred(value: Value, names: &[String], before: &Table) -> Result<Value, ()> {
    match value {
        Value::String(text) if text == STARS => edit::at(before, names).cloned().ok_or(()),
        Value::Table(table) => {
            let inner = table.into_iter().map(|(name, value)| {
                let names: Vec<String> = names.iter().chain([&name]).cloned().collect();
                Ok((name, unstarred(value, &names, before)?))
            });
            Ok(Value::Table(inner.collect::<Result<Table, ()>>()?))
        }
        value => Ok(value),
    }
}

/// Writes the file, following a symbolic link.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    write_whole(&path, text)
}

fn bad(layer: SettingLayer, key: &str, message: &str) -> Error {
    Error::BadSettings { layer, source_name: None, key: key.into(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_starts_programs_or_names_files_is_of_the_machine() {
        let is_of_the_machine =
            |key: &str, value: serde_json::Value| SettingEdit::new(key, Some(value)).unwrap().is_of_the_machine();
        assert!(is_of_the_machine("mcp_servers.clock.command", "uvx".into()));
        assert!(is_of_the_machine("providers.mine.base_url", "http://127.0.0.1:9/v1".into()));
        assert!(is_of_the_machine("models.default", "cassette:/etc/passwd".into()));
        assert!(is_of_the_machine("models.fallbacks", serde_json::json!(["a/b", "cassette:x"])));
        assert!(!is_of_the_machine("models.default", "deepseek/deepseek-flash".into()));
        assert!(!is_of_the_machine("budget.tokens", 5.into()));
    }

    #[test]
    fn names_have_a_section_and_no_odd_signs() {
        for key in ["", "budget", ".tokens", "budget.", "a\n.b", "a.\"b\nc\"", "a.\"b\" = 1 #"] {
            assert!(SettingEdit::new(key, Some(1.into())).is_err(), "{key:?}");
        }
        assert!(SettingEdit::new(&["a"; 33].join("."), Some(1.into())).is_err(), "no setting has so many parts");
        assert_eq!(
            SettingEdit::new("prices.\"gpt-6.1-sol\".input", None).unwrap().names,
            ["prices", "gpt-6.1-sol", "input"]
        );
        assert!(SettingEdit::new("budget.tokens", Some(serde_json::Value::Null)).is_err());
    }
}
