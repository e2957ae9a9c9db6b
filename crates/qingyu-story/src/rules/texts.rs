//! The texts of a rule, parsed from the TOML file beside the rule.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::series::earlier_book;
use crate::check::Config;
use crate::earlier::EarlierKind;
use crate::{Language, Story};

/// All texts of a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleTexts {
    zh: RuleText,
    en: RuleText,
    pub(super) fires: ExampleStory,
    pub(super) spares: ExampleStory,
}

/// The texts of a rule in one language. In all texts except the page, `{name}` is a placeholder for a value of the
/// finding, and `{count|1 place|# places}` for words that agree with a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleText {
    /// The finding in one line.
    pub(crate) title: String,
    /// The cause.
    pub(crate) cause: String,
    /// The impact on the story.
    pub(crate) impact: String,
    /// The manner of writing that the rule minds, as a noun phrase; empty for rules that are no matter of taste.
    #[serde(default)]
    pub(crate) habit: String,
    /// The explanation for users: checks, exceptions, and reasons.
    pub(crate) page: String,
    /// The instructions, by kind of fix.
    #[serde(default)]
    pub(crate) fix: BTreeMap<String, String>,
}

/// An example of a rule: a story reduced to the relevant parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleStory {
    /// The story as JSON.
    pub story: String,
    /// The explanation in Chinese.
    pub zh: String,
    /// The explanation in English.
    pub en: String,
    /// The earlier books as JSON: a list with the `title` and the `story` of each; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub earlier: String,
}

/// An earlier book of an example.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleBook {
    title: String,
    story: Story,
}

impl RuleTexts {
    /// Parses the compiled-in texts of the rule `code`. Panics if invalid; a test parses all texts.
    pub(super) fn parse(code: &str, source: &str) -> Self {
        toml::from_str(source).unwrap_or_else(|error| panic!("the texts of {code} are part of the program: {error}"))
    }

    pub(super) fn of(&self, language: Language) -> &RuleText {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

impl RuleText {
    /// Returns the title with dots for the values of a finding: what the rule finds, in one line.
    pub(super) fn name(&self) -> String {
        fill_with(&self.title, |_| Some("…"))
    }
}

impl ExampleStory {
    /// Deserializes the story.
    pub fn story(&self) -> Story {
        serde_json::from_str(&self.story).unwrap_or_else(|error| panic!("examples are part of the program: {error}"))
    }

    /// Returns the default configuration with the earlier books of the example.
    pub fn config(&self) -> Config {
        if self.earlier.is_empty() {
            return Config::default();
        }
        let books: Vec<ExampleBook> = serde_json::from_str(&self.earlier)
            .unwrap_or_else(|error| panic!("examples are part of the program: {error}"));
        let ends = books.iter().map(|book| earlier_book(&book.title, EarlierKind::Volume, "", &book.story));
        Config { earlier: ends.collect::<Vec<_>>().into(), ..Config::default() }
    }
}

/// Returns `template` with each `{name}` replaced by its value, and each `{name|one|other}` by the words that agree with
/// the number, in which `#` is the number: `{count|1 place|# places}`. A test validates that every name has a value.
pub(super) fn fill(template: &str, values: &BTreeMap<&'static str, String>) -> String {
    fill_with(template, |name| values.get(name).map(String::as_str))
}

fn fill_with<'v>(template: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}').map(|close| open + close) else { break };
        let mut parts = rest[open + 1..close].splitn(3, '|');
        let value = parts.next().and_then(&value);
        match (value, parts.next(), parts.next()) {
            (Some("1"), Some(one), Some(_)) => text.push_str(one),
            (Some(value), Some(_), Some(other)) => text.push_str(&other.replace('#', value)),
            (Some(value), ..) => text.push_str(value),
            (None, ..) => text.push_str(&rest[open..=close]),
        }
        rest = &rest[close + 1..];
    }
    text.push_str(rest);
    text
}
