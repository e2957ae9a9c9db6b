//! The findings of checker and reviewer, and the resulting instructions.
//!
//! The story's pieces import `agent`, `issue` and `instruction`; the report, with its basis and the wishes, imports the
//! pieces.

mod agent;
mod instruction;
mod issue;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basis::Basis;
use crate::wish::Wish;

pub use agent::Agent;
pub use instruction::{Action, CorrectionInstruction};
pub use issue::{Category, Evidence, Issue, Severity, Source};

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
    /// Returns the score, or `None` if nothing was checked.
    pub fn score(&self) -> Option<u8> {
        self.basis.has_checked().then_some(self.quality_score)
    }
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
