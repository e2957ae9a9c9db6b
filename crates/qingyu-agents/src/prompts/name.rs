//! Names of prompts.

use qingyu_story::{Agent, Language};

use super::declared::PromptFolder;
use crate::context::WorkMode;

/// The name of a prompt, without language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PromptName(pub(super) &'static str, pub(super) &'static str);

impl PromptName {
    /// System prompt of the editor for directions.
    pub(crate) const DIRECTIONS_SYSTEM: Self = Self("directions", "system");
    /// Request for directions.
    pub(crate) const DIRECTIONS_PROPOSE: Self = Self("directions", "propose");
    /// System prompt of the planner.
    pub(crate) const PLANNER_SYSTEM: Self = Self("planner", "system");
    /// Request for a plan.
    pub(crate) const PLANNER_GENERATE: Self = Self("planner", "generate");
    /// System prompt of the outline agent for the levels of a long book.
    pub(crate) const LEVELS_SYSTEM: Self = Self("outline", "levels");
    /// Request for the book and its volumes.
    pub(crate) const LEVELS_BOOK: Self = Self("outline", "book");
    /// Request for the arcs of a volume.
    pub(crate) const LEVELS_ARCS: Self = Self("outline", "arcs");
    /// Request for chapters of an arc.
    pub(crate) const LEVELS_CHAPTERS: Self = Self("outline", "chapters");
    /// Request for changes of later plans.
    pub(crate) const LEVELS_LATER: Self = Self("outline", "later");
    /// System prompt of the reviewer.
    pub(crate) const REVIEW_SYSTEM: Self = Self("review", "system");
    /// Request for a review.
    pub(crate) const REVIEW_GENERATE: Self = Self("review", "generate");
    /// System prompt of the assistant.
    pub(crate) const ASSISTANT_SYSTEM: Self = Self("assistant", "system");
    /// Request to parse a question into a pattern.
    pub(crate) const ASSISTANT_UNDERSTAND: Self = Self("assistant", "understand");
    /// Request to answer a question from passages.
    pub(crate) const ASSISTANT_ANSWER: Self = Self("assistant", "answer");
    /// Request to sort passages.
    pub(crate) const ASSISTANT_RERANK: Self = Self("assistant", "rerank");
    /// System prompt of the chapter writer.
    pub(crate) const CHAPTER_SYSTEM: Self = Self("chapter", "system");
    /// Request for a chapter plan.
    pub(crate) const CHAPTER_UNDERSTAND: Self = Self("chapter", "understand");
    /// Request for a chapter or a scene.
    pub(crate) const CHAPTER_GENERATE: Self = Self("chapter", "generate");
    /// Request to continue a truncated text.
    pub(crate) const CHAPTER_CONTINUE: Self = Self("chapter", "continue");
    /// Request to rewrite a part of a chapter.
    pub(crate) const CHAPTER_REWRITE: Self = Self("chapter", "rewrite");
    /// Request to check the seams between scenes.
    pub(crate) const CHAPTER_SEAMS: Self = Self("chapter", "seams");
    /// Request for fixes of a chapter.
    pub(crate) const CHAPTER_FIX: Self = Self("chapter", "fix");
    /// System prompt of the chapter reviewer.
    pub(crate) const CRITIC_SYSTEM: Self = Self("critic", "system");
    /// Request for a chapter review.
    pub(crate) const CRITIC_REVIEW: Self = Self("critic", "review");
    /// System prompt of the settlement reader.
    pub(crate) const SETTLE_SYSTEM: Self = Self("settle", "system");
    /// Request to extract the statements of a chapter.
    pub(crate) const SETTLE_EXTRACT: Self = Self("settle", "extract");
    /// System prompt of the producer.
    pub(crate) const PRODUCTION_SYSTEM: Self = Self("production", "system");
    /// Request for the next interview question.
    pub(crate) const PRODUCTION_INTERVIEW: Self = Self("production", "interview");
    /// Request to determine the user's intent.
    pub(crate) const PRODUCTION_ROUTE: Self = Self("production", "route");
    /// Request to make or change a field.
    pub(crate) const PRODUCTION_MAKE: Self = Self("production", "make");
    /// Request to answer the user.
    pub(crate) const PRODUCTION_CHAT: Self = Self("production", "chat");
    /// System prompt of the researcher.
    pub(crate) const RESEARCH_SYSTEM: Self = Self("research", "system");
    /// Request for search queries.
    pub(crate) const RESEARCH_PLAN: Self = Self("research", "plan");
    /// Request for notes on a page.
    pub(crate) const RESEARCH_NOTE: Self = Self("research", "note");
    /// Request for a report from notes.
    pub(crate) const RESEARCH_WRITE: Self = Self("research", "write");
    /// System prompt of a simulated consumer.
    pub(crate) const CONSUMER_SYSTEM: Self = Self("consumer", "system");
    /// Request to read content as a consumer.
    pub(crate) const CONSUMER_READ: Self = Self("consumer", "read");
    /// Request for personas.
    pub(crate) const CONSUMER_PERSONAS: Self = Self("consumer", "personas");
    /// System prompt of a judge.
    pub(crate) const JUDGE_SYSTEM: Self = Self("judge", "system");
    /// Request to score content by criteria.
    pub(crate) const JUDGE_SCORE: Self = Self("judge", "score");
    /// Project facts for every model.
    pub(crate) const GOLDEN: Self = Self("golden", "context");
    /// Layout of the correction instructions.
    pub(crate) const META_CORRECTION: Self = Self("meta", "correction");

    /// Returns the name of file `part` in the folder of an agent of the service.
    pub(crate) fn of(folder: &PromptFolder, part: &'static str) -> Self {
        Self(folder.name, part)
    }

    /// Returns the system prompt of the specialist `agent`.
    pub fn system(agent: Agent) -> Self {
        Self(folder(agent), "system")
    }

    /// Returns the request prompt of the specialist `agent` in `mode`.
    pub fn work(agent: Agent, mode: WorkMode) -> Self {
        let part = match mode {
            WorkMode::Generate => "generate",
            WorkMode::Correct => "correct",
            WorkMode::Regenerate => "regenerate",
        };
        Self(folder(agent), part)
    }

    pub(super) fn file(self, language: Language) -> String {
        format!("{}/{}.{}.md", self.0, self.1, language.code())
    }
}

/// Returns the agent's folder, the first segment of its purposes.
pub(crate) fn folder(agent: Agent) -> &'static str {
    agent.name().trim_end_matches("_agent")
}
