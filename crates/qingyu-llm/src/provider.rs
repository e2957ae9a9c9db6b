//! Providers as rows of data: URL, protocol, supported features.
//!
//! The built-in rows are in `providers.toml`; settings insert rows and override single fields. Abilities of single
//! models are in the [catalogue](crate::catalogue).

mod output_mode;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Error;
use crate::catalogue::{Catalogue, KnownModel, newest};

pub(crate) use output_mode::OutputMode;

/// The built-in rows.
const BUILT_IN: &str = include_str!("providers.toml");

/// A provider: one row of data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The name in model specs: `deepseek` in `deepseek/deepseek-flash`. Taken from the row's key.
    #[serde(skip)]
    pub name: String,
    /// Where the endpoints are, version included, such as `https://api.deepseek.com/v1`.
    pub base_url: String,
    /// The environment variable that holds the key; absent when none is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
    /// The protocol it speaks.
    #[serde(default)]
    pub wire: Wire,
    /// The names that `provider/usual` and its like stand for: shapes, in which `*` is a version.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub preferences: BTreeMap<String, String>,
    /// The output mode that the settings state, which the catalogue does not change.
    #[serde(skip)]
    pub(crate) stated_output: Option<OutputMode>,
    /// What is true of all its models unless a rule says otherwise.
    #[serde(flatten)]
    pub(crate) quirks: Quirks,
    /// Rules for single models; all that match apply, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) models: Vec<ModelRule>,
}

/// The protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Chat completions.
    #[default]
    OpenAi,
    /// Anthropic Messages.
    Anthropic,
}

/// What a provider or model wants done differently. An absent field says nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Quirks {
    /// How a schema is asked for; plain text when nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<OutputMode>,
    /// Whether the schema stands in the prompt even though the mode carries it, because the server keeps it from the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema_in_prompt: Option<bool>,
    /// Whether every field of the schema is demanded: a model bound by a grammar leaves out whatever it may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema_complete: Option<bool>,
    /// How far a grammar lets a model run: a weak one repeats itself until something stops it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema_bounds: Option<SchemaBounds>,
    /// How it is told to think, and how hard; nothing is sent when nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thinking_switch: Option<ThinkingSwitch>,
    /// Body fields that are never sent, such as `temperature`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) omit: Option<Vec<String>>,
    /// The body field for the token limit; `max_tokens` when nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens_field: Option<String>,
    /// The token limit of a request that has none, where the protocol demands one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u32>,
    /// The most texts in one embedding request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) embedding_batch: Option<usize>,
    /// Merged into every body: how thinking is switched, for example.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) extra_body: Map<String, Value>,
    /// Merged into the body of a request with a schema.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) extra_body_with_schema: Map<String, Value>,
    /// Headers beside the key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) headers: BTreeMap<String, String>,
    /// What the catalogue knows of the model, or of one like it.
    #[serde(skip)]
    pub(crate) known: KnownModel,
}

/// Which fields of a body make a model think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ThinkingSwitch {
    /// `reasoning_effort`, as OpenAI has it.
    Effort,
    /// `thinking: { type: enabled }`, or `adaptive` for models that decide by themselves, and `reasoning_effort` beside it for models with levels.
    Type,
    /// `enable_thinking`, as DashScope has it.
    Enable,
}

/// Limits that are put into the schema a server is sent, where the schema has none of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaBounds {
    /// The most characters of a string.
    pub(crate) text: u32,
    /// The most items of a list.
    pub(crate) items: u32,
}

/// What is different for some models of a provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelRule {
    /// The models it is for; `*` stands for anything.
    pub(crate) pattern: String,
    /// What is different.
    #[serde(flatten)]
    pub(crate) quirks: Quirks,
}

impl Quirks {
    /// Merges `other` into these quirks: stated fields override, lists and maps are joined.
    fn overlay(&mut self, other: &Quirks) {
        self.output = other.output.or(self.output);
        self.schema_in_prompt = other.schema_in_prompt.or(self.schema_in_prompt);
        self.schema_complete = other.schema_complete.or(self.schema_complete);
        self.schema_bounds = other.schema_bounds.or(self.schema_bounds);
        self.thinking_switch = other.thinking_switch.or(self.thinking_switch);
        self.max_tokens = other.max_tokens.or(self.max_tokens);
        self.embedding_batch = other.embedding_batch.or(self.embedding_batch);
        if let Some(omit) = &other.omit {
            self.omit.get_or_insert_default().extend(omit.iter().cloned());
        }
        if let Some(field) = &other.max_tokens_field {
            self.max_tokens_field = Some(field.clone());
        }
        self.extra_body.extend(other.extra_body.clone());
        self.extra_body_with_schema.extend(other.extra_body_with_schema.clone());
        self.headers.extend(other.headers.clone());
    }
}

impl Provider {
    /// Returns a row for a server without a key: JSON-schema mode on the OpenAI wire, forced tool on Anthropic's.
    pub fn local(name: &str, base_url: &str, wire: Wire) -> Self {
        let output = match wire {
            Wire::OpenAi => OutputMode::JsonSchema,
            Wire::Anthropic => OutputMode::Tool,
        };
        Self {
            name: name.into(),
            base_url: base_url.into(),
            key_variable: None,
            wire,
            preferences: BTreeMap::new(),
            stated_output: None,
            quirks: Quirks { output: Some(output), ..Quirks::default() },
            models: Vec::new(),
        }
    }

