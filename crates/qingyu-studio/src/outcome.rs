//! What a run ends with, and the one JSON document of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_agents::pipeline::{HumanReviewRequest, PipelineState};
use qingyu_agents::plan::{ExecutionPlan, RequirementAnalysis, ToolConfiguration};
use qingyu_store::Run;
use qingyu_story::{DiagnosticReport, PieceKind, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Cost, Error, Failure, RunStatus, RunSummary};

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
            "quality_score": self.quality_score(),
            "iteration_count": self.iteration_count,
            "reasoning": self.reasoning,
            "warnings": self.warnings,
            "errors": self.errors,
            "usage": self.usage,
            "human_review": self.human_review,
            "resume": self.resume_command(),
        })
    }

    /// The score of the last review, if there was one.
    pub fn quality_score(&self) -> Option<u8> {
        self.diagnostic_report.as_ref().map(|report| report.quality_score)
    }

    /// The command that goes on with the run; none when it is done.
    pub fn resume_command(&self) -> Option<String> {
        (self.status != RunStatus::Done).then(|| format!("qingyu resume {}", self.run))
    }

    /// The outcome of `run`, of which this is how it stands.
    pub(crate) fn new(run: &Run, status: RunStatus, stand: Stand, failures: &[Error]) -> Self {
        let Stand { state, question, usage } = stand;
        let story = state.as_ref().map(PipelineState::story).unwrap_or_default();
        let state = state.unwrap_or_default();
        let is_planned = !state.execution_plan.steps.is_empty();
        let told =
            state.errors.into_iter().map(|message| Failure { code: "agent".into(), message, data: BTreeMap::new() });
        Self {
            project: run.project.clone(),
            run: run.id.clone(),
            status,
            requirement_analysis: is_planned.then_some(state.requirement_analysis),
            execution_plan: is_planned.then_some(state.execution_plan),
            tool_configuration: is_planned.then_some(state.tool_configuration),
            story,
            diagnostic_report: state.diagnostic_report,
            iteration_count: state.iteration_count,
            reasoning: state.reasoning,
            warnings: state.warnings,
            errors: told.chain(failures.iter().map(Error::failure)).collect(),
            usage,
            human_review: question.map(HumanReview::of),
        }
    }

    /// The outcome of a run whose task died without telling.
    pub(crate) fn lost(run: String, project: String) -> Self {
        let failure = Error::Internal { message: "the run's task ended without an outcome".into() }.failure();
        Self {
            project,
            run,
            status: RunStatus::Failed,
            requirement_analysis: None,
            execution_plan: None,
            tool_configuration: None,
            story: Story::default(),
            diagnostic_report: None,
            iteration_count: 0,
            reasoning: Vec::new(),
            warnings: Vec::new(),
            errors: vec![failure],
            usage: UsageView::default(),
            human_review: None,
        }
    }

    /// The outcome in a few figures.
    pub(crate) fn summary(&self, millis: u64, data_folder: PathBuf) -> RunSummary {
        let listed = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
        let list = |kind: PieceKind| kind.list().rsplit('/').next().unwrap_or_default().to_owned();
        RunSummary {
            status: self.status,
            quality_score: self.quality_score(),
            passed: self.diagnostic_report.as_ref().is_some_and(|report| report.passed),
            iteration_count: self.iteration_count,
            pieces: listed.map(|kind| (list(kind), self.story.count(kind))).collect(),
            usage: self.usage.clone(),
            millis,
            data_folder,
        }
    }
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

/// How a run stands in the engine and in the books.
#[derive(Debug, Default)]
pub(crate) struct Stand {
    /// None if the run never got its first input.
    pub(crate) state: Option<PipelineState>,
    /// What a person is asked.
    pub(crate) question: Option<HumanReviewRequest>,
    /// What it has cost.
    pub(crate) usage: UsageView,
}

/// What is kept in a run's row about its end, for lists.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Ending {
    /// The score of the last review.
    pub(crate) quality_score: Option<u8>,
    /// Correction rounds.
    pub(crate) iteration_count: u32,
    /// How long it worked, all attempts together that came to an end.
    pub(crate) millis: u64,
    /// Why it failed.
    pub(crate) failure: Option<Failure>,
}

impl Ending {
    pub(crate) fn of(stand: &Stand) -> Self {
        let state = stand.state.as_ref();
        Self {
            quality_score: state.and_then(|state| state.diagnostic_report.as_ref()).map(|report| report.quality_score),
            iteration_count: state.map_or(0, |state| state.iteration_count),
            ..Self::default()
        }
    }

    /// What is kept in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Self {
        run.outcome.clone().and_then(|outcome| serde_json::from_value(outcome).ok()).unwrap_or_default()
    }
}
