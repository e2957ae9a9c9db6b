//! What can be set, described: every setting by name with its form, default, maximum, variable and meaning.
//!
//! Names, forms and English meanings are read from the types of [`Values`], defaults and examples from `defaults.toml`, maxima and
//! variables from their tables. The Chinese meanings are in `reference.zh.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use qingyu_story::Language;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use super::change::{OF_THE_MACHINE, READ_AT_START};
use super::values::ROLES;
use super::{DEFAULTS, VARIABLES, Values, edit, maxima, names_of};

/// Settings by name, with their meanings in Chinese; sections stand among them.
const CHINESE: &str = include_str!("reference.zh.toml");
/// Keys of services that stand in the environment, never in settings.
const NEVER_SET: [&str; 2] = ["web.search_key", "web.reader_key"];

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingForm {
    /// `true` or `false`.
    Switch,
    /// A number without a fraction.
    WholeNumber,
    /// A number.
    Number,
    /// A text in quotation marks.
    Text,
    /// One of the texts that are listed.
    Choice,
    /// A list of texts.
    Texts,
    /// A list of texts, each one of those that are listed.
    Choices,
    /// A list of whole numbers.
    WholeNumbers,
    /// A table, or a list of tables.
    Table,
}

/// A setting: what it takes and what it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingDescription {
    /// Its place in the file, such as `models.default`; `<name>` stands for any name.
    pub key: String,
    /// What it takes.
    pub form: SettingForm,
    /// What it takes, if that is one of these.
    pub choices: Vec<String>,
    /// Its value where nobody sets it; none if it is not set at all then.
    pub default: Option<Value>,
    /// The largest number that it takes.
    pub maximum: Option<f64>,
    /// The environment variable that sets it.
    pub variable: Option<String>,
    /// A line of a settings file that sets it.
    pub example: String,
    /// What it is for, in a sentence or two.
    pub meaning: String,
    /// Whether a change counts only when the server is started anew.
    pub restart: bool,
    /// Whether only the user of the machine changes it, never a caller with a key.
    pub machine: bool,
}

/// A section of a settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionDescription {
    /// Its name, such as `budget`.
    pub name: String,
    /// What it is for.
    pub meaning: String,
    /// Its settings.
    pub settings: Vec<SettingDescription>,
}

impl SettingDescription {
    /// Whether this describes the setting of that name: by itself, with names in the places of `<name>`, or as a part of a table.
    pub fn is_of(&self, key: &str) -> bool {
        let Some(names) = names_of(key) else { return false };
        let own: Vec<&str> = self.key.split('.').collect();
        let fits = own.iter().zip(&names).all(|(own, name)| own.starts_with('<') || own == name);
        fits && (own.len() == names.len() || own.len() < names.len() && self.form == SettingForm::Table)
    }

    /// Whether it stands for settings of any name, such as `models.<role>`.
    pub fn is_pattern(&self) -> bool {
        self.key.contains('<')
    }
}

/// The setting that describes `key`; none if there is no such setting. One that names it goes before a pattern.
pub fn described<'d>(sections: &'d [SectionDescription], key: &str) -> Option<&'d SettingDescription> {
    let all = || sections.iter().flat_map(|section| &section.settings).filter(|setting| setting.is_of(key));
    all().find(|setting| !setting.is_pattern()).or_else(|| all().next())
}

/// Every setting with its meaning in that language, by section; both by name.
pub fn describe(language: Language) -> Vec<SectionDescription> {
    let (defaults, examples) = (table(DEFAULTS), table(&with_examples()));
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Values>().to_value();
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

/// The settings that every installation begins with, and those that stand there as examples.
pub(super) fn with_examples() -> String {
    let is_example = |line: &&str| line.strip_prefix('#').is_some_and(|rest| !rest.starts_with(' '));
    let lines = DEFAULTS.lines().map(|line| if is_example(&line) { &line[1..] } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn table(text: &str) -> Table {
    text.parse().expect("the compiled-in settings and their examples are tested")
}

/// The named parts of a table's schema, in their order.
fn properties(schema: &Value) -> Vec<(String, &Value)> {
    let parts = schema["properties"].as_object().into_iter().flatten();
    parts.map(|(name, schema)| (name.clone(), schema)).collect()
}

/// The settings in a schema that are no tables of settings themselves, by their names.
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
        // A table of values by name is described itself, and what is said of it holds for each.
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

/// What holds where nobody sets it; of a table that takes any names, those that it has.
fn default<'d>(defaults: &'d Table, names: &[String]) -> Option<&'d toml::Value> {
    let is_own =
        |value: &&toml::Value| value.as_table().is_some_and(|table| table.keys().all(|name| ROLES.contains(&&**name)));
    match names.split_last()? {
        (last, table) if last == "<role>" => edit::at(defaults, table).filter(is_own),
        _ => edit::at(defaults, names),
    }
}

/// What stands for the names that a table takes.
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

/// The schema of a value that is there: without the `null` of what may be absent.
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
        // Of a table of any names, what each of them takes.
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

/// The texts that an enumeration takes; none if it is no enumeration.
fn choices(schema: &Value) -> Vec<String> {
    let said = schema["enum"].as_array().into_iter().flatten();
    let each = schema["oneOf"].as_array().into_iter().flatten().map(|schema| &schema["const"]);
    said.chain(each).filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// A line that sets it: as the file of defaults shows it, else as its type does.
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

/// The first value whose names fit, with those names.
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
