//! The tables of content production in both languages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use serde::Deserialize;
use serde_json::Value;

/// Everything that is said in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    /// Put around what nobody knows; has `{what}`.
    pub(super) unknown: String,
    /// One line in each text: what made it.
    pub(super) note: String,
    /// At the end of a text that could not be changed; has `{instruction}`.
    pub(super) not_changed: String,
    /// Words that end the interview.
    pub(super) enough: Vec<String>,
    /// Said beside a question once enough has been asked.
    pub(super) may_go_on: String,
    /// Said once every question was asked.
    pub(super) all_asked: String,
    /// The heading above an exercise.
    pub(super) exercise: String,
    /// The heading above what a part is for.
    pub(super) goal: String,
    /// What stands, in the conversation; has `{phase}`.
    pub(super) stands: String,
    pub(super) no_fields: String,
    pub(super) no_value: String,
    pub(super) needs_model: String,
    /// The names of statuses.
    pub(super) statuses: BTreeMap<String, String>,
    /// The questions, in order.
    pub(super) questions: Vec<Question>,
    /// What stands in a slot that the user's words do not fill.
    pub(super) slots: BTreeMap<String, String>,
    /// Values of members, by name.
    pub(super) members: BTreeMap<String, Value>,
    /// Entries of lists, by the name of the list.
    pub(super) rows: BTreeMap<String, Vec<Value>>,
    /// Headings of texts, by the name of the field.
    pub(super) headings: BTreeMap<String, Vec<String>>,
    /// Ways to teach something.
    pub(super) shapes: Vec<TeachingShape>,
}

/// A question of the interview.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The slot that the answer fills.
    pub(super) slot: String,
    pub(super) text: String,
}

/// A way to teach something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeachingShape {
    /// Words of the premise that ask for it.
    pub(super) words: Vec<String>,
    pub(super) lessons: Vec<Value>,
}

/// The tables of a language.
pub(super) fn of(language: Language) -> &'static Tables {
    static ZH: LazyLock<Tables> = LazyLock::new(|| parse(include_str!("zh.toml")));
    static EN: LazyLock<Tables> = LazyLock::new(|| parse(include_str!("en.toml")));
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

fn parse(text: &str) -> Tables {
    toml::from_str(text).expect("the tables are compiled in and tested")
}

impl Tables {
    /// Says that something is not known.
    pub(super) fn unknown(&self, what: &str) -> String {
        self.unknown.replace("{what}", what.trim())
    }
}
