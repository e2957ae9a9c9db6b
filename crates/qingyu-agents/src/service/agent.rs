//! The interface of all agents.

use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::prompts::PromptFolder;
use crate::service::failure::AgentHalt;
use crate::service::proposal::Proposal;
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;

/// Executes tasks of one kind.
///
/// An agent's decisions depend only on the task and on results from [`AgentWork`]: no clock, no randomness, no state between
/// two calls. A run resumed after a crash calls the agent again from the beginning, and `AgentWork` returns the stored
/// results.
pub(crate) trait ServiceAgent: Debug + Send + Sync {
    /// Returns the agent's name, `[a-z_]+`; the first segment of its purposes.
    fn name(&self) -> &'static str;

    /// Returns the agent's skills, for the choice among agents.
    fn skills(&self) -> AgentSkills;

    /// Returns the agent's prompts; `None` for an agent without model calls.
    fn prompts(&self) -> Option<&'static PromptFolder> {
        None
    }

    /// Returns the names of allowed tools.
    fn tools(&self) -> &'static [&'static str] {
        &[]
    }

    /// Determines the kind and the subject of the task. Returns an error for missing inputs.
    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>>;

    /// Returns the steps in order, described in `language`. Must be pure.
    fn plan(&self, understanding: &TaskUnderstanding, language: Language) -> Vec<AgentStep>;

    /// Executes one step. An error the task can do without becomes a warning.
    fn execute_step<'a>(
        &'a self,
        step: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>>;

    /// Summarises the results of all steps. Must be pure.
    fn summarise(&self, course: &TaskProgress) -> TaskSummary;
}

/// The skills of an agent, in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AgentSkills {
    /// One-line description in Chinese, for models and people.
    pub(crate) zh: &'static str,
    /// One-line description in English.
    pub(crate) en: &'static str,
    /// Subjects of the agent's tasks (`时间线`, `word count`), in both languages and lower case. They decide before verbs.
    pub(crate) words: &'static [&'static str],
    /// Verbs and question words that other agents share (`检查`, `review`): they decide between equal subjects, and where
    /// no subject is named.
    pub(crate) verbs: &'static [&'static str],
    /// Verbs that, at the beginning of a clause, give it to the agent whatever its subject (`续写`, `rewrite`).
    pub(crate) leads: &'static [&'static str],
    /// Whether the agent may propose changes of a text.
    pub(crate) changes: bool,
}

impl AgentSkills {
    /// Returns the description in `language`.
    pub(crate) fn of(&self, language: Language) -> &'static str {
        match language {
            Language::Zh => self.zh,
            Language::En => self.en,
        }
    }
}

/// A task, as understood by an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct TaskUnderstanding {
    /// Kind of the task; one of the agent's own.
    pub(crate) kind: String,
    /// Subject of the task, serialized by the agent.
    pub(crate) about: Value,
    /// Reasoning, a line each.
    pub(crate) reasoning: Vec<String>,
}

impl TaskUnderstanding {
    /// Returns the understanding of a task with this kind and subject.
    pub(crate) fn new(kind: &str, about: &impl Serialize) -> Self {
        let about = serde_json::to_value(about).expect("what a task is about is plain data");
        Self { kind: kind.to_owned(), about, reasoning: Vec::new() }
    }
}

/// A planned step of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgentStep {
    /// Name of the action, such as `retrieve_context`; unique in a plan.
    pub(crate) action: String,
    /// Description in the task's language.
    pub(crate) description: String,
}

impl Done {
    /// Returns an outcome with data for later steps, and without output.
    pub(crate) fn with(data: &impl Serialize) -> Self {
        Self { data: serde_json::to_value(data).expect("results are plain data"), ..Self::default() }
    }
}

impl AgentStep {
    /// Returns a step with a description in either language.
    pub(crate) fn new(action: &str, language: Language, zh: &str, en: &str) -> Self {
        let description = if language == Language::Zh { zh } else { en };
        Self { action: action.to_owned(), description: description.to_owned() }
    }
}

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Text for people; empty without output.
    pub(crate) output: String,
    /// Data for later steps.
    pub(crate) data: Value,
    /// Reasoning, a line each.
    pub(crate) reasoning: Vec<String>,
    /// Verified claims.
    pub(crate) checks: Vec<Check>,
    /// Proposed change of a text.
    pub(crate) proposal: Option<Proposal>,
}

/// The progress of an agent on a task.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskProgress {
    /// The task.
    pub(crate) task: Task,
    /// Understanding of the task.
    pub(crate) understanding: TaskUnderstanding,
    /// Completed steps with their outcomes.
    pub(crate) done: Vec<(AgentStep, Done)>,
}

impl TaskProgress {
    /// Returns the outcome of the step `action`; `None` if not completed.
    pub(crate) fn of(&self, action: &str) -> Option<&Done> {
        self.done.iter().find(|(step, _)| step.action == action).map(|(_, done)| done)
    }

    /// Returns the data of the step `action`; null if not completed.
    pub(crate) fn data(&self, action: &str) -> &Value {
        self.of(action).map_or(&Value::Null, |done| &done.data)
    }

    /// Deserializes the subject of the task.
    ///
    /// # Panics
    ///
    /// Panics if the agent serialized another type, which is a bug of the agent.
    pub(crate) fn about<T: serde::de::DeserializeOwned>(&self) -> T {
        T::deserialize(&self.understanding.about).expect("an agent reads what it wrote")
    }

    /// Returns the language of the task.
    pub(crate) fn language(&self) -> Language {
        self.task.language
    }
}

/// The final summary of an agent.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TaskSummary {
    /// Text for people.
    pub(crate) output: String,
    /// Data for programs.
    pub(crate) data: Value,
}
