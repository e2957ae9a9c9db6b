//! The rules of the checker.

use qingyu_story::{Language, Severity, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::studio::Studio;

/// A rule of the checker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRow {
    /// The code, such as `QY101`.
    pub code: String,
    /// The name in a few words.
    pub name: String,
    /// An explanation of the findings and their importance.
    pub explanation: String,
    /// The severity of findings with the current settings; `None` for a disabled rule.
    pub severity: Option<Severity>,
    /// An example story with a finding.
    pub fires: RuleExample,
    /// A similar story without a finding.
    pub spares: RuleExample,
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleExample {
    /// An explanation of the example.
    pub note: String,
    /// The relevant parts of the story.
    pub story: Value,
}

impl Studio {
    /// Returns the rules of the checker, described in `language`.
    pub fn rules(&self, language: Language) -> Vec<RuleRow> {
        let checker =
            self.settings().values(None).map_or_else(|_| self.values_at_start().checker.clone(), |now| now.checker);
        let example = |example: &rules::ExampleStory| RuleExample {
            note: match language {
                Language::Zh => example.zh.clone(),
                Language::En => example.en.clone(),
            },
            story: serde_json::from_str(&example.story).unwrap_or_default(),
        };
        let row = |rule: &rules::Rule| RuleRow {
            code: rule.code.into(),
            name: rule.name(language),
            explanation: rule.page(language).to_owned(),
            severity: checker.severity(rule.code, rule.severity),
            fires: example(rule.fires()),
            spares: example(rule.spares()),
        };
        rules::all().iter().map(row).collect()
    }
}
