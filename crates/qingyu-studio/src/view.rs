//! What can be looked at.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::{ChapterCoverage, DiagnosticReport, Language, Severity, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{KeySource, Layer, ProjectStatus, Question, UsageView};

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// A process works on it now.
    Running,
    /// It waits for a person.
    Waiting,
    /// It ended well.
    Done,
    /// It ended with a failure and can be resumed.
    Failed,
    /// It was stopped, or its process died; it can be resumed.
    Interrupted,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    /// Its id.
    pub run: String,
    /// Its project.
    pub project: String,
    /// The project's title.
    pub title: String,
    /// The user's words.
    pub requirement: String,
    /// How it stands.
    pub status: RunStatus,
    /// The model of most roles.
    pub model: String,
    /// When it began.
    pub started: Timestamp,
    /// When it ended, was stopped or began to wait; none while it works.
    pub ended: Option<Timestamp>,
    /// The score of the last review.
    pub quality_score: Option<u8>,
    /// What it has cost so far.
    pub usage: UsageView,
}

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRow {
    /// Its id.
    pub project: String,
    /// Its title.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The words it began with.
    pub premise: String,
    /// When it began.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Grows with each change.
    pub version: u64,
    /// The project that it is a branch of, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<String>,
    /// What it is called as a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Where it is kept.
    #[serde(default)]
    pub status: ProjectStatus,
    /// Whether its title is one that it got for want of a better one.
    #[serde(default)]
    pub untitled: bool,
    /// Whether there is a picture on its cover.
    #[serde(default)]
    pub has_cover: bool,
    /// How many of its chapters no model has read as they stand; none where that was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<u32>,
}

/// Everything about a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectView {
    /// The project.
    pub project: ProjectRow,
    /// The story as it stands.
    pub story: Story,
    /// The chapters that have a text, and how far each has been read.
    pub chapters: Vec<ChapterCoverage>,
    /// The report of the last review.
    pub report: Option<DiagnosticReport>,
    /// The reasoning of the last run, oldest first.
    pub reasoning: Vec<String>,
    /// Which run, agent, prompt and model made each piece.
    pub provenance: Vec<Provenance>,
    /// What all its runs cost.
    pub usage: UsageView,
    /// Its runs, newest first.
    pub runs: Vec<RunRow>,
    /// What the newest run asks a person, if it waits.
    pub question: Option<Question>,
}

/// Where a piece comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// What kind of piece: `outline_node`, `character`, `relation`, `event`, `plot_node`, `worldview`, ….
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name or title, if it has one.
    pub name: String,
    /// The run that last changed it.
    pub run: Option<String>,
    /// The agent, or `person`.
    pub agent: String,
    /// The hash of the prompt.
    pub prompt_hash: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The tokens of the call that made it, together with the pieces made by the same call.
    pub tokens: u64,
    /// When.
    pub at: Timestamp,
}

/// Which model serves, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChoice {
    /// Such as `deepseek/deepseek-flash` or `offline-rules-1`.
    pub model: String,
    /// Why.
    pub why: ModelReason,
}

/// Why a model serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ModelReason {
    /// It is named in a layer of the settings, or in the request.
    Configured {
        /// The layer.
        layer: Layer,
    },
    /// Its provider's key is in the environment.
    KeySet {
        /// The provider.
        provider: String,
        /// The variable that holds the key.
        variable: String,
    },
    /// Its provider's key was given to this program.
    KeyKept {
        /// The provider.
        provider: String,
    },
    /// A server on this machine answers.
    LocalServer {
        /// Its address.
        url: String,
    },
    /// There is no key and no server on this machine; the offline model works by rules.
    NothingElse,
}

/// A provider in the list of models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelRow {
    /// The provider, such as `deepseek`.
    pub provider: String,
    /// Where requests go.
    pub base_url: String,
    /// The variable that holds its key; none if it needs none.
    pub key_variable: Option<String>,
    /// Whether the key is there.
    pub key_present: bool,
    /// Where the key comes from; none if there is none.
    pub key_source: Option<KeySource>,
    /// For servers on this machine: whether one answers. None for others, which are not asked.
    pub reachable: Option<bool>,
    /// Models: the usual one first; for reachable servers on this machine, those it serves.
    pub models: Vec<String>,
    /// Those of its models that serve and are about to be retired, or were, as model → day.
    pub retiring: BTreeMap<String, String>,
    /// The roles it serves with the settings as they are, as role → model.
    pub roles: BTreeMap<String, String>,
}

/// One check of the doctor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckRow {
    /// What is checked: `data_folder`, `free_space`, `sqlite_version`, `database`, `integrity`, `keys`,
    /// `local_servers`, `model`, `clock`, `settings`, `prompts`.
    pub check: String,
    /// How it stands.
    pub state: CheckState,
    /// What was found, for doors to word.
    pub data: BTreeMap<String, Value>,
}

/// How a check stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// Fine.
    Ok,
    /// Works, but look at it.
    Warning,
    /// Does not work.
    Failed,
    /// There, but nobody has tried whether it works.
    NotTried,
}

/// One effective setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingRow {
    /// Its place in the file, such as `models.default`.
    pub key: String,
    /// Its value; `"***"` for secrets.
    pub value: Value,
    /// The layer it comes from.
    pub layer: Layer,
    /// The file or variable it comes from.
    pub source: Option<String>,
}

/// A rule of the checker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRow {
    /// Its code, such as `QY101`.
    pub code: String,
    /// Its name in a few words.
    pub name: String,
    /// What it finds and why it matters.
    pub explanation: String,
    /// How bad a finding is, with the settings as they are; none if the rule is off.
    pub severity: Option<Severity>,
    /// A story in which it finds something.
    pub fires: RuleExample,
    /// A near miss that it leaves alone.
    pub spares: RuleExample,
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleExample {
    /// What to see in it.
    pub note: String,
    /// The parts of the story that matter.
    pub story: Value,
}

/// What a plan will cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Tokens, by agent as well, and the price if the models' prices are known. One call is counted per step.
    pub usage: UsageView,
    /// Steps on the longest chain.
    pub critical_path: usize,
}
