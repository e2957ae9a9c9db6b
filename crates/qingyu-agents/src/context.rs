//! Typed contexts of the prompts. The same value is sent in [`qingyu_llm::ChatRequest::context`].

use qingyu_knowledge::question::Rank;
use qingyu_knowledge::telling::Telling;
use qingyu_production::SaidLine;
use qingyu_story::wish::Wish;
use qingyu_story::{Agent, CorrectionInstruction, Issue, Language, Story};
use serde::{Deserialize, Serialize};

use crate::plan::RequirementAnalysis;

mod chapter;
mod level;
mod mode;

pub use chapter::ChapterPlanContext;
pub(crate) use chapter::{
    ChapterFixContext, ChapterProseContext, ChapterReviewContext, ChapterSeamsContext, ChapterSettleContext,
};
pub(crate) use level::{LaterContext, LaterField, LaterNode};
pub use level::{LevelContext, LevelMaterial};
pub use mode::WorkMode;

/// Context of purpose `directions.propose`: fills `prompts/directions/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DirectionsContext {
    /// The user's words.
    pub requirement: String,
    /// Language of the work.
    pub language: Language,
    /// Maximum number of directions.
    pub count: u32,
    /// The person's remarks on earlier directions.
    pub feedback: Option<String>,
    /// Titles of earlier directions.
    pub earlier: Vec<String>,
}

/// Context of purpose `plan.create`: fills `prompts/planner/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlanningContext {
    /// The user's words.
    pub requirement: String,
    /// Language of the work.
    pub language: Language,
    /// Existing material; empty for a new creation.
    pub story: Story,
    /// Names of agents allowed in the plan.
    pub agents: Vec<String>,
    /// Names of tools allowed in a step.
    pub tools: Vec<String>,
    /// Maximum number of steps.
    pub max_steps: usize,
    /// Known preferences of the author.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
}

/// Context of purposes `worldview.*`, `outline.*`, `character.*`, `plot.*`, `style.*` with `generate`, `correct` or
/// `regenerate`: fills `prompts/<agent>/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WorkContext {
    /// The user's words.
    pub requirement: String,
    /// Language of the work.
    pub language: Language,
    /// The planner's analysis of the requirement.
    pub analysis: RequirementAnalysis,
    /// The step's task.
    pub task: String,
    /// The agent's mode: generate, correct or regenerate.
    pub mode: WorkMode,
    /// Material visible to the agent: the step's dependencies, and in the correcting modes the agent's earlier work.
    pub story: Story,
    /// Passages of the material found by full-text search (rag).
    pub passages: Vec<String>,
    /// Connections between characters, a line each (knowledge graph).
    pub connections: Vec<String>,
    /// What earlier books fix, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
    /// For the character agent: secrets kept from the reader that concern the cast, a line each.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Known preferences of the author.
    pub preferences: Vec<String>,
    /// In the correcting modes, the meta-scheduler's correction prompt as text.
    pub correction: Option<String>,
    /// In the correcting modes, the agent's instructions as data.
    pub instructions: Vec<CorrectionInstruction>,
}

/// Context of purpose `review.judge`: fills `prompts/review/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReviewContext {
    /// The user's words.
    pub requirement: String,
    /// Language of the work.
    pub language: Language,
    /// The complete material.
    pub story: Story,
    /// Findings of the rules; the reviewer need not repeat duplicates.
    pub findings: Vec<Issue>,
    /// Number of rules with something to check.
    pub rules_run: usize,
    /// Number of these without a finding.
    pub rules_clean: usize,
    /// Agents allowed in correction instructions.
    pub agents: Vec<Agent>,
    /// Wishes parsed from the requirement, with their state.
    #[serde(default)]
    pub wishes: Vec<Wish>,
    /// Known preferences of the author.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// Issues named in the round before; the material was changed since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Issue>,
}

/// Context of purpose `assistant.understand`: fills `prompts/assistant/understand`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QuestionContext {
    /// The author's question.
    pub question: String,
    /// Language of the question.
    pub language: Language,
    /// Names of relations used in the story, each with what it says in brackets.
    pub relations: Vec<String>,
    /// Names in the story, names from the question first.
    pub names: Vec<String>,
}

/// Context of purposes `assistant.answer` and `assistant.rerank`: fills `prompts/assistant/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AnswerContext {
    /// The author's question.
    pub question: String,
    /// Language of the question.
    pub language: Language,
    /// Candidate passages, best first.
    pub passages: Vec<ShownPassage>,
    /// Whether the question is about the product, and the passages are from its handbook.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_about_product: bool,
    /// Whether some passages are from earlier books of the series; their headings begin with the title.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_series: bool,
    /// The question as a pattern over the story's graph; `None` without a graph query.
    pub pattern: Option<String>,
    /// The quality to sort passages by, if requested.
    pub rank: Option<Rank>,
    /// Earlier turns of the same session, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<SaidLine>,
}

impl AnswerContext {
    /// Returns the pattern, if the graph returned no answer.
    pub fn pattern_without_answer(&self) -> Option<&str> {
        let is_answered = self.passages.iter().any(|passage| !passage.ties.is_empty());
        self.pattern.as_deref().filter(|_| !is_answered)
    }
}

/// A passage in a prompt.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ShownPassage {
    /// Citation number.
    pub number: usize,
    /// Heading of the passage.
    pub heading: String,
    /// Whether the text of the book contains the source of the passage, or a plan does, or neither.
    #[serde(default)]
    pub telling: Telling,
    /// Text of the passage.
    pub text: String,
    /// Related facts from the graph, a line each.
    pub ties: Vec<String>,
    /// Words showing the requested quality.
    pub because: Vec<String>,
}
