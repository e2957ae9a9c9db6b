//! Prompts of correcting agents.

use qingyu_story::{Action, Agent, DiagnosticReport, Severity};
use serde::Serialize;
use serde_json::Value;

use super::round::{CorrectionMode, CorrectionRound};

/// The correction prompt of one agent; fills `prompts/meta/correction`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct CorrectionPrompt<'a> {
    mode: CorrectionMode,
    quality_score: u8,
    issue_count: usize,
    critical_count: usize,
    high_count: usize,
    instructions: Vec<PromptInstruction<'a>>,
    reasoning_chain: &'a [String],
    suggestions: &'a [String],
}

/// An instruction, with the report's description of its issue.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
struct PromptInstruction<'a> {
    action: &'static str,
    description: &'a str,
    parameters: Option<&'a Value>,
    priority: u8,
    root_cause: &'a str,
    impact: &'a str,
}

impl<'a> CorrectionPrompt<'a> {
    /// Returns the prompt of `agent` for the round.
    pub(crate) fn new(agent: Agent, correction: &'a CorrectionRound, report: &'a DiagnosticReport) -> Self {
        let count = |severity| report.issues.iter().filter(|issue| issue.severity == severity).count();
        let instructions = correction.instructions.iter().filter(|instruction| instruction.target_agent == agent);
        let told = instructions.map(|instruction| {
            let issue = report.issues.iter().find(|issue| issue.id == instruction.issue_id);
            PromptInstruction {
                action: match instruction.action {
                    Action::Create => "CREATE",
                    Action::Update => "UPDATE",
                    Action::Delete => "DELETE",
                },
                description: &instruction.specific_instruction,
                parameters: Some(&instruction.parameters).filter(|value| !is_empty(value)),
                priority: instruction.priority,
                root_cause: issue.map_or("", |issue| &issue.root_cause),
                impact: issue.map_or("", |issue| &issue.impact),
            }
        });
        Self {
            mode: correction.mode,
            quality_score: report.quality_score,
            issue_count: report.issues.len(),
            critical_count: count(Severity::Critical),
            high_count: count(Severity::High),
            instructions: told.collect(),
            reasoning_chain: &report.reasoning_chain,
            suggestions: &report.suggestions_for_improvement,
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty)
}
