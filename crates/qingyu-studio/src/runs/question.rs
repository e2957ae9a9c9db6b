//! Questions of runs to a person.

use qingyu_agents::AuthorQuestions;
use qingyu_agents::direction::DirectionsRequest;
use qingyu_agents::pipeline::HumanReviewRequest;
use qingyu_agents::production::Turn;
use qingyu_graph::{ReachedBreakpoint, Snapshot};
use qingyu_story::DiagnosticReport;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A question for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "asks", rename_all = "snake_case")]
pub enum RunQuestion {
    /// The choice of a direction for a new book.
    Directions(DirectionsRequest),
    /// Approval of the material.
    HumanReview(Box<HumanReview>),
    /// Unclear statements in chapters.
    Chapters(AuthorQuestions),
    /// Approval of changes to texts.
    Writes(qingyu_agents::WriteRequest),
    /// The agents meant for parts of a task. The answer names one for each part, under the part's name, as `choices` of
    /// [`RunAnswer::Decide`](crate::RunAnswer::Decide).
    Agents(qingyu_agents::AgentsRequest),
    /// Whether to continue after a breakpoint.
    Breakpoint {
        /// The due nodes with a breakpoint before them.
        #[serde(default)]
        before: Vec<String>,
        /// The finished nodes with a breakpoint after them.
        #[serde(default)]
        after: Vec<String>,
        /// The due nodes.
        #[serde(default)]
        next: Vec<String>,
    },
    /// The next order of a production.
    // A turn has a field `asks` of its own and therefore cannot be flattened beside the tag. For documents of older
    // builds with a flattened turn, only the tag is deserialized.
    #[serde(alias = "anything", alias = "answer", alias = "confirm", alias = "choose")]
    Turn {
        /// The run's message.
        #[serde(default)]
        turn: Turn,
    },
}

impl RunQuestion {
    /// Returns the question of a thread at a breakpoint, if it is at one and asks nothing else.
    pub(crate) fn at_breakpoint<S>(snapshot: &Snapshot<S>) -> Option<Self> {
        let ReachedBreakpoint { before, after } = snapshot.breakpoint.clone()?;
        snapshot.questions.is_empty().then(|| Self::Breakpoint { before, after, next: snapshot.next.clone() })
    }

    /// Returns whether the run only waits for a resume.
    pub fn is_breakpoint(&self) -> bool {
        matches!(self, Self::Breakpoint { .. })
    }
}

/// A review question about the material of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HumanReview {
    /// The reason: `max_iterations`, `stalled`, `low_score`, `unmet_wish`, `strategy` or `unknown_agent`.
    pub reason: String,
    /// The current report.
    pub report: DiagnosticReport,
    /// The accepted answers.
    pub answers: Vec<String>,
}

impl HumanReview {
    pub(crate) fn of(request: HumanReviewRequest) -> Self {
        Self {
            reason: request.reason.name().into(),
            report: request.report,
            answers: ["approve", "reject", "edit"].map(Into::into).into(),
        }
    }
}

/// Returns the question that a thread waits with; `None` without a question, or if it is of another type.
pub(crate) fn pending_question<T: DeserializeOwned, S>(snapshot: &Snapshot<S>) -> Option<T> {
    let question = snapshot.questions.first()?;
    serde_json::from_value(question.payload.clone()).ok()
}
