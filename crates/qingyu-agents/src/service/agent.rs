//! The interface of all agents.

use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Check, Halt, Proposal, Task, Work};
use crate::prompts::Folder;

/// Does tasks of one kind.
///
/// What an agent decides is a function of the task and of what [`Work`] gave it: it reads no clock, draws no lots and
/// keeps nothing between two calls. A run that goes on after a crash calls it again from the beginning, and `Work` gives
/// what it gave before.
pub trait Agent: Debug + Send + Sync {
    /// Its name, `[a-z_]+`; the first segment of its purposes.
    fn name(&self) -> &'static str;

    /// What it can do, for whoever chooses among agents.
    fn skills(&self) -> Skills;

    /// Its prompts, if it asks a model anything.
    fn prompts(&self) -> Option<&'static Folder> {
        None
    }

    /// The tools it may call.
    fn tools(&self) -> &'static [&'static str] {
        &[]
    }

    /// Finds out what the task asks for and what it is about. Fails with what the task lacks.
    fn understand<'a>(&'a self, task: &'a Task, work: &'a Work<'_>) -> BoxFuture<'a, Result<Understanding, Halt>>;

    /// What is to be done, in order, with words in that language. Pure.
    fn plan(&self, understanding: &Understanding, language: Language) -> Vec<Step>;

    /// Does one step. What went wrong and can be done without is a warning, not a failure.
    fn execute_step<'a>(
        &'a self,
        step: &'a Step,
        course: &'a Course,
        work: &'a Work<'_>,
    ) -> BoxFuture<'a, Result<Done, Halt>>;

    /// Says what came of all steps. Pure.
    fn summarise(&self, course: &Course) -> Summary;
}

/// What an agent can do, in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skills {
    /// In a line, for Chinese models and people.
    pub zh: &'static str,
    /// The same in English.
    pub en: &'static str,
    /// Words in a task that call for it, in both languages and lower case.
    pub words: &'static [&'static str],
    /// Whether it may propose changes of a text.
    pub changes: bool,
}

impl Skills {
    /// The line in that language.
    pub fn of(&self, language: Language) -> &'static str {
        match language {
            Language::Zh => self.zh,
            Language::En => self.en,
        }
    }
}

/// A task as an agent understands it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Understanding {
    /// Which of the things it can do is asked for.
    pub kind: String,
    /// What it is about, as the agent keeps it for itself.
    pub about: Value,
    /// How it came to that, a line each.
    pub reasoning: Vec<String>,
}

impl Understanding {
    /// A task of that kind, about that.
    pub fn new(kind: &str, about: &impl Serialize) -> Self {
        let about = serde_json::to_value(about).expect("what a task is about is plain data");
        Self { kind: kind.to_owned(), about, reasoning: Vec::new() }
    }
}

/// Something to do on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What, such as `retrieve_context`; unique in a plan.
    pub action: String,
    /// The same in words of the task's language.
    pub description: String,
}

impl Done {
    /// Data for later steps, and nothing to show.
    pub fn with(data: &impl Serialize) -> Self {
        Self { data: serde_json::to_value(data).expect("results are plain data"), ..Self::default() }
    }
}

impl Step {
    /// A step with its words in both languages.
    pub fn new(action: &str, language: Language, zh: &str, en: &str) -> Self {
        let description = if language == Language::Zh { zh } else { en };
        Self { action: action.to_owned(), description: description.to_owned() }
    }
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Done {
    /// For people; empty if there is nothing to show.
    pub output: String,
    /// For later steps.
    pub data: Value,
    /// How it came about, a line each.
    pub reasoning: Vec<String>,
    /// What was verified.
    pub checks: Vec<Check>,
    /// What is to be changed, if something is.
    pub proposal: Option<Proposal>,
}

/// How far an agent has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// The task.
    pub task: Task,
    /// As it is understood.
    pub understanding: Understanding,
    /// The steps that are done, with what came of them.
    pub done: Vec<(Step, Done)>,
}

impl Course {
    /// What came of the step called `action`, if it is done.
    pub fn of(&self, action: &str) -> Option<&Done> {
        self.done.iter().find(|(step, _)| step.action == action).map(|(_, done)| done)
    }

    /// The data of that step; null if it is not done.
    pub fn data(&self, action: &str) -> &Value {
        self.of(action).map_or(&Value::Null, |done| &done.data)
    }

    /// What the task is about, as the agent kept it.
    ///
    /// # Panics
    ///
    /// If it was kept as another type, which is a mistake of the agent.
    pub fn about<T: serde::de::DeserializeOwned>(&self) -> T {
        T::deserialize(&self.understanding.about).expect("an agent reads what it wrote")
    }

    /// The language to speak in.
    pub fn language(&self) -> Language {
        self.task.language
    }
}

/// What an agent says in the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// For people.
    pub output: String,
    /// For programs.
    pub data: Value,
}
