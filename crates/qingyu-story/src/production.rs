//! Content production as data: the phases of a project, and the fields made in each.
//!
//! A project has a production beside its story, or instead of a story: a course has only phases and fields, a book may
//! have both. Derived state (stale fields, the next field to make) is computed by `qingyu-production`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounded::at_most;

/// How a production goes: its phases in order, what its content is judged by, where it goes to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Production {
    /// The template that it was begun from, such as `course`.
    pub template: String,
    /// The phases, in order.
    pub phases: Vec<Phase>,
    /// The name of the phase that is worked on; empty once all are done.
    pub current_phase: String,
    /// What content is judged by.
    pub criteria: Vec<Criterion>,
    /// Where content goes to.
    pub channels: Vec<Channel>,
    /// The part of a field that holds the title of the content, named as in [`Field::depends_on`]; empty if none does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title_from: String,
    /// The content in the order in which a reader meets it, by path; the order of the fields if it is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reading_order: Vec<String>,
    /// How the creator, or the client, writes.
    #[serde(skip_serializing_if = "Voice::is_empty")]
    pub voice: Voice,
}

/// How a creator or a client writes: samples, what must not be claimed, and which words are used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Voice {
    /// The name of the client, or of the voice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub client: String,
    /// Texts of the creator's own.
    #[serde(deserialize_with = "at_most::<20, _, _>")]
    #[schemars(length(max = 20))]
    pub samples: Vec<String>,
    /// Words and claims that no text may contain.
    #[serde(deserialize_with = "at_most::<500, _, _>")]
    #[schemars(length(max = 500))]
    pub forbidden: Vec<String>,
    /// Words to use, each with the words that it replaces.
    #[serde(deserialize_with = "at_most::<500, _, _>")]
    #[schemars(length(max = 500))]
    pub glossary: Vec<GlossaryTerm>,
}

/// A word to use, and the words that it replaces.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GlossaryTerm {
    /// The word to use.
    pub term: String,
    /// The words not to use for it.
    #[serde(deserialize_with = "at_most::<50, _, _>")]
    #[schemars(length(max = 50))]
    pub instead_of: Vec<String>,
}

impl Voice {
    /// Returns whether nothing is said about the voice.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.forbidden.is_empty() && self.glossary.is_empty()
    }
}

/// The length that a text is to have, in Chinese characters or words of other scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TextLength {
    /// The shortest.
    pub least: usize,
    /// The longest.
    pub most: usize,
}

/// One stretch of a production.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Phase {
    /// The name, such as `design_inner`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What is done in it.
    pub kind: PhaseKind,
    /// Whether a person confirms what came of it.
    pub autonomy: Autonomy,
    /// Whether it is done: confirmed by a person, or by its autonomy.
    pub is_done: bool,
}

/// What is done in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKind {
    /// The user is asked until they say that it is enough; then the fields are made from the answers.
    Interview,
    /// The web is searched and read.
    Research,
    /// Fields are made.
    #[default]
    Make,
    /// Simulated consumers read.
    Simulate,
    /// Content is judged by criteria.
    Evaluate,
}

impl PhaseKind {
    /// Returns whether the phase results in a report, not made from other fields.
    pub fn gives_report(self) -> bool {
        matches!(self, Self::Research | Self::Simulate | Self::Evaluate)
    }
}

/// Whether a phase waits for a person at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// A person confirms.
    #[default]
    Wait,
    /// It goes on by itself.
    Auto,
}

/// Something that content is judged by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Criterion {
    /// The name, such as `clarity`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What is asked of the content.
    pub question: String,
    /// How much it counts, beside the others; above 0.
    pub weight: f64,
}

/// A place that content goes to, with the form it has there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Channel {
    /// The name, such as `wechat`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// How long a text may be there, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The ending of the file, such as `md`.
    pub extension: String,
    /// The text there, as a template over the production's fields.
    pub template: String,
}

/// A named piece of a content production: a value with a shape, made from others.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Field {
    /// What it is named by: its phase and its name, such as `design_inner/outline`; an item of a list ends in its number,
    /// from 1: `produce_inner/lessons/3`.
    pub path: String,
    /// The name for people.
    pub title: String,
    /// The phase in which it is made.
    pub phase: String,
    /// JSON Schema of its value.
    pub schema: Value,
    /// What it is to hold, in words.
    pub guidance: String,
    /// What it is made from: paths, each with a JSON Pointer behind `#` if a part is meant
    /// (`design_inner/outline#/lessons/2`), or with `?relevant` if of a research only the findings are meant that concern
    /// the field. In a list field, `previous` means the item before.
    pub depends_on: Vec<String>,
    /// A list elsewhere, named as in `depends_on`: the field then stands for one field for each entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// Which entry of that list it belongs to, if it is one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// What it says about creator, intent or consumers, if every model is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub golden: Option<Golden>,
    /// Whether it is content for consumers, which is read, judged and exported.
    pub is_content: bool,
    /// For whom the content is, in words: content for the same audience is exported as one file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub audience: String,
    /// How long its text is to be, if that is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<TextLength>,
    /// The value; `null` as long as there is none.
    pub value: Value,
    /// How often it got another value; 0 before the first.
    pub version: u32,
    /// Whether a person, or the autonomy of its phase, has confirmed the value.
    pub is_confirmed: bool,
    /// A digest of each thing in `depends_on`, as it was when the value was made.
    pub made_from: BTreeMap<String, String>,
    /// Who made the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<Maker>,
}

/// The place of a field in the list that it is made for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Item {
    /// The path of the field that stands for all of them.
    pub of: String,
    /// Its place in the list, from 0.
    pub index: usize,
}

/// What a field tells every model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Golden {
    /// Who creates.
    CreatorProfile,
    /// What is to be reached.
    Intent,
    /// For whom.
    ConsumerPersonas,
}

/// Who made a value, and how. In which run stands in the log of the project: a run that is played again makes the same value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Maker {
    /// The agent, or `person`.
    pub agent: String,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// SHA-256 of the prompt templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_hash: Option<String>,
}

impl Field {
    /// Returns whether the field has no value.
    pub fn is_empty(&self) -> bool {
        self.value.is_null()
    }

    /// Returns whether the value is text.
    pub fn is_text(&self) -> bool {
        self.schema.get("type").and_then(Value::as_str).is_none_or(|kind| kind == "string")
    }

    /// Returns whether the field is a template, expanded once per entry of a list.
    pub fn is_pattern(&self) -> bool {
        self.each.is_some()
    }
}
