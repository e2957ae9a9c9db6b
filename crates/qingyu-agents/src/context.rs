//! What each prompt is filled from. The same value travels in [`qingyu_llm::Request::context`].

use qingyu_knowledge::question::Rank;
use qingyu_story::wish::Wish;
use qingyu_story::{Agent, CorrectionInstruction, Issue, Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::RequirementAnalysis;

mod chapter;

pub use chapter::{ChapterFixing, ChapterReading, ChapterSeams, ChapterSettling, ChapterUnderstanding, ChapterWriting};

/// Purpose `directions.propose`: fills `prompts/directions/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Directing {
    /// The user's words.
    pub requirement: String,
    /// The language of the work.
    pub language: Language,
    /// How many directions are wanted at most.
    pub count: u32,
    /// What the person says who has seen others.
    pub feedback: Option<String>,
    /// The titles of those.
    pub earlier: Vec<String>,
}

/// Purpose `plan.create`: fills `prompts/planner/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Planning {
    /// The user's words.
    pub requirement: String,
    /// The language of the work.
    pub language: Language,
    /// What is there already; empty for a new creation.
    pub story: Story,
    /// Names of the agents a plan may use.
    pub agents: Vec<String>,
    /// Names of the tools a step may ask for.
    pub tools: Vec<String>,
    /// The most steps a plan may have.
    pub max_steps: usize,
}

/// Purposes `worldview.*`, `outline.*`, `character.*`, `plot.*`, `style.*` with `generate`, `correct` or `regenerate`:
/// fills `prompts/<agent>/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Work {
    /// The user's words.
    pub requirement: String,
    /// The language of the work.
    pub language: Language,
    /// What the planner made of them.
    pub analysis: RequirementAnalysis,
    /// The step's task.
    pub task: String,
    /// In which of the three ways the agent works.
    pub mode: WorkMode,
    /// The material the agent may see: what its step depends on, and in the correcting modes its own earlier work.
    pub story: Story,
    /// Passages of the material found by their words (rag).
    pub passages: Vec<String>,
    /// Who is connected with whom, a line each (knowledge graph).
    pub connections: Vec<String>,
    /// What the author has been found to prefer.
    pub preferences: Vec<String>,
    /// In the correcting modes, the correction prompt of the meta-scheduler as text.
    pub correction: Option<String>,
    /// In the correcting modes, the same instructions as data, only those for this agent.
    pub instructions: Vec<CorrectionInstruction>,
}

/// In which way a specialist works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkMode {
    /// For the first time.
    #[default]
    Generate,
    /// Keep all, change what the instructions name.
    Correct,
    /// Make it anew, minding the instructions.
    Regenerate,
}

/// Purpose `review.judge`: fills `prompts/review/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Review {
    /// The user's words.
    pub requirement: String,
    /// The language of the work.
    pub language: Language,
    /// All the material.
    pub story: Story,
    /// What the rules have found; the reviewer need not repeat it.
    pub findings: Vec<Issue>,
    /// How many rules ran, and how many found nothing.
    pub rules_run: usize,
    /// Of these, how many found nothing.
    pub rules_clean: usize,
    /// The agents that can be told to correct.
    pub agents: Vec<Agent>,
    /// What the user's words ask for, and whether it is met.
    #[serde(default)]
    pub wishes: Vec<Wish>,
}

/// Purpose `assistant.understand`: fills `prompts/assistant/understand`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Understanding {
    /// What the author asks.
    pub question: String,
    /// The language of the question.
    pub language: Language,
    /// The words of relations that the story uses.
    pub relations: Vec<String>,
    /// The names in the story, those in the question first.
    pub names: Vec<String>,
}

/// Purposes `assistant.answer` and `assistant.rerank`: fills `prompts/assistant/`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Answering {
    /// What the author asks.
    pub question: String,
    /// The language of the question.
    pub language: Language,
    /// The passages that may hold the answer, the best first.
    pub passages: Vec<Shown>,
    /// The question as a pattern over the story's graph, if it was asked of it.
    pub pattern: Option<String>,
    /// The quality by which passages are ordered, if one is asked for.
    pub rank: Option<Rank>,
}

impl Answering {
    /// The pattern, if the graph has no answer to it.
    pub fn pattern_without_answer(&self) -> Option<&str> {
        let is_answered = self.passages.iter().any(|passage| !passage.ties.is_empty());
        self.pattern.as_deref().filter(|_| !is_answered)
    }
}

/// A passage as it is shown to a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Shown {
    /// What it is cited by.
    pub number: usize,
    /// What stands over it.
    pub heading: String,
    /// Its words.
    pub text: String,
    /// What the graph says of it, a line each.
    pub ties: Vec<String>,
    /// The words that show the quality which is asked for.
    pub because: Vec<String>,
}
