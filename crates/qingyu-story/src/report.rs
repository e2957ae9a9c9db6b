//! What the checker and the reviewer found, and what is to be done about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wish::Wish;
use crate::{Basis, Waiver};

/// The report of one review.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DiagnosticReport {
    /// Whether the material may go on.
    pub passed: bool,
    /// From 0 to 100.
    pub quality_score: u8,
    /// What was found, worst first.
    pub issues: Vec<Issue>,
    /// What to do with the material as a whole.
    pub correction_strategy: Strategy,
    /// What to do for each issue.
    pub correction_instructions: Vec<CorrectionInstruction>,
    /// The agents whose work must change.
    pub affected_agents: Vec<Agent>,
    /// How the reviewer came to it.
    pub reasoning_chain: Vec<String>,
    /// What would make it better beyond the issues.
    pub suggestions_for_improvement: Vec<String>,
    /// What the person asked for, and whether it is met; nothing if there was nothing that can be checked.
    pub wishes: Vec<Wish>,
    /// What the verdict rests on.
    pub basis: Basis,
}

impl DiagnosticReport {
    /// The score, if anything was checked.
    pub fn score(&self) -> Option<u8> {
        self.basis.has_checked().then_some(self.quality_score)
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Issue {
    /// Stable over reviews of the same material, such as `QY101-5f2a91` or `model-03ab77`.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// What it touches.
    pub category: Category,
    /// Whose work: `outline`, `character`, `relation`, `plot`, `timeline`, `worldview`, `style`.
    pub sub_category: String,
    /// In a line.
    pub title: String,
    /// Why it is so, not only that it is so.
    pub root_cause: String,
    /// Names of the pieces it touches.
    pub affected_entities: Vec<String>,
    /// What it does to the story.
    pub impact: String,
    /// Who found it.
    pub source: Source,
    /// The rule's code, if a rule found it.
    pub code: Option<String>,
    /// Quotes from the material, both sides of a contradiction.
    pub evidence: Vec<Evidence>,
    /// The waiver that lets it stand, if there is one. Set by the checker, never by a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub waived: Option<Waiver>,
}

/// A quote from the material.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evidence {
    /// Where: a piece and its field, such as `outline_nodes/o-3/description`.
    pub anchor: String,
    /// The words.
    pub quote: String,
}

/// How bad an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Could be better.
    Low,
    /// Should be mended.
    #[default]
    Medium,
    /// Must be mended.
    High,
    /// The material cannot stand.
    Critical,
}

/// What an issue touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Two pieces do not fit.
    #[default]
    Consistency,
    /// Something is missing.
    Completeness,
    /// Something cannot be.
    Rationality,
    /// Something is weak.
    Quality,
}

/// Who found an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A rule of the checker.
    Rule,
    /// The reviewer model's judgement.
    #[default]
    Model,
    /// A person.
    Human,
}

/// What to do with the material as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Nothing.
    #[default]
    None,
    /// Change what the instructions name, keep the rest.
    IncrementalFix,
    /// Make the affected pieces anew.
    Regenerate,
    /// Ask a person.
    HumanReview,
}

/// What an agent is to do about an issue.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CorrectionInstruction {
    /// The issue it mends.
    pub issue_id: String,
    /// Who is to do it.
    pub target_agent: Agent,
    /// What kind of change.
    pub action: Action,
    /// The change in words.
    pub specific_instruction: String,
    /// The change as data: `kind` (`character`, `relation`, `outline_node`, `event`, `plot_node`, `location`,
    /// `organisation`, `item`, `world_rule`, `worldview`, `style`), `name` or `id` of the piece, and the fields to set
    /// (`add_participants` and the like for lists). Read by [`edit::from_instruction`](crate::edit::from_instruction).
    pub parameters: Value,
    /// From 1 (can wait) to 10 (first).
    pub priority: u8,
}

/// What kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Add a piece.
    Create,
    /// Change fields of a piece.
    #[default]
    Update,
    /// Take a piece out.
    Delete,
}

/// The agents whose work can be corrected, in the order in which they are restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    /// The outline.
    #[default]
    #[serde(rename = "outline_agent", alias = "outline")]
    Outline,
    /// Characters and relations.
    #[serde(rename = "character_agent", alias = "character")]
    Character,
    /// Timeline and plot.
    #[serde(rename = "plot_agent", alias = "plot", alias = "timeline_agent")]
    Plot,
    /// The world.
    #[serde(rename = "worldview_agent", alias = "worldview")]
    Worldview,
    /// The style guide.
    #[serde(rename = "style_agent", alias = "style")]
    Style,
}

impl Agent {
    /// All of them, in the order in which they are restarted.
    pub const ALL: [Self; 5] = [Self::Outline, Self::Character, Self::Plot, Self::Worldview, Self::Style];

    /// The name in plans, reports and graphs, such as `outline_agent`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outline => "outline_agent",
            Self::Character => "character_agent",
            Self::Plot => "plot_agent",
            Self::Worldview => "worldview_agent",
            Self::Style => "style_agent",
        }
    }

    /// The `sub_category` of an issue about its work as a whole.
    pub fn sub_category(self) -> &'static str {
        match self {
            Self::Outline => "outline",
            Self::Character => "character",
            Self::Plot => "plot",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }
}
