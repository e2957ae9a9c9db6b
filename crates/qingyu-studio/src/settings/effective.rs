//! The merged layers, with the source of each value.

use qingyu_agents::notice::RunNotice;
use serde::Deserialize;
use toml::{Table, Value};

use crate::error::Error;
use crate::settings::edit;
use crate::settings::layer::SettingLayer;
use crate::settings::names::names_of;
use crate::settings::row::SettingRow;
use crate::settings::values::SettingValues;

/// The mask of a secret.
pub(crate) const STARS: &str = "***";

/// The merged layers.
#[derive(Clone)]
pub(crate) struct EffectiveSettings {
    /// The parsed values.
    pub(crate) values: SettingValues,
    /// Limits a request tried to raise, kept unchanged.
    pub(crate) limits_kept: Vec<RunNotice>,
    table: Table,
    /// The merged layers, lowest first: layer, source and content.
    layers: Vec<(SettingLayer, Option<String>, Table)>,
}

impl EffectiveSettings {
    /// Returns the built-in defaults.
    pub(crate) fn new(defaults: Table) -> Self {
        let mut effective =
            Self { values: SettingValues::default(), limits_kept: Vec::new(), table: Table::new(), layers: Vec::new() };
        effective.put(SettingLayer::Default, None, defaults);
        effective
    }

    /// Adds a layer on top.
    pub(crate) fn put(&mut self, layer: SettingLayer, source: Option<String>, table: Table) {
        merge(&mut self.table, &table);
        self.layers.push((layer, source, table));
    }

    /// Parses and validates the values; returns [`Error::BadSettings`] with the invalid key and its layer.
    pub(crate) fn check(mut self) -> Result<Self, Error> {
        match serde_path_to_error::deserialize::<_, SettingValues>(Value::Table(self.table.clone())) {
            Ok(values) => self.values = values,
            Err(error) => {
                let key = error.path().to_string();
                return Err(self.bad(&key, error.inner().message().trim().to_owned()));
            }
        }
        crate::settings::maxima::check(&self.table).map_err(|(key, message)| self.bad(&key, message))?;
        self.values.check().map_err(|(key, message)| self.bad(&key, message))?;
        Ok(self)
    }

    /// Returns the layer of a setting; for a table, the layer of its last value.
    pub(crate) fn layer(&self, key: &str) -> SettingLayer {
        self.origin(key).0
    }

    /// Returns the effective value at the given names.
    pub(crate) fn value(&self, names: &[String]) -> Option<&Value> {
        edit::at(&self.table, names)
    }

    /// Returns the highest layer setting exactly the given names, and its source.
    pub(crate) fn said_by(&self, names: &[String]) -> (Option<SettingLayer>, Option<String>) {
        let path: Vec<&str> = names.iter().map(String::as_str).collect();
        let saying = self.layers.iter().rev().find(|(_, _, table)| sets_path(table, &path));
        saying.map(|(layer, source, _)| (Some(*layer), source.clone())).unwrap_or_default()
    }

    /// Returns the error for an invalid `key`.
    pub(crate) fn bad(&self, key: &str, message: String) -> Error {
        let (layer, source_name) = self.origin(key);
        Error::BadSettings { layer, source_name, key: key.into(), message }
    }

    /// Returns the highest layer setting `key` or the nearest table around it.
    fn origin(&self, key: &str) -> (SettingLayer, Option<String>) {
        let names = names_of(key).unwrap_or_default();
        let path: Vec<&str> = names.iter().map(String::as_str).collect();
        let around = (1..=path.len()).rev().map(|length| &path[..length]);
        let found = around.flat_map(|path| self.layers.iter().rev().filter(|(_, _, table)| sets_path(table, path)));
        found.map(|(layer, source, _)| (*layer, source.clone())).next().unwrap_or((SettingLayer::Default, None))
    }

    /// Returns the settings affecting the course of a run: without the settings for its models, budgets and storage.
    /// Contains no secrets.
    pub(crate) fn of_the_work(&self) -> Table {
        const ELSEWHERE: [&str; 19] = [
            "approval",
            "ui",
            "server",
            "models",
            "providers",
            "prices",
            "budget",
            "cassettes",
            "breakpoints",
            "timeouts",
            "retries",
            "mcp_servers",
            "storage",
            "engines",
            "workspace",
            "prompts",
            "mirror",
            "backups",
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

    /// Returns all settings, by name; secrets are masked.
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

/// Removes strings not safe to show.
fn drop_private(table: &mut Table) {
    table.retain(|name, value| match value {
        Value::Table(inner) => {
            drop_private(inner);
            true
        }
        value => shown(&[name.to_owned()], value).as_str() != Some(STARS),
    });
}

/// Returns whether a layer sets the given path.
fn sets_path(table: &Table, path: &[&str]) -> bool {
    match path {
        [] => true,
        [name, rest @ ..] => match table.get(*name) {
            Some(Value::Table(inner)) => sets_path(inner, rest),
            Some(_) => rest.is_empty(),
            None => false,
        },
    }
}

/// Returns a value safe to show: masks headers of providers and tool servers, environments of tool servers, passwords
/// and queries of addresses, and secret arguments of programs.
pub(crate) fn shown(path: &[String], value: &Value) -> serde_json::Value {
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

/// Returns whether an address in the text has a password or a query, which may contain a token.
fn is_secret(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    rest.split('/').next().is_some_and(|host| host.contains('@')) || rest.contains('?')
}

/// Returns whether the name of a setting or argument denotes a secret, such as `--api-key=…`.
fn names_secret(name: &str) -> bool {
    const WORDS: [&str; 6] = ["token", "secret", "password", "passwd", "api_key", "apikey"];
    let name = name.to_lowercase().replace('-', "_");
    let is_count = name.ends_with("tokens") || name.contains("tokens_") || name.contains("_tokens");
    !is_count && WORDS.iter().any(|word| name.contains(word))
}

/// Returns all values except tables, with their paths.
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

/// Overrides the values of `under` by the values of `over`.
fn merge(under: &mut Table, over: &Table) {
    for (name, value) in over {
        match (under.get_mut(name), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => drop(under.insert(name.clone(), value.clone())),
        }
    }
}
