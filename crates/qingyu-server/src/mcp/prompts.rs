//! Sources of prompts.

use std::collections::BTreeMap;
use std::fmt::Debug;

use qingyu_story::{Agent, Language, Story};
use qingyu_studio::Studio;
use qingyu_tools::texts::{Text, fill};

use super::texts;

/// A source of prompts for a person to choose from in a client.
pub(super) trait PromptSource: Debug + Send + Sync {
    /// Returns all prompts; the list must not change.
    fn list(&self) -> Vec<Prompt>;

    /// Returns the prompt `name` for `story`, with arguments filled in. The caller guarantees that required arguments
    /// are present and removes unknown arguments. Returns `None` for an unknown prompt; otherwise the text, or a
    /// description of invalid arguments.
    fn fill(
        &self,
        name: &str,
        arguments: &BTreeMap<String, String>,
        story: &Story,
        language: Language,
    ) -> Option<Result<String, String>>;
}

/// The description of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The name, such as `character/generate`.
    pub name: String,
    /// The title, shown in menus.
    pub title: Text,
    /// The purpose of the prompt.
    pub description: Text,
    /// The arguments, in addition to `project`, which every prompt takes.
    pub arguments: Vec<PromptParameter>,
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptParameter {
    /// The name.
    pub name: String,
    /// The meaning of the argument.
    pub description: Text,
    /// Whether the argument is required.
    pub is_needed: bool,
}

/// Prompts as data, by default none: each with a text in both languages, where `{word}` is replaced by an argument.
#[derive(Debug, Clone, Default)]
pub(super) struct PlainPrompts(pub(super) Vec<(Prompt, Text)>);

impl PromptSource for PlainPrompts {
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
        let word = |argument: &PromptParameter| arguments.get(&argument.name).map_or("", String::as_str);
        let words: Vec<_> = prompt.arguments.iter().map(|argument| (argument.name.as_str(), word(argument))).collect();
        Some(Ok(fill(text.of(language), &words)))
    }
}

/// The prompts of a studio's agents.
#[derive(Debug, Clone)]
pub(super) struct AgentPrompts {
    studio: Studio,
}

impl AgentPrompts {
    /// Creates a source of the studio's prompts.
    pub(super) fn new(studio: &Studio) -> Self {
        Self { studio: studio.clone() }
    }
}

impl PromptSource for AgentPrompts {
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
    let argument = |name: &str| PromptParameter {
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
