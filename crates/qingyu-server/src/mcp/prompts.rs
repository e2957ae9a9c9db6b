//! Where prompts come from.

use std::collections::BTreeMap;
use std::fmt::Debug;

use qingyu_story::{Agent, Language, Story};
use qingyu_studio::Studio;
use qingyu_tools::texts::{Text, fill};

use super::texts;

/// Gives prompts that a person can choose in a client.
pub trait Prompts: Debug + Send + Sync {
    /// All there are; the same every time.
    fn list(&self) -> Vec<Prompt>;

    /// The prompt of that name for `story`, filled with arguments. Those that are needed are there; others that the
    /// prompt does not name are not. `None` if there is no such prompt; otherwise the text, or what is wrong with the
    /// arguments.
    fn fill(
        &self,
        name: &str,
        arguments: &BTreeMap<String, String>,
        story: &Story,
        language: Language,
    ) -> Option<Result<String, String>>;
}

/// What a prompt says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The name, such as `character/generate`.
    pub name: String,
    /// What people see in a menu.
    pub title: Text,
    /// What it is for.
    pub description: Text,
    /// What it takes, beside `project`, which every prompt takes.
    pub arguments: Vec<Argument>,
}

/// What a prompt takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// What it means.
    pub description: Text,
    /// Whether it cannot be left out.
    pub is_needed: bool,
}

/// There are no prompts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPrompts;

/// Prompts as data: each with a text in both languages, in which `{word}` stands for an argument.
#[derive(Debug, Clone, Default)]
pub struct PlainPrompts(pub Vec<(Prompt, Text)>);

impl Prompts for NoPrompts {
    fn list(&self) -> Vec<Prompt> {
        Vec::new()
    }

    fn fill(&self, _: &str, _: &BTreeMap<String, String>, _: &Story, _: Language) -> Option<Result<String, String>> {
        None
    }
}

impl Prompts for PlainPrompts {
    fn list(&self) -> Vec<Prompt> {
        self.0.iter().map(|(prompt, _)| prompt.clone()).collect()
    }

    fn fill(
        &self,
        name: &str,
        arguments: &BTreeMap<String, String>,
        _: &Story,
        language: Language,
    ) -> Option<Result<String, String>> {
        let (prompt, text) = self.0.iter().find(|(prompt, _)| prompt.name == name)?;
        let word = |argument: &Argument| arguments.get(&argument.name).map_or("", String::as_str);
        let words: Vec<_> = prompt.arguments.iter().map(|argument| (argument.name.as_str(), word(argument))).collect();
        Some(Ok(fill(text.of(language), &words)))
    }
}

/// The prompts of the agents of a studio.
#[derive(Debug, Clone)]
pub struct AgentPrompts {
    studio: Studio,
}

impl AgentPrompts {
    /// Those of this studio.
    pub fn new(studio: &Studio) -> Self {
        Self { studio: studio.clone() }
    }
}

impl Prompts for AgentPrompts {
    fn list(&self) -> Vec<Prompt> {
        Agent::ALL.into_iter().map(prompt).collect()
    }

    fn fill(
        &self,
        name: &str,
        arguments: &BTreeMap<String, String>,
        story: &Story,
        language: Language,
    ) -> Option<Result<String, String>> {
        let agent = Agent::ALL.into_iter().find(|agent| name_of(*agent) == name)?;
        let argument = |name: &str| arguments.get(name).map_or("", String::as_str);
        let requirement = match argument("requirement") {
            "" => &story.premise,
            requirement => requirement,
        };
        let story = Story { language, ..story.clone() };
        Some(self.studio.prompt(agent, requirement, argument("task"), &story).map_err(|error| error.to_string()))
    }
}

fn name_of(agent: Agent) -> String {
    format!("{}_generate", agent.name())
}

fn prompt(agent: Agent) -> Prompt {
    let argument = |name: &str| Argument {
        name: name.into(),
        description: texts::both(&format!("prompt.{name}")),
        is_needed: false,
    };
    Prompt {
        name: name_of(agent),
        title: texts::both(&format!("agent.{}", agent.name())),
        description: texts::both("prompt.about"),
        arguments: vec![argument("requirement"), argument("task")],
    }
}
