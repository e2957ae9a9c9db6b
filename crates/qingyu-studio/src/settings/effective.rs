//! The layers merged, with where each value comes from.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use super::{Layer, Values};
use crate::{Error, SettingRow};

/// The layers merged.
#[derive(Clone)]
pub(crate) struct Effective {
    /// What can be set.
    pub(crate) values: Values,
    table: Table,
    /// Where each leaf comes from, by its dotted name.
    origins: BTreeMap<String, (Layer, Option<String>)>,
}

impl Effective {
    /// The settings as they are compiled in.
    pub(crate) fn new(defaults: Table) -> Self {
        let mut effective = Self { values: Values::default(), table: Table::new(), origins: BTreeMap::new() };
        effective.put(Layer::Default, None, defaults);
        effective
    }

    /// Puts a layer on top.
    pub(crate) fn put(&mut self, layer: Layer, source: Option<String>, table: Table) {
        for (name, _) in leaves(&table) {
            // What was a value and is a table now has other leaves, and the other way round.
            let below = format!("{name}.");
            self.origins.retain(|known, _| !known.starts_with(&below) && !name.starts_with(&format!("{known}.")));
            self.origins.insert(name, (layer, source.clone()));
        }
        merge(&mut self.table, table);
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
        self.values.check().map_err(|(key, message)| self.bad(&key, message))?;
        Ok(self)
    }

    /// Where a setting comes from; for a table, where the last of its values does.
    pub(crate) fn layer(&self, key: &str) -> Layer {
        self.origin(key).0
    }

    /// The failure that blames `key`.
    pub(crate) fn bad(&self, key: &str, message: String) -> Error {
        let (layer, source_name) = self.origin(key);
        Error::BadSettings { layer, source_name, key: key.into(), message }
    }

    fn origin(&self, key: &str) -> (Layer, Option<String>) {
        if let Some(origin) = self.origins.get(key) {
            return origin.clone();
        }
        let inside = format!("{key}.");
        let of_table = self.origins.iter().filter(|(name, _)| name.starts_with(&inside) || key.starts_with(*name));
        of_table.map(|(_, origin)| origin.clone()).max_by_key(|(layer, _)| *layer).unwrap_or((Layer::Default, None))
    }

    /// Every setting, by name; secrets are starred out.
    pub(crate) fn rows(&self) -> Vec<SettingRow> {
        let row = |(key, value): (String, Value)| {
            let (layer, source) = self.origin(&key);
            SettingRow { value: shown(&key, &value), layer, source, key }
        };
        let mut rows: Vec<SettingRow> = leaves(&self.table).into_iter().map(row).collect();
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        rows
    }
}

/// A value as it may be shown: no header of a provider, and no password in an address.
fn shown(key: &str, value: &Value) -> serde_json::Value {
    const STARS: &str = "***";
    if key.starts_with("providers.") && key.split('.').any(|name| name == "headers" || name.starts_with("extra_body")) {
        return STARS.into();
    }
    let has_password = |text: &str| {
        text.split_once("://").and_then(|(_, rest)| rest.split('/').next()).is_some_and(|host| host.contains('@'))
    };
    match value.as_str() {
        Some(text) if has_password(text) => STARS.into(),
        _ => serde_json::Value::deserialize(value.clone()).unwrap_or_default(),
    }
}

/// The values that are no tables, with their dotted names.
fn leaves(table: &Table) -> Vec<(String, Value)> {
    let mut leaves = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => {
                leaves.extend(self::leaves(inner).into_iter().map(|(rest, value)| (format!("{name}.{rest}"), value)));
            }
            value => leaves.push((name.clone(), value.clone())),
        }
    }
    leaves
}

fn merge(under: &mut Table, over: Table) {
    for (name, value) in over {
        match (under.get_mut(&name), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => drop(under.insert(name, value)),
        }
    }
}
