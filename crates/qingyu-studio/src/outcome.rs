//! What a run ends with, and the one JSON document of it.

use std::collections::BTreeMap;

use qingyu_agents::plan::{ExecutionPlan, RequirementAnalysis, ToolConfiguration};
use qingyu_story::{DiagnosticReport, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Cost, Failure, RunStatus};

/// What a run ends with: its work so far, whether it is done, waits, failed or was stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The project.
    pub project: String,
    /// The run.
    pub run: String,
    /// How it stands.
    pub status: RunStatus,
    /// What the planner made of the requirement.
    pub requirement_analysis: Option<RequirementAnalysis>,
    /// The plan that was carried out.
    pub execution_plan: Option<ExecutionPlan>,
    /// What the agents could use.
    pub tool_configuration: Option<ToolConfiguration>,
    /// The story as it stands.
    pub story: Story,
    /// The report of the last review.
    pub diagnostic_report: Option<DiagnosticReport>,
    /// Correction rounds.
    pub iteration_count: u32,
    /// How it came about, oldest first.
    pub reasoning: Vec<String>,
    /// What went on in a simpler way.
    pub warnings: Vec<String>,
    /// What failed.
    pub errors: Vec<Failure>,
    /// What it cost.
    pub usage: UsageView,
    /// What a person is asked.
    pub human_review: Option<HumanReview>,
}

/// What was counted, over all calls of a run or project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct UsageView {
    /// Tokens of the requests, cached ones included.
    pub input: u64,
    /// Of these, read from the providers' caches.
    pub cached: u64,
    /// Tokens of the answers.
    pub output: u64,
    /// `input` and `output` together.
    pub total: u64,
    /// Paid calls.
    pub calls: u64,
    /// Whether some of it was estimated because a provider did not say.
    pub estimated: bool,
    /// The price; none when the price of any call is unknown.
    pub cost: Option<Cost>,
    /// The tokens (`input` and `output`) of each agent.
    pub by_agent: BTreeMap<String, u64>,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanReview {
    /// Why: `max_iterations`, `stalled`, `low_score`, `strategy` or `unknown_agent`.
    pub reason: String,
    /// The report as it stands.
    pub report: DiagnosticReport,
    /// The answers that are taken.
    pub answers: Vec<String>,
}

impl Outcome {
    /// The one document of `qingyu create --json`: the seeds' state fields beside project, run, usage and what is next.
    pub fn document(&self) -> Value {
        let story = &self.story;
        json!({
            "project": self.project,
            "run": self.run,
            "status": self.status,
            "requirement_analysis": self.requirement_analysis,
            "execution_plan": self.execution_plan,
            "tool_configuration": self.tool_configuration,
            "worldview": story.worldview,
            "outline_nodes": story.outline_nodes,
            "characters": story.characters,
            "character_relations": story.character_relations,
            "timeline_events": story.timeline_events,
            "plot_nodes": story.plot_nodes,
            "style": story.style,
            "diagnostic_report": self.diagnostic_report,
            "quality_score": self.diagnostic_report.as_ref().map(|report| report.quality_score),
            "iteration_count": self.iteration_count,
            "reasoning": self.reasoning,
            "warnings": self.warnings,
            "errors": self.errors,
            "usage": self.usage,
            "human_review": self.human_review,
            "resume": self.resume_command(),
        })
    }

    /// The command that goes on with the run; none when it is done.
    pub fn resume_command(&self) -> Option<String> {
        (self.status != RunStatus::Done).then(|| format!("qingyu resume {}", self.run))
    }

    /// The outcome of a run whose task died without telling.
    pub(crate) fn lost(run: String, project: String) -> Self {
        let errors =
            vec![crate::Error::Internal { message: "the run's task ended without an outcome".into() }.failure()];
        Self { errors, ..Self::empty(run, project, RunStatus::Failed) }
    }

    /// An outcome without work.
    pub(crate) fn empty(run: String, project: String, status: RunStatus) -> Self {
        Self {
            project,
            run,
            status,
            requirement_analysis: None,
            execution_plan: None,
            tool_configuration: None,
            story: Story::default(),
            diagnostic_report: None,
            iteration_count: 0,
            reasoning: Vec::new(),
            warnings: Vec::new(),
            errors: Vec::new(),
            usage: UsageView::default(),
            human_review: None,
        }
    }
}
