//! The input and the result of a decision.

use qingyu_story::{Agent, CorrectionInstruction, DiagnosticReport};
use serde::{Deserialize, Serialize};

/// Which score leads where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Thresholds {
    /// From this score on the work is done, unless an issue is critical or the reviewer says how to mend one.
    pub(crate) complete: u8,
    /// Below this score the affected work is regenerated.
    pub(crate) regenerate_below: u8,
    /// Below this score a person decides.
    pub(crate) human_below: u8,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { complete: 80, regenerate_below: 60, human_below: 50 }
    }
}

/// How affected work is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionMode {
    /// Change only what the instructions name.
    #[default]
    Incremental,
    /// Delete the work and generate it again.
    Regenerate,
}

impl CorrectionMode {
    /// Returns the name used in states and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::Regenerate => "regenerate",
        }
    }
}

/// The reason a person must decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanReason {
    /// The reviewer asks for a person, or no judgement could be obtained.
    Strategy,
    /// The score is too low to justify another round.
    LowScore,
    /// The maximum number of rounds is reached.
    MaxIterations,
    /// The last round improved the score too little.
    Stalled,
    /// A wish of the person is unmet, and no agent can fulfil it.
    UnmetWish,
}

impl HumanReason {
    /// Returns the name used in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::LowScore => "low_score",
            Self::MaxIterations => "max_iterations",
            Self::Stalled => "stalled",
            Self::UnmetWish => "unmet_wish",
        }
    }
}

/// The input of a decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CorrectionState<'a> {
    /// The newest report.
    pub(crate) report: &'a DiagnosticReport,
    /// Number of correction rounds so far.
    pub(crate) iteration_count: u32,
    /// Maximum number of rounds.
    pub(crate) max_iterations: u32,
    /// Score before the last round; `None` in the first round.
    pub(crate) previous_score: Option<u8>,
    /// Agents with work in the story.
    pub(crate) made: &'a [Agent],
    /// Agents with work from before the run; such work is never regenerated.
    pub(crate) standing: &'a [Agent],
    /// Feedback of a person who rejected the work.
    pub(crate) human_feedback: Option<&'a str>,
    /// The same feedback, parsed into instructions and remaining text.
    pub(crate) ordered: Option<&'a HumanOrder>,
    /// Instructions of the last round; empty in the first.
    pub(crate) last: &'a [CorrectionInstruction],
    /// Score thresholds.
    pub(crate) thresholds: Thresholds,
    /// Minimum gain of a round, as a share of the points missing to 100.
    pub(crate) auto_downgrade_threshold: f64,
}

/// The parsed feedback of a person who rejected the work.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HumanOrder {
    /// Instructions parsed as data.
    pub(crate) instructions: Vec<CorrectionInstruction>,
    /// Remaining text.
    pub(crate) rest: String,
}

/// The decision after a report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReportDecision {
    /// The work is complete.
    Complete,
    /// Agents correct the work.
    Correct(CorrectionRound),
    /// A person decides.
    Human {
        /// Reason.
        reason: HumanReason,
    },
}

/// One correction round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CorrectionRound {
    /// Number of the round, from 1.
    pub(crate) iteration: u32,
    /// Correction mode.
    pub(crate) mode: CorrectionMode,
    /// Correcting agents, in order of execution.
    pub(crate) agents: Vec<Agent>,
    /// Instructions, most urgent first for each agent. Every agent has at least one.
    pub(crate) instructions: Vec<CorrectionInstruction>,
}
