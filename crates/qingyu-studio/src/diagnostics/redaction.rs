//! Redaction rules of diagnostics.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::{Catalogue, Providers};
use serde_json::Value;

use crate::diagnostics::report::ReportedSetting;
use crate::settings::reference::{SectionDescription, SettingDescription, SettingForm, described};
use crate::settings::row::SettingRow;
use crate::settings::values::ROLES;

/// The replacement for hidden values.
pub const HIDDEN: &str = "<hidden>";
/// Fields with codes, versions or times.
const CODES: [&str; 12] =
    ["check", "code", "layer", "newest", "next", "now", "part", "retires", "schedule", "tried", "trouble", "version"];
/// Fields with model names.
const MODELS: [&str; 5] = ["embedder", "fallback", "model", "models", "roles"];
/// Fields with names of environment variables for keys.
const VARIABLES: [&str; 3] = ["taken", "variable", "variables"];
/// Fields with addresses.
const ADDRESSES: [&str; 4] = ["address", "base_url", "endpoint", "url"];
/// Other known fields of nested data.
const FIELDS: [&str; 2] = ["bytes", "provider"];
/// Common parts of the paths of addresses.
const USUAL_PARTS: [&str; 12] = [
    "anthropic",
    "api",
    "beta",
    "chat",
    "compatible-mode",
    "completions",
    "messages",
    "models",
    "openai",
    "paas",
    "v1",
    "v4",
];

/// A redactor with the names known to every installation.
pub(crate) struct Redaction {
    providers: Providers,
    hosts: BTreeSet<String>,
}

