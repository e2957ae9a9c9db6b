//! The interface of specialists, and the insertion of their work into the story.

use qingyu_story::names::fold;
use qingyu_story::{Agent, Language, Story, ids};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::WorkMode;

/// An agent for one part of the story.
pub(crate) trait Specialist: Send + Sync + 'static {
    /// Answer type.
    type Output: Serialize + DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static;

    /// Id of the agent.
    const AGENT: Agent;

    /// Validates an answer that fits its schema; returns problems as text for the model, empty if the answer is usable.
    fn problems(output: &Self::Output, expected: AnswerExpectation<'_>) -> Vec<String>;

    /// Returns the answer as a story without other pieces, with the agent's remarks.
    fn made(output: Self::Output) -> SpecialistWork;

    /// Inserts `made` into `story`; pieces with an existing name are replaced.
    fn add(story: &mut Story, made: Story);
}

/// Expectations of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerExpectation<'a> {
    /// The agent's mode. A correction may concern a single piece.
    pub(crate) mode: WorkMode,
    /// Language of the work.
    pub(crate) language: Language,
    /// Material shown to the agent.
    pub(crate) story: &'a Story,
}

impl AnswerExpectation<'_> {
    /// Returns whether the answer must be complete.
    pub(crate) fn whole(&self) -> bool {
        self.mode != WorkMode::Correct
    }

    /// Returns the text in the language of the work.
    pub(crate) fn words(&self, chinese: impl Into<String>, english: impl Into<String>) -> String {
        match self.language {
            Language::Zh => chinese.into(),
            Language::En => english.into(),
        }
    }
}

/// The work of an agent.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SpecialistWork {
    /// The new pieces alone.
    pub(crate) story: Story,
    /// Title of the work, if the agent gives one.
    pub(crate) title: String,
    /// Summary in a paragraph.
    pub(crate) summary: String,
    /// Lines of reasoning.
    pub(crate) reasoning: Vec<String>,
}

/// Inserts new or regenerated work into `story`, and assigns ids.
///
/// A piece keeps the id of an earlier piece with the same name; `before` may hold deleted pieces.
pub(crate) fn place<S: Specialist>(story: &Story, before: &Story, made: Story) -> Story {
    let mut after = story.clone();
    S::add(&mut after, made);
    ids::adopt(before, &mut after);
    after
}

/// Merges `new` into `old`: replaces items with the same name, and appends the others.
pub(super) fn absorb<T>(old: &mut Vec<T>, new: Vec<T>, name: impl Fn(&T) -> String) {
    for piece in new {
        let same = fold(&name(&piece));
        match old.iter_mut().find(|known| !same.is_empty() && fold(&name(known)) == same) {
            Some(known) => *known = piece,
            None => old.push(piece),
        }
    }
}

/// Returns empty and duplicate names as problems.
pub(super) fn bad_names<'n>(
    what: (&str, &str),
    names: impl Iterator<Item = &'n str>,
    expected: AnswerExpectation<'_>,
) -> Vec<String> {
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
