//! Inputs and outputs of an agent.

use std::collections::BTreeMap;
use std::time::Duration;

use qingyu_story::Language;
use qingyu_story::bounded::at_most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::service::proposal::Proposal;

/// Default timeout of a task in seconds.
pub const TIMEOUT: u64 = 300;

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Task {
    /// Its name; unique in a run.
    pub task_id: String,
    /// What is to be done, in the user's words.
    pub description: String,
    /// What belongs to it.
    pub context: Given,
    /// Which of several goes first; the higher, the sooner.
    pub priority: i32,
    /// After how many seconds it is given up.
    #[serde(deserialize_with = "at_most::<86_400, _, _>")]
    #[schemars(range(max = 86_400))]
    pub timeout: u64,
    /// The project, if it is about one.
    pub project: Option<String>,
    /// The chapter, if it is about one: a number, or the title or id of a document or outline node.
    pub chapter: Option<String>,
    /// The text, if it is about one that stands in no project.
    pub text: Option<String>,
    /// Who is to do it; found by what is to be done if nobody is named.
    pub agent: Option<String>,
    /// Agents that do it one after the other, each with what the one before it came to; takes the place of `agent` and of
    /// splitting.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agent_sequence: Vec<String>,
    /// In which language it is spoken of.
    pub language: Language,
}

impl Default for Task {
    fn default() -> Self {
        Self {
            task_id: String::new(),
            description: String::new(),
            context: Given::default(),
            priority: 0,
            timeout: TIMEOUT,
            project: None,
            chapter: None,
            text: None,
            agent: None,
            agent_sequence: Vec::new(),
            language: Language::default(),
        }
    }
}

impl Task {
    /// Returns a task with these words, in their language.
    pub fn new(task_id: impl Into<String>, description: impl Into<String>) -> Self {
        let description = description.into();
        Self { task_id: task_id.into(), language: Language::of(&description), description, ..Self::default() }
    }

    /// Returns the timeout of the task.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// What belongs to a task, each only for agents that know it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Given {
    /// Which of the things an agent can do, such as `dialogue`; found by the words if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Who takes part: names, aliases or ids of characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub characters: Vec<String>,
    /// Where and when it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// What stands before it, if that is not in the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_content: Option<String>,
    /// What must hold, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// What is to be looked at: `style`, `emotion`, `pace`, `quality`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aspects: Vec<String>,
    /// How strict to be: `loose`, `standard` or `strict`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// How long the result is to be, in characters and words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<u32>,
    /// The part of the text that may be changed, in characters from and to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(usize, usize)>,
    /// Whether the project is to be changed; otherwise the result is only shown.
    pub change: bool,
    /// What earlier tasks came to, by their name; filled by the orchestrator.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub earlier: BTreeMap<String, String>,
    /// Anything else.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// What came of a task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentResult {
    /// The task.
    pub task_id: String,
    /// Who did it.
    pub agent: String,
    /// What was made or found, for people.
    pub output: String,
    /// The tools that were called, in order.
    pub(crate) tool_calls: Vec<ToolUse>,
    /// How it came about, a line each.
    pub reasoning: Vec<String>,
    /// The share of what could be verified that was verified, from 0 to 1; 0 if nothing could be.
    pub confidence: f64,
    /// The result as data.
    pub metadata: Metadata,
}

/// A result as data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Metadata {
    /// Which of the things the agent can do it did.
    pub kind: String,
    /// What did not go as it should have, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What was verified, and whether it held; the confidence is the share.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The change that the agent proposes, if it proposes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// What the agent found: figures, findings, citations.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// Something that was verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was verified, such as `quotes`.
    pub what: String,
    /// How much of it held.
    pub held: u32,
    /// Of how much.
    pub of: u32,
}

impl Check {
    /// Returns a check of a single condition.
    pub fn one(what: &str, holds: bool) -> Self {
        Self { what: what.to_owned(), held: u32::from(holds), of: 1 }
    }

    /// Returns a check of `count` conditions, all of them held.
    pub fn all(what: &str, count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Self { what: what.to_owned(), held: count, of: count }
    }

    /// Returns the confidence: the share of conditions held; 0 without checks.
    pub fn confidence(checks: &[Self]) -> f64 {
        let (held, of) = checks.iter().fold((0, 0), |(held, of), check| (held + check.held, of + check.of));
        if of == 0 { 0.0 } else { f64::from(held) / f64::from(of) }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ToolUse {
    /// The tool.
    pub(crate) tool_name: String,
    /// Its arguments.
    pub(crate) parameters: Value,
    /// Its answer; null if it failed.
    pub(crate) result: Value,
    /// How long it took.
    pub(crate) duration_ms: u64,
    /// Whether there is an answer.
    pub(crate) success: bool,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}
