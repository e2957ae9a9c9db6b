//! The words of a rule, read from the TOML file beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Language, Story};

/// All texts of a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    zh: RuleText,
    en: RuleText,
    pub(super) fires: Example,
    pub(super) spares: Example,
}

/// What a rule says in one language. In all but the page, `{name}` stands for what the rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleText {
    /// The finding in a line.
    pub title: String,
    /// Why it is so.
    pub cause: String,
    /// What it does to the story.
    pub impact: String,
    /// The explanation for people: what is checked, what is left alone, and why.
    pub page: String,
    /// What is to be done, by the kind of remedy.
    #[serde(default)]
    pub fix: BTreeMap<String, String>,
}

/// An example of a rule: a story with only the parts that matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The story as JSON.
    pub story: String,
    /// What to see in it, in Chinese.
    pub zh: String,
    /// What to see in it, in English.
    pub en: String,
}

impl Texts {
    /// Reads the texts compiled in for the rule `code`. A test reads all of them.
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

impl Example {
    /// The story.
    pub fn story(&self) -> Story {
        serde_json::from_str(&self.story).unwrap_or_else(|error| panic!("examples are part of the program: {error}"))
    }
}

/// `template` with each `{name}` replaced by its value. A test sees to it that every name has one.
pub(super) fn fill(template: &str, values: &BTreeMap<&'static str, String>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}').map(|close| open + close) else { break };
        match values.get(&rest[open + 1..close]) {
            Some(value) => text.push_str(value),
            None => text.push_str(&rest[open..=close]),
        }
        rest = &rest[close + 1..];
    }
    text.push_str(rest);
    text
}
