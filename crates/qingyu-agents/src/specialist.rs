//! The specialists: what each answers with, what must be right about it, and how it becomes part of the story.
//!
//! A specialist is a type that implements [`Specialist`]; a new one is a file like [`outline`] and a line in the
//! pipeline.

use qingyu_story::names::fold;
use qingyu_story::{Agent, Language, Story, ids};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod character;
mod instructions;
pub mod outline;
pub mod plot;
pub mod style;
#[cfg(test)]
mod tests;
pub mod worldview;

pub use instructions::{Corrected, carry_out, guarded};

use crate::context::WorkMode;

/// An agent that makes a part of the story.
pub trait Specialist: Send + Sync + 'static {
    /// What it answers with.
    type Output: Serialize + DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static;

    /// Which agent it is.
    const AGENT: Agent;

    /// What is wrong with an answer that fits its schema, in words for the model; nothing if it can be used.
    fn problems(output: &Self::Output, expected: Expected<'_>) -> Vec<String>;

    /// The answer as a story that holds nothing else, and what was said about it.
    fn made(output: Self::Output) -> Made;

    /// Puts what was `made` into `story`: beside what is there, in place of pieces of the same name.
    fn add(story: &mut Story, made: Story);
}

/// What is expected of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// In which way the agent works. A correction may be of a single piece.
    pub mode: WorkMode,
    /// The language of the work.
    pub language: Language,
    /// What the agent was shown.
    pub story: &'a Story,
}

impl Expected<'_> {
    /// Whether the answer must be a whole.
    pub fn whole(&self) -> bool {
        self.mode != WorkMode::Correct
    }

    /// The words of the work's language.
    pub fn words(&self, chinese: impl Into<String>, english: impl Into<String>) -> String {
        match self.language {
            Language::Zh => chinese.into(),
            Language::En => english.into(),
        }
    }
}

/// What an agent made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Made {
    /// The pieces, and nothing else.
    pub story: Story,
    /// The title of the work, if the agent gives it one.
    pub title: String,
    /// In a paragraph.
    pub summary: String,
    /// How it came about.
    pub reasoning: Vec<String>,
}

/// `story` with what was made for the first time or anew, ids given.
///
/// A piece of a name that is or was there keeps its id; `before` may hold what was cleared.
pub fn place<S: Specialist>(story: &Story, before: &Story, made: Story) -> Story {
    let mut after = story.clone();
    S::add(&mut after, made);
    ids::adopt(before, &mut after);
    after
}

/// Puts `new` among `old`: in place of what goes by the same name, else behind.
fn absorb<T>(old: &mut Vec<T>, new: Vec<T>, name: impl Fn(&T) -> String) {
    for piece in new {
        let same = fold(&name(&piece));
        match old.iter_mut().find(|known| !same.is_empty() && fold(&name(known)) == same) {
            Some(known) => *known = piece,
            None => old.push(piece),
        }
    }
}

/// The names that are empty or stand twice, as problems.
fn bad_names<'n>(what: (&str, &str), names: impl Iterator<Item = &'n str>, expected: Expected<'_>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut problems = Vec::new();
    for (number, name) in (1..).zip(names) {
        if name.trim().is_empty() {
            problems.push(
                expected.words(
                    format!("第 {number} 个{}没有名字", what.0),
                    format!("{} number {number} has no name", what.1),
                ),
            );
        } else if !seen.insert(fold(name)) {
            problems.push(
                expected
                    .words(format!("{}“{name}”重复出现", what.0), format!("the {} \"{name}\" stands twice", what.1)),
            );
        }
    }
    problems
}
