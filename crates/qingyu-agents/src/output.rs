//! Answer types of the agents; also the source of the JSON Schemas sent to models.
//!
//! In mode [`WorkMode::Correct`](crate::context::WorkMode::Correct) an agent answers with the same type, holding only
//! pieces created or updated by its instructions. Pieces missing from the answer stay unchanged; deletions follow the
//! instructions.

use qingyu_knowledge::question::Rank;
use qingyu_story::{
    Character, CharacterRelation, CorrectionInstruction, Issue, OutlineNode, PlotNode, Strategy, StyleGuide,
    TimelineEvent, Worldview,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod levels;

pub(crate) use self::levels::LaterChange;
pub use self::levels::{ArcPlan, ArcsPlan, BookPlan, ChapterOutline, ChaptersPlan, LaterPlans, VolumePlan};

use crate::direction::Direction;
use crate::plan::{ExecutionPlan, RequirementAnalysis, ToolConfiguration};

/// The planner's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// What is asked for.
    pub requirement_analysis: RequirementAnalysis,
    /// The steps.
    pub execution_plan: ExecutionPlan,
    /// What the agents may use.
    #[serde(default)]
    pub tool_configuration: ToolConfiguration,
    /// Why this plan.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// Directions that a book could take.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Directions {
    /// The directions.
    pub directions: Vec<Direction>,
}

/// What the assistant reads in a question.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct QuestionReading {
    /// The question as a pattern; none if it cannot be one.
    #[serde(default)]
    pub pattern: Option<String>,
    /// The quality of which the most or least is asked for.
    #[serde(default)]
    pub rank: Option<Rank>,
    /// What to search for.
    #[serde(default)]
    pub searches: Vec<String>,
}

/// The assistant's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SourcedAnswer {
    /// The answer in the language of the question.
    pub answer: String,
    /// Whether the passages hold the answer.
    pub holds: bool,
    /// What it rests on.
    #[serde(default)]
    pub citations: Vec<Quoted>,
}

/// A sentence of a passage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Quoted {
    /// The number of the passage.
    pub number: usize,
    /// The sentence, letter by letter.
    #[serde(default)]
    pub quote: String,
}

/// The assistant's order of passages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PassageOrder {
    /// Numbers of passages, the best first.
    pub order: Vec<usize>,
}

/// The worldview agent's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct WorldviewWork {
    /// The world.
    pub worldview: Worldview,
    /// How it came about.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// The outline agent's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OutlineWork {
    /// The title of a new work, without title marks; empty for one that has a title.
    #[serde(default)]
    pub title: String,
    /// The outline in reading order.
    pub outline_nodes: Vec<OutlineNode>,
    /// The outline in a paragraph.
    #[serde(default)]
    pub outline_summary: String,
    /// How it came about.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// The character agent's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CharacterWork {
    /// The cast.
    pub characters: Vec<Character>,
    /// What is between them.
    #[serde(default)]
    pub character_relations: Vec<CharacterRelation>,
    /// The cast in a paragraph.
    #[serde(default)]
    pub character_summary: String,
    /// How it came about.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// The plot agent's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PlotWork {
    /// Events in story time.
    pub timeline_events: Vec<TimelineEvent>,
    /// The plot.
    #[serde(default)]
    pub plot_nodes: Vec<PlotNode>,
    /// The plot in a paragraph.
    #[serde(default)]
    pub plot_summary: String,
    /// How it came about.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// The style agent's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StyleWork {
    /// The style guide.
    pub style: StyleGuide,
    /// How it came about.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// The reviewer model's answer: judgement on top of what the rules found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// From 0 to 100, without regard to what the rules found.
    pub quality_score: u8,
    /// What the reviewer found.
    #[serde(default)]
    pub issues: Vec<Issue>,
    /// What to do with the material as a whole.
    #[serde(default)]
    pub correction_strategy: Strategy,
    /// What to do for each issue.
    #[serde(default)]
    pub correction_instructions: Vec<CorrectionInstruction>,
    /// How the reviewer came to it.
    #[serde(default)]
    pub reasoning_chain: Vec<String>,
    /// What would make it better beyond the issues.
    #[serde(default)]
    pub suggestions_for_improvement: Vec<String>,
}
