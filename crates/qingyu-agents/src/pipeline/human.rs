//! What a person is asked, and may answer.

use qingyu_story::{DiagnosticReport, Story};
use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::meta_scheduler::HumanReason;

/// The question: report and material.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanReviewRequest {
    /// Why a person must decide.
    pub reason: HumanReason,
    /// How many correction rounds there were.
    pub iteration: u32,
    /// The report as it stands.
    pub report: DiagnosticReport,
    /// The material, to be edited and sent back.
    pub story: Story,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum HumanAnswer {
    /// The material stands as it is.
    Approve,
    /// It goes back, with a word on what to change.
    Reject {
        /// What to change.
        feedback: String,
    },
    /// The person has changed it; the rules look at it again.
    Edit {
        /// The material from now on.
        story: Box<Story>,
    },
    /// The book takes this direction.
    Direct {
        /// The direction.
        direction: Direction,
        /// What the person adds.
        words: String,
    },
}
