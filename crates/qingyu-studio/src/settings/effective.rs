//! The layers merged, with where each value comes from.

use qingyu_agents::notice::Notice;
use serde::Deserialize;
use toml::{Table, Value};

use super::{Layer, Values, edit, names_of};
use crate::{Error, SettingRow};

/// What stands for a secret.
pub(super) const STARS: &str = "***";

/// The layers merged.
#[derive(Clone)]
pub(crate) struct Effective {
    /// What can be set.
    pub(crate) values: Values,
    /// The limits that a request would have raised and that hold as they were.
    pub(crate) limits_kept: Vec<Notice>,
    table: Table,
    /// What was put together, lowest first: where it comes from, and what it says.
    layers: Vec<(Layer, Option<String>, Table)>,
}

impl Effective {
    /// The settings as they are compiled in.
    pub(crate) fn new(defaults: Table) -> Self {
        let mut effective =
            Self { values: Values::default(), limits_kept: Vec::new(), table: Table::new(), layers: Vec::new() };
        effective.put(Layer::Default, None, defaults);
        effective
    }

    /// Puts a layer on top.
    pub(crate) fn put(&mut self, layer: Layer, source: Option<String>, table: Table) {
        merge(&mut self.table, &table);
        self.layers.push((layer, source, table));
    }

    /// Reads the values; fails with [`Error::BadSettings`] naming what is wrong and the layer it is in.
    pub(crate) fn check(mut self) -> Result<Self, Error> {
        match serde_path_to_error::deserialize::<_, Values>(Value::Table(self.table.clone())) {
            Ok(values) => self.values = values,
            Err(error) => {
                let key = error.path().to_string();
                return Err(self.bad(&key, error.inner().message().trim().to_owned()));
            }
        }
        super::maxima::check(&self.table).map_err(|(key, message)| self.bad(&key, message))?;
        self.values.check().map_err(|(key, message)| self.bad(&key, message))?;
        Ok(self)
    }

    /// Where a setting comes from; for a table, where the last of its values does.
    pub(crate) fn layer(&self, key: &str) -> Layer {
        self.origin(key).0
    }

    /// What holds at this place.
    pub(super) fn value(&self, names: &[String]) -> Option<&Value> {
        edit::at(&self.table, names)
    }

    /// The highest layer that says something about this place itself.
    pub(super) fn said_by(&self, names: &[String]) -> (Option<Layer>, Option<String>) {
        let path: Vec<&str> = names.iter().map(String::as_str).collect();
        let saying = self.layers.iter().rev().find(|(_, _, table)| says(table, &path));
        saying.map(|(layer, source, _)| (Some(*layer), source.clone())).unwrap_or_default()
    }

    /// The failure that blames `key`.
    pub(crate) fn bad(&self, key: &str, message: String) -> Error {
        let (layer, source_name) = self.origin(key);
        Error::BadSettings { layer, source_name, key: key.into(), message }
    }

    /// The highest layer that says something about `key`, or about the nearest table around it.
    fn origin(&self, key: &str) -> (Layer, Option<String>) {
        let names = names_of(key).unwrap_or_default();
        let path: Vec<&str> = names.iter().map(String::as_str).collect();
        let around = (1..=path.len()).rev().map(|length| &path[..length]);
        let found = around.flat_map(|path| self.layers.iter().rev().filter(|(_, _, table)| says(table, path)));
        found.map(|(layer, source, _)| (*layer, source.clone())).next().unwrap_or((Layer::Default, None))
    }

    /// What decides how a run goes: the settings without those that only say who serves it, what it may cost and where it is
    /// kept. Nothing in it is secret.
    pub(crate) fn of_the_work(&self) -> Table {
        const ELSEWHERE: [&str; 13] = [
            "ui",
            "server",
            "models",
            "providers",
            "prices",
            "budget",
            "cassettes",
            "timeouts",
            "retries",
            "mcp_servers",
            "storage",
            "prompts",
            "limits",
        ];
        let mut table = self.table.clone();
        table.retain(|name, _| !ELSEWHERE.contains(&name));
        if let Some(tokens) = self.table.get("limits").and_then(|limits| limits.get("answer_tokens")) {
            table.insert(
                "limits".into(),
                Value::Table([("answer_tokens".to_owned(), tokens.clone())].into_iter().collect()),
            );
        }
        drop_private(&mut table);
        table
    }

    /// Every setting, by name; secrets are starred out.
    pub(crate) fn rows(&self) -> Vec<SettingRow> {
        let row = |(path, value): (Vec<String>, Value)| {
            let (layer, source) = self.said_by(&path);
            let layer = layer.expect("a merged value comes from a layer");
            SettingRow { value: shown(&path, &value), layer, source, key: edit::written(&path) }
        };
        let mut rows: Vec<SettingRow> = leaves(&self.table).into_iter().map(row).collect();
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        rows
    }
}

/// Takes out texts that may not be shown.
fn drop_private(table: &mut Table) {
    table.retain(|name, value| match value {
        Value::Table(inner) => {
            drop_private(inner);
            true
        }
        value => shown(&[name.to_owned()], value).as_str() != Some(STARS),
    });
}

/// Whether a layer holds something at this place.
fn says(table: &Table, path: &[&str]) -> bool {
    match path {
        [] => true,
        [name, rest @ ..] => match table.get(*name) {
            Some(Value::Table(inner)) => says(inner, rest),
            Some(_) => rest.is_empty(),
            None => false,
        },
    }
}

/// A value as it may be shown: no header of a provider or a server of tools, nothing of such a server's environment, no password and
/// no query of an address, and no argument of a program that is named a secret.
pub(super) fn shown(path: &[String], value: &Value) -> serde_json::Value {
    let is_private = match path.first().map(String::as_str) {
        Some("providers") => path.iter().any(|name| name == "headers" || name.starts_with("extra_body")),
        Some("mcp_servers") => path.get(2).is_some_and(|name| name == "headers" || name == "env"),
        _ => false,
    };
    if is_private {
        return STARS.into();
    }
    match value {
        Value::String(text) if is_secret(text) || path.last().is_some_and(|name| names_secret(name)) => STARS.into(),
        Value::Array(values)
            if values.iter().filter_map(Value::as_str).any(|text| is_secret(text) || names_secret(text)) =>
        {
            STARS.into()
        }
        _ => serde_json::Value::deserialize(value.clone()).unwrap_or_default(),
    }
}

/// Whether an address in the text has a password or a query, which may hold a token.
fn is_secret(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    rest.split('/').next().is_some_and(|host| host.contains('@')) || rest.contains('?')
}

/// Whether a setting or an argument of this name is a secret, such as `--api-key=…`.
fn names_secret(name: &str) -> bool {
    const WORDS: [&str; 6] = ["token", "secret", "password", "passwd", "api_key", "apikey"];
    let name = name.to_lowercase().replace('-', "_");
    let is_count = name.ends_with("tokens") || name.contains("tokens_") || name.contains("_tokens");
    !is_count && WORDS.iter().any(|word| name.contains(word))
}

/// The values that are no tables, with the names on the way to them.
fn leaves(table: &Table) -> Vec<(Vec<String>, Value)> {
    let mut leaves = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => leaves.extend(self::leaves(inner).into_iter().map(|(mut path, value)| {
                path.insert(0, name.clone());
                (path, value)
            })),
            value => leaves.push((vec![name.clone()], value.clone())),
        }
    }
    leaves
}

/// Sets in `under` what `over` says.
fn merge(under: &mut Table, over: &Table) {
    for (name, value) in over {
        match (under.get_mut(name), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => drop(under.insert(name.clone(), value.clone())),
        }
    }
}
