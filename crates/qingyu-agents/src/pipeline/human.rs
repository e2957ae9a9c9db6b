//! Questions to a person, and their answers.

use qingyu_story::{DiagnosticReport, Story};
use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::meta_scheduler::HumanReason;

/// The question, with report and material.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanReviewRequest {
    /// Reason for the question.
    pub reason: HumanReason,
    /// Number of correction rounds so far.
    pub iteration: u32,
    /// The current report.
    pub report: DiagnosticReport,
    /// The material, to be edited and returned.
    pub story: Story,
}

/// The answer of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum HumanReviewAnswer {
    /// Accept the material unchanged.
    Approve,
    /// Send the material back with feedback.
    Reject {
        /// Requested changes.
        feedback: String,
    },
    /// Replace the material by an edited version; the rules check it again.
    Edit {
        /// The edited material.
        story: Box<Story>,
    },
    /// Choose a direction of the book.
    Direct {
        /// The direction.
        direction: Direction,
        /// Additional words of the person.
        words: String,
    },
}
