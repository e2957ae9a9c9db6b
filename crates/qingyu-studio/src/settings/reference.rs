//! The settings reference: each setting with type, default, maximum, environment variable and meaning.
//!
//! Names, types and English meanings are taken from the schema of [`SettingValues`], defaults and examples from
//! `defaults.toml`, maxima and variables from their tables, and the Chinese meanings from `reference.zh.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use qingyu_story::Language;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::settings::defaults::DEFAULTS;
use crate::settings::environment::VARIABLES;
use crate::settings::machine::{OF_THE_MACHINE, READ_AT_START};
use crate::settings::names::names_of;
use crate::settings::values::{ROLES, SettingValues};
use crate::settings::{edit, maxima};

/// The Chinese meanings of settings and sections, by name.
const CHINESE: &str = include_str!("reference.zh.toml");
/// Keys of services, allowed in the environment only.
const NEVER_SET: [&str; 2] = ["web.search_key", "web.reader_key"];

/// The type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingForm {
    /// `true` or `false`.
    Switch,
    /// An integer.
    WholeNumber,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A string from a list of choices.
    Choice,
    /// A list of strings.
    Texts,
    /// A list of strings from a list of choices.
    Choices,
    /// A list of integers.
    WholeNumbers,
    /// A table, or a list of tables.
    Table,
}

/// The description of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingDescription {
    /// The key in the settings file, such as `models.default`; `<name>` is a placeholder for any name.
    pub key: String,
    /// The type.
    pub form: SettingForm,
    /// The choices, if restricted.
    pub choices: Vec<String>,
    /// The default value, if any.
    pub default: Option<Value>,
    /// The maximum of a number.
    pub maximum: Option<f64>,
    /// The environment variable overriding the setting.
    pub variable: Option<String>,
    /// An example line of a settings file.
    pub example: String,
    /// The meaning, in a sentence or two.
    pub meaning: String,
    /// Whether a change applies only after a server restart.
    pub restart: bool,
    /// Whether the setting is restricted to the machine's own user.
    pub machine: bool,
}

/// A section of the settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionDescription {
    /// The name, such as `budget`.
    pub name: String,
    /// The meaning.
    pub meaning: String,
    /// The settings of the section.
    pub settings: Vec<SettingDescription>,
}

impl SettingDescription {
    /// Returns whether the description covers a setting: by its exact name, by a name matching `<name>`, or as a part
    /// of a table.
    pub fn is_of(&self, key: &str) -> bool {
        let Some(names) = names_of(key) else { return false };
        let own: Vec<&str> = self.key.split('.').collect();
        let fits = own.iter().zip(&names).all(|(own, name)| own.starts_with('<') || own == name);
        fits && (own.len() == names.len() || own.len() < names.len() && self.form == SettingForm::Table)
    }

    /// Returns whether the key is a pattern, such as `models.<role>`.
    pub fn is_pattern(&self) -> bool {
        self.key.contains('<')
    }
}

/// Returns the description of `key`, if any. An exact name takes precedence over a pattern.
pub fn described<'d>(sections: &'d [SectionDescription], key: &str) -> Option<&'d SettingDescription> {
    let all = || sections.iter().flat_map(|section| &section.settings).filter(|setting| setting.is_of(key));
    all().find(|setting| !setting.is_pattern()).or_else(|| all().next())
}

/// Returns the descriptions of all settings in a language, by section; both sorted by name.
pub fn describe(language: Language) -> Vec<SectionDescription> {
    let (defaults, examples) = (table(DEFAULTS), table(&with_examples()));
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<SettingValues>().to_value();
    let chinese = &*CHINESE_MEANINGS;
    let meaning = |key: &str, english: String| match language {
        Language::En => english,
        Language::Zh => chinese.get(key).cloned().unwrap_or(english),
    };
    let mut sections = Vec::new();
    for (name, schema) in properties(&schema) {
        let mut found = Vec::new();
        leaves(&name, schema, &mut found);
        let settings = found.into_iter().filter(|(key, _)| !NEVER_SET.contains(&key.as_str())).map(|(key, schema)| {
            let (form, choices) = form(schema);
            let names: Vec<String> = key.split('.').map(str::to_owned).collect();
            let default = default(&defaults, &names).and_then(|value| serde_json::to_value(value).ok());
            let variable = VARIABLES.iter().find(|variable| variable.setting == Some(key.as_str()));
            SettingDescription {
                example: example(&examples, &names, schema),
                meaning: meaning(&key, text_of(schema)),
                maximum: maxima::maximum(&key),
                variable: variable.map(|variable| variable.name.to_owned()),
                restart: READ_AT_START.contains(&name.as_str()),
                machine: OF_THE_MACHINE.contains(&name.as_str()),
                form,
                choices,
                default,
                key,
            }
        });
        let settings = settings.collect();
        sections.push(SectionDescription { meaning: meaning(&name, text_of(schema)), settings, name });
    }
    sections
}

static CHINESE_MEANINGS: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| toml::from_str(CHINESE).expect("the compiled-in meanings are tested"));