    /// Returns the quirks of `model`: the row's defaults, the catalogue's data of the model, and the row's matching
    /// model rules, each overriding the former. An output mode stated by the row overrides the catalogue's mode.
    pub(crate) fn quirks_of(&self, model: &str) -> Quirks {
        let mut quirks = self.quirks.clone();
        if let Some(known) = Catalogue::built_in().abilities(&self.name, model) {
            quirks.output = self.stated_output.or(known.output).or(quirks.output);
            quirks.known = known.clone();
        }
        for rule in self.models.iter().filter(|rule| matches_pattern(&rule.pattern, model)) {
            quirks.overlay(&rule.quirks);
        }
        quirks
    }

    /// Resolves `name` to a model on `day`, if `name` is a preference (`usual`, `best`, `cheap`) or a pattern with `*`
    /// for the version; returns any other name unchanged.
    ///
    /// `listed` are the models fetched from the provider, if any; unlisted catalogue models are then unavailable.
    /// `None` if every match is retired or missing.
    pub fn preferred(&self, name: &str, listed: Option<&[String]>, day: Date) -> Option<String> {
        let pattern = match self.preferences.get(name) {
            Some(pattern) => pattern.as_str(),
            None if name.contains('*') => name,
            None => return Some(name.to_owned()),
        };
        let catalogue = Catalogue::built_in();
        let is_alive = |model: &&str| {
            let known = catalogue.get(&format!("{}/{model}", self.name));
            known.is_none_or(|known| !known.is_retired(day))
        };
        let bare = |model| str::strip_prefix(model, "models/").unwrap_or(model);
        let found = match listed {
            Some(listed) => newest(listed.iter().map(|model| bare(model.as_str())).filter(is_alive), pattern),
            None => newest(catalogue.of_provider(&self.name).filter(is_alive), pattern),
        };
        found.map(str::to_owned)
    }

    /// Returns whether `name` is a preference or pattern rather than a model name.
    pub fn is_preference(&self, name: &str) -> bool {
        self.preferences.contains_key(name) || name.contains('*')
    }

    /// Returns whether the provider is on the local machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.base_url.split_once("://").map_or("", |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default();
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|it| host.strip_prefix(it).is_some_and(|port| port.is_empty() || port.starts_with(':')))
    }
}

/// Returns whether `text` matches `pattern`, with `*` as a wildcard, case-insensitively.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_ascii_lowercase(), text.to_ascii_lowercase());
    let mut parts = pattern.split('*');
    let head = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(tail) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(position) = rest.find(part) else { return false };
        rest = &rest[position + part.len()..];
    }
    rest.ends_with(tail)
}

/// All known providers.
#[derive(Debug, Clone, PartialEq)]
pub struct Providers(BTreeMap<String, Provider>);

impl Providers {
    /// Returns the built-in rows.
    pub fn built_in() -> Self {
        static PROVIDERS: LazyLock<Providers> = LazyLock::new(|| {
            Providers::read(BUILT_IN.parse().expect("providers.toml is tested")).expect("it is tested")
        });
        PROVIDERS.clone()
    }

    /// Returns the built-in rows with `overrides`: a table per provider; a known provider lists only changed fields,
    /// and a new provider at least `base_url`.
    ///
    /// Fails with [`Error::Settings`] naming the invalid row.
    pub fn with_overrides(overrides: &toml::Table) -> Result<Self, Error> {
        if overrides.is_empty() {
            return Ok(Self::built_in());
        }
        let mut rows: toml::Table = BUILT_IN.parse().expect("providers.toml is tested");
        merge(&mut rows, overrides);
        let mut providers = Self::read(rows)?;
        for provider in providers.0.values_mut() {
            let states_output = overrides.get(&provider.name).is_some_and(|row| row.get("output").is_some());
            provider.stated_output = provider.quirks.output.filter(|_| states_output);
        }
        Ok(providers)
    }

    fn read(rows: toml::Table) -> Result<Self, Error> {
        let rows = rows.into_iter().map(|(name, row)| {
            let row: Provider =
                row.try_into().map_err(|error| Error::Settings(format!("provider {name}: {}", one_line(&error))))?;
            if !row.base_url.starts_with("http://") && !row.base_url.starts_with("https://") {
                return Err(Error::Settings(format!("provider {name}: base_url {:?} is not http(s)", row.base_url)));
            }
            Ok((name.clone(), Provider { name, ..row }))
        });
        rows.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the provider called `name`.
    ///
    /// Fails with [`Error::Settings`] listing the known providers.
    pub fn get(&self, name: &str) -> Result<&Provider, Error> {
        self.0.get(name).ok_or_else(|| {
            let known = self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            Error::Settings(format!("unknown provider {name:?}; known are {known}"))
        })
    }

    /// Parses a model's full name: `provider/model`, where the model may contain slashes.
    ///
    /// Fails with [`Error::Settings`] if the provider is unknown or a part is missing.
    pub fn resolve<'a>(&self, spec: &'a str) -> Result<(&Provider, &'a str), Error> {
        match spec.split_once('/') {
            Some((provider, model)) if !model.is_empty() => Ok((self.get(provider)?, model)),
            _ => Err(Error::Settings(format!("{spec:?} is not a model: write provider/model"))),
        }
    }

    /// Iterates over all providers by name.
    pub fn iter(&self) -> impl Iterator<Item = &Provider> {
        self.0.values()
    }
}

/// Merges `over` into `under`, table by table.
fn merge(under: &mut toml::Table, over: &toml::Table) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => merge(under, over),
            _ => {
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

/// A provider's API key. Never printed: `Debug` shows `Key(…)`.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderKey(String);

impl ProviderKey {
    /// Returns the plain key for the request header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for ProviderKey {
    fn from(key: String) -> Self {
        Self(key.trim().to_owned())
    }
}

impl From<&str> for ProviderKey {
    fn from(key: &str) -> Self {
        Self(key.trim().to_owned())
    }
}

impl fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}