impl Redaction {
    pub(crate) fn new() -> Self {
        let providers = Providers::built_in();
        let hosts =
            providers.iter().filter_map(|provider| Some(ParsedAddress::of(&provider.base_url)?.host.to_owned()));
        let hosts = hosts.chain(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned)).collect();
        Self { hosts, providers }
    }

    /// Redacts a setting: returns its name in the settings reference, and its value if certainly not personal.
    pub(crate) fn setting(&self, sections: &[SectionDescription], row: SettingRow) -> ReportedSetting {
        let described = described(sections, &row.key);
        let value = described.map_or_else(|| HIDDEN.into(), |described| self.value(described, &row.value));
        let source = row.source.map(|source| source.rsplit(['/', '\\']).next().unwrap_or_default().to_owned());
        ReportedSetting {
            // Known names of providers and roles are kept instead of `<provider>` and `<role>`: more useful, and not
            // personal.
            key: described.map_or_else(|| HIDDEN.into(), |described| self.key(described, &row.key)),
            value,
            layer: row.layer,
            source,
        }
    }

    fn key(&self, described: &SettingDescription, key: &str) -> String {
        let names: Vec<&str> = key.split('.').collect();
        let parts: Vec<&str> = described.key.split('.').collect();
        if names.len() != parts.len() {
            return described.key.clone();
        }
        let known = parts.iter().zip(&names).map(|(part, name)| match *part {
            "<role>" if ROLES.contains(name) => *name,
            "<provider>" if self.providers.get(name).is_ok() => *name,
            part => part,
        });
        known.collect::<Vec<_>>().join(".")
    }

    fn value(&self, described: &SettingDescription, value: &Value) -> Value {
        let field = described.key.rsplit('.').next().unwrap_or_default();
        match described.form {
            _ if described.default.as_ref() == Some(value) => value.clone(),
            SettingForm::Switch | SettingForm::WholeNumber | SettingForm::Number | SettingForm::WholeNumbers => {
                numbers(value)
            }
            SettingForm::Choice | SettingForm::Choices => {
                each(value, &|text| match described.choices.contains(&text) {
                    true => text,
                    false => HIDDEN.into(),
                })
            }
            SettingForm::Text | SettingForm::Texts if described.key.starts_with("models.") => {
                each(value, &|text| self.model(&text))
            }
            SettingForm::Text if field == "embedder" => each(value, &|text| self.model(&text)),
            SettingForm::Text if field == "base_url" || field.ends_with("_endpoint") => {
                each(value, &|text| self.address(&text))
            }
            SettingForm::Text if described.key.starts_with("checker.severities.") => each(value, &grade),
            SettingForm::Text | SettingForm::Texts | SettingForm::Table => HIDDEN.into(),
        }
    }

    /// Redacts the data of a check or failure: keeps numbers and switches, and the texts of harmless fields.
    pub(crate) fn fields(&self, data: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
        data.iter().map(|(name, value)| (name.clone(), self.field(name, value))).collect()
    }

    fn field(&self, name: &str, value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let is_ours = |name: &str| {
                    let all = [&CODES[..], &MODELS, &VARIABLES, &ADDRESSES, &FIELDS, &ROLES];
                    all.iter().any(|names| names.contains(&name))
                };
                let inner = fields.iter().map(|(key, value)| match is_ours(key) {
                    // The reason for a model is a code; elsewhere a reason may be free text.
                    _ if (name, key.as_str()) == ("why", "reason") => (key.clone(), self.field("code", value)),
                    // Models by role are redacted as models.
                    true if ROLES.contains(&key.as_str()) => (key.clone(), self.field(name, value)),
                    true => (key.clone(), self.field(key, value)),
                    false => (HIDDEN.to_owned(), HIDDEN.into()),
                });
                Value::Object(inner.collect())
            }
            Value::Array(values) => values.iter().map(|value| self.field(name, value)).collect(),
            Value::String(text) => self.text(name, text).into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn text(&self, name: &str, text: &str) -> String {
        match name {
            name if CODES.contains(&name) => self.code(text),
            name if MODELS.contains(&name) => self.model(text),
            name if ADDRESSES.contains(&name) => self.address(text),
            "provider" if self.providers.get(text).is_ok() => text.to_owned(),
            name if VARIABLES.contains(&name) => {
                let is_known =
                    |variable: &str| self.providers.iter().any(|its| its.key_variable.as_deref() == Some(variable));
                if is_known(text) { text.to_owned() } else { HIDDEN.into() }
            }
            _ => HIDDEN.into(),
        }
    }

    /// Keeps a code, version or time: short, of lower-case letters, digits and separators.
    pub(crate) fn code(&self, text: &str) -> String {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
        let is_code = text.len() <= 40 && text.chars().all(is_plain) && !text.starts_with("sk-");
        if is_code || text.parse::<Timestamp>().is_ok() { text.to_owned() } else { HIDDEN.into() }
    }

    /// Keeps the parts of a model name known to the catalogue: `ollama/<hidden>`.
    pub(crate) fn model(&self, text: &str) -> String {
        if let Some((kind, _)) =
            text.split_once(':').filter(|(kind, _)| ["cassette", "recording", "local", "file"].contains(kind))
        {
            return format!("{kind}:{HIDDEN}");
        }
        if ["auto", "lexical", LexicalEmbedder::NAME, qingyu_offline::NAME].contains(&text)
            || self.providers.get(text).is_ok()
        {
            return text.to_owned();
        }
        let catalogue = Catalogue::built_in();
        let Some((provider, name)) = text.split_once('/') else { return HIDDEN.into() };
        let Ok(provider) = self.providers.get(provider) else { return HIDDEN.into() };
        let mut known = catalogue.of_provider(&provider.name);
        let family = name.strip_suffix('*').filter(|family| family.len() > 3);
        let is_family = |family: &str| catalogue.of_provider(&provider.name).any(|known| known.starts_with(family));
        match provider.preferences.contains_key(name)
            || known.any(|known| known == name)
            || family.is_some_and(is_family)
        {
            true => text.to_owned(),
            false => format!("{}/{HIDDEN}", provider.name),
        }
    }

    /// Keeps the port of an address, and known hosts and path parts.
    fn address(&self, text: &str) -> String {
        let Some(address) = ParsedAddress::of(text) else { return HIDDEN.into() };
        let host = if self.hosts.contains(address.host) { address.host } else { HIDDEN };
        let path = address.path.split('/').skip(1).map(|part| match part.is_empty() || USUAL_PARTS.contains(&part) {
            true => format!("/{part}"),
            false => format!("/{HIDDEN}"),
        });
        format!("{}://{host}{}{}", address.scheme, address.port, path.collect::<String>())
    }
}

/// A parsed address.
struct ParsedAddress<'a> {
    scheme: &'a str,
    host: &'a str,
    /// The port with its colon; empty without a port.
    port: String,
    path: &'a str,
}

impl<'a> ParsedAddress<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme))?;
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = match host.rsplit_once(':') {
            Some((host, port)) if port.parse::<u16>().is_ok() => (host, format!(":{port}")),
            _ => (host, String::new()),
        };
        Some(Self { scheme, host, port, path })
    }
}

fn grade(text: String) -> String {
    if ["off", "low", "medium", "high", "critical"].contains(&text.as_str()) { text } else { HIDDEN.into() }
}

/// Keeps numbers and switches, alone or in lists.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(numbers).collect(),
        Value::Number(_) | Value::Bool(_) => value.clone(),
        _ => HIDDEN.into(),
    }
}

/// Applies the callback `told` to a text, or to each text of a list.
fn each(value: &Value, told: &dyn Fn(String) -> String) -> Value {
    match value {
        Value::String(text) => told(text.clone()).into(),
        Value::Array(values) => values.iter().map(|value| each(value, told)).collect(),
        _ => HIDDEN.into(),
    }
}

#[cfg(test)]
mod tests;