/// Returns the default settings with commented examples enabled.
pub(crate) fn with_examples() -> String {
    let is_example = |line: &&str| line.strip_prefix('#').is_some_and(|rest| !rest.starts_with(' '));
    let lines = DEFAULTS.lines().map(|line| if is_example(&line) { &line[1..] } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn table(text: &str) -> Table {
    text.parse().expect("the compiled-in settings and their examples are tested")
}

/// Returns the named properties of a table's schema, in order.
fn properties(schema: &Value) -> Vec<(String, &Value)> {
    let parts = schema["properties"].as_object().into_iter().flatten();
    parts.map(|(name, schema)| (name.clone(), schema)).collect()
}

/// Collects the settings of a schema, by name, descending into tables of settings.
fn leaves<'s>(key: &str, schema: &'s Value, found: &mut Vec<(String, &'s Value)>) {
    let body = present(schema);
    let named = properties(body);
    for (name, inner) in &named {
        leaves(&format!("{key}.{name}"), inner, found);
    }
    let others = body.get("additionalProperties").filter(|others| others.is_object());
    if let Some(others) = others {
        let name = placeholder(key);
        let before = found.len();
        leaves(&format!("{key}.<{name}>"), others, found);
        // A table of values by name is described as a whole; the description applies to each value.
        if let [(_, inner)] = &mut found[before..]
            && named.is_empty()
        {
            *inner = schema;
        }
    }
    if named.is_empty() && others.is_none() {
        found.push((key.to_owned(), schema));
    }
}

/// Returns the default value; for a table with arbitrary names, its default entries.
fn default<'d>(defaults: &'d Table, names: &[String]) -> Option<&'d toml::Value> {
    let is_own =
        |value: &&toml::Value| value.as_table().is_some_and(|table| table.keys().all(|name| ROLES.contains(&&**name)));
    match names.split_last()? {
        (last, table) if last == "<role>" => edit::at(defaults, table).filter(is_own),
        _ => edit::at(defaults, names),
    }
}

/// Returns the placeholder for the names in a table.
fn placeholder(key: &str) -> &'static str {
    match key.rsplit('.').next().unwrap_or_default() {
        "models" | "effort" => "role",
        "providers" => "provider",
        "prices" => "model",
        "preferences" => "preference",
        "headers" => "header",
        "severities" => "rule",
        "mcp_servers" => "server",
        "env" => "variable",
        _ => "name",
    }
}

/// Returns the schema of a present value, without the `null` of an optional value.
fn present(schema: &Value) -> &Value {
    let several = schema["anyOf"].as_array().into_iter().flatten();
    several.into_iter().find(|schema| schema["type"] != "null").unwrap_or(schema)
}

fn text_of(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn form(schema: &Value) -> (SettingForm, Vec<String>) {
    let schema = match present(schema) {
        // For a table with arbitrary names, the schema of its values.
        table if table["additionalProperties"].is_object() => present(&table["additionalProperties"]),
        schema => schema,
    };
    let choices = choices(schema);
    if !choices.is_empty() {
        return (SettingForm::Choice, choices);
    }
    let kind = &schema["type"];
    let is = |name: &str| kind == name || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == name));
    let form = if is("boolean") {
        SettingForm::Switch
    } else if is("integer") {
        SettingForm::WholeNumber
    } else if is("number") {
        SettingForm::Number
    } else if is("string") {
        SettingForm::Text
    } else if is("array") {
        let (of, choices) = form_of_items(&schema["items"]);
        return (of, choices);
    } else {
        SettingForm::Table
    };
    (form, Vec::new())
}

fn form_of_items(items: &Value) -> (SettingForm, Vec<String>) {
    let (form, choices) = form(items);
    let list = match form {
        SettingForm::Choice => SettingForm::Choices,
        SettingForm::WholeNumber => SettingForm::WholeNumbers,
        SettingForm::Text => SettingForm::Texts,
        _ => SettingForm::Table,
    };
    (list, choices)
}

/// Returns the choices of an enumeration; empty for other schemas.
fn choices(schema: &Value) -> Vec<String> {
    let said = schema["enum"].as_array().into_iter().flatten();
    let each = schema["oneOf"].as_array().into_iter().flatten().map(|schema| &schema["const"]);
    said.chain(each).filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// Returns an example line: from the defaults file, with an example by type as fallback.
fn example(examples: &Table, names: &[String], schema: &Value) -> String {
    let shown = first(&toml::Value::Table(examples.clone()), names, &mut Vec::new());
    let of_type = || {
        let value = schema["examples"].as_array()?.first()?;
        Some((names.to_vec(), toml::Value::try_from(value.clone()).ok()?))
    };
    let Some((names, value)) = shown.or_else(of_type) else { return String::new() };
    let mut line = String::new();
    let _ = write!(line, "{} = {value}", edit::written(&names));
    line
}

/// Returns the first value matching the names, with its path.
fn first(value: &toml::Value, names: &[String], way: &mut Vec<String>) -> Option<(Vec<String>, toml::Value)> {
    let Some((name, rest)) = names.split_first() else { return Some((way.clone(), value.clone())) };
    let table = value.as_table()?;
    let is_role = |name: &str| ROLES.contains(&name);
    let fits = |key: &&String| match name.as_str() {
        "<role>" => is_role(key),
        name if name.starts_with('<') => true,
        name => name == *key,
    };
    table.keys().filter(fits).find_map(|key| {
        way.push(key.clone());
        let found = first(&table[key], rest, way);
        way.pop();
        found
    })
}

#[cfg(test)]
mod tests;
