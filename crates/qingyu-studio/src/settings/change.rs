//! One setting written into a file, or taken out of it.

use std::path::Path;

use qingyu_llm::{Prices, Providers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::effective::{STARS, shown};
use super::{Effective, Layer, RequestSettings, Settings, USER_FILE, edit, names_of, parsed, text_of};
use crate::Error;
use crate::failures::Place;
use crate::written::write_whole;

/// What is read once, when the server starts.
pub(super) const READ_AT_START: [&str; 3] = ["server", "storage", "mcp_servers"];
/// What starts programs, names files and addresses, or says where keys are sent: for whoever works at the machine alone.
pub(super) const OF_THE_MACHINE: [&str; 7] =
    ["mcp_servers", "providers", "server", "storage", "web", "prompts", "lists"];
/// What makes the name of a model one of a file, in any case.
const FILES: [&str; 4] = ["cassette:", "recording:", "local:", "file:"];

/// What a setting is, now that it was changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChange {
    /// Its place in the file, such as `models.default`.
    pub key: String,
    /// Its value as it holds now, `"***"` for secrets; nothing if no layer says anything.
    pub value: serde_json::Value,
    /// The layer that it comes from now; none if no layer says anything.
    pub layer: Option<Layer>,
    /// The file or variable it comes from.
    pub source: Option<String>,
    /// The layer that was written. What holds comes from another one where that goes over it.
    pub written: Layer,
    /// Whether it is minded only once the server is started anew.
    pub restart: bool,
}

/// A setting that is to be changed: in a section, since no file has any outside of one.
#[derive(Debug)]
pub(crate) struct Wish {
    key: String,
    names: Vec<String>,
    value: Option<Value>,
}

impl Wish {
    /// Of a name in dots and a value, or none if what is there is to be taken out.
    pub(crate) fn new(key: &str, value: Option<serde_json::Value>) -> Result<Self, Error> {
        let bad = |message: &str| bad(Layer::User, key, message);
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

    /// Whether it is for whoever works at the machine alone.
    pub(crate) fn is_of_the_machine(&self) -> bool {
        let section = self.names.first().map(String::as_str).unwrap_or_default();
        OF_THE_MACHINE.contains(&section) || self.value.as_ref().is_some_and(|value| names_a_file(value, &|_| false))
    }
}

/// Whether a text in the value stands for a file, other than those that are `allowed`.
pub(super) fn names_a_file(value: &Value, allowed: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => {
            let start = text.trim_start().to_lowercase();
            FILES.iter().any(|file| start.starts_with(file)) && !allowed(text)
        }
        Value::Array(values) => values.iter().any(|value| names_a_file(value, allowed)),
        Value::Table(table) => table.iter().any(|(_, value)| names_a_file(value, allowed)),
        _ => false,
    }
}

impl Settings {
    /// Changes the user's file, or that of a project. The rest of the file stays as it is, and nothing is written that the
    /// settings could not be read from.
    ///
    /// Fails with [`Error::BadSettings`] if the value, or the file as it would be, is wrong.
    pub(crate) fn write(&self, project: Option<&str>, wish: &Wish) -> Result<SettingChange, Error> {
        let _alone = self.user.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (path, layer) = match project {
            Some(project) => (self.project_file(project), Layer::Project),
            None => (self.home.join(USER_FILE), Layer::User),
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
        // What goes over the file must not hide that it is wrong.
        sound(&self.of_files(user.clone(), of_project.clone()).check()?)?;
        let effective = self.merged(user, of_project, None, RequestSettings::default())?;
        if text != old {
            put(&path, &text).map_err(|error| Place { database: &path, run: "" }.file(&path, &error))?;
        }
        if project.is_none() {
            self.user.put(table);
        }
        Ok(changed(&effective, wish, layer))
    }
}

/// What is only looked at when it is used, and would fail there.
fn sound(effective: &Effective) -> Result<(), Error> {
    let values = &effective.values;
    Providers::with_overrides(&values.providers).map_err(|error| effective.bad("providers", error.to_string()))?;
    Prices::with_overrides(&values.prices).map_err(|error| effective.bad("prices", error.to_string()))?;
    Ok(())
}

fn changed(effective: &Effective, wish: &Wish, written: Layer) -> SettingChange {
    let value = effective.value(&wish.names).map(|value| shown_whole(&wish.names, value));
    let (layer, source) = match value {
        Some(_) => effective.said_by(&wish.names),
        None => (None, None),
    };
    let restart = READ_AT_START.contains(&wish.names[0].as_str());
    SettingChange { key: wish.key.clone(), value: value.unwrap_or_default(), layer, source, written, restart }
}

/// A value and all in it as it may be shown.
fn shown_whole(names: &[String], value: &Value) -> serde_json::Value {
    let Value::Table(table) = value else { return shown(names, value) };
    let inner = table.iter().map(|(name, value)| {
        let names: Vec<String> = names.iter().chain([name]).cloned().collect();
        (name.clone(), shown_whole(&names, value))
    });
    serde_json::Value::Object(inner.collect())
}

/// The value with what the file has in the place of stars: whoever changes a part of a table was not shown its secrets.
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

/// Writes the file, which a link may lead to.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    write_whole(&path, text)
}

fn bad(layer: Layer, key: &str, message: &str) -> Error {
    Error::BadSettings { layer, source_name: None, key: key.into(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_starts_programs_or_names_files_is_of_the_machine() {
        let is_of_the_machine =
            |key: &str, value: serde_json::Value| Wish::new(key, Some(value)).unwrap().is_of_the_machine();
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
            assert!(Wish::new(key, Some(1.into())).is_err(), "{key:?}");
        }
        assert!(Wish::new(&["a"; 33].join("."), Some(1.into())).is_err(), "no setting has so many parts");
        assert_eq!(Wish::new("prices.\"gpt-6.1-sol\".input", None).unwrap().names, ["prices", "gpt-6.1-sol", "input"]);
        assert!(Wish::new("budget.tokens", Some(serde_json::Value::Null)).is_err());
    }
}
