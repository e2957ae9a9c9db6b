//! The tables of content production in both languages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use serde::Deserialize;
use serde_json::Value;

/// The texts of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProductionTables {
    /// Template around an unknown value; has `{what}`.
    pub(super) unknown: String,
    /// A line in each text about its author.
    pub(super) note: String,
    /// Template appended to an unchanged text; has `{instruction}`.
    pub(super) not_changed: String,
    /// Words to end the interview.
    pub(super) enough: Vec<String>,
    /// Text beside a question after enough questions.
    pub(super) may_go_on: String,
    /// Text after the last question.
    pub(super) all_asked: String,
    /// The heading of an exercise.
    pub(super) exercise: String,
    /// The heading of a goal.
    pub(super) goal: String,
    /// The status in the conversation; has `{phase}`.
    pub(super) stands: String,
    pub(super) no_fields: String,
    pub(super) no_value: String,
    pub(super) needs_model: String,
    /// The names of statuses.
    pub(super) statuses: BTreeMap<String, String>,
    /// The questions, in order.
    pub(super) questions: Vec<InterviewQuestion>,
    /// The defaults of slots without the user's words.
    pub(super) slots: BTreeMap<String, String>,
    /// Values of members, by name.
    pub(super) members: BTreeMap<String, Value>,
    /// Entries of lists, by the name of the list.
    pub(super) rows: BTreeMap<String, Vec<Value>>,
    /// Headings of texts, by the name of the field.
    pub(super) headings: BTreeMap<String, Vec<String>>,
    /// The teaching shapes.
    pub(super) shapes: Vec<TeachingShape>,
}

/// A question of the interview.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InterviewQuestion {
    /// The slot for the answer.
    pub(super) slot: String,
    pub(super) text: String,
}

/// A method of teaching a subject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeachingShape {
    /// Words of the premise for the shape.
    pub(super) words: Vec<String>,
    pub(super) lessons: Vec<Value>,
}

/// Returns the tables of a language.
pub(super) fn of(language: Language) -> &'static ProductionTables {
    static ZH: LazyLock<ProductionTables> = LazyLock::new(|| parse(include_str!("zh.toml")));
    static EN: LazyLock<ProductionTables> = LazyLock::new(|| parse(include_str!("en.toml")));
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

fn parse(text: &str) -> ProductionTables {
    toml::from_str(text).expect("the tables are compiled in and tested")
}

impl ProductionTables {
    /// Returns the placeholder for an unknown value.
    pub(super) fn unknown(&self, what: &str) -> String {
        self.unknown.replace("{what}", what.trim())
    }
}
