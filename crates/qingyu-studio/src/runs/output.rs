//! The work of a run.

use std::collections::BTreeMap;

use qingyu_agents::WritingTask;
use qingyu_agents::orchestrator::{Ended, Status, Subtask, Written};
use qingyu_agents::plan::{ExecutionPlan, RequirementAnalysis, ToolConfiguration};
use qingyu_agents::production::{Spoken, Turn, Who};
use qingyu_agents::writing::AcceptedChapter;
use qingyu_agents::writing::brief::Brief;
use qingyu_production::GoldenContext;
use qingyu_story::{DiagnosticReport, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::Error;

/// The work of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutput {
    /// No work: the run never started.
    #[default]
    Nothing,
    /// The material of a story.
    Story(Box<StoryOutput>),
    /// Chapters of the book.
    Book(Box<BookOutput>),
    /// The result of a task.
    Task(Box<TaskOutput>),
    /// Content produced in phases.
    Content(Box<ContentOutput>),
    /// The counter of a no-op run.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop {
        /// The input plus the number of executed nodes.
        n: u32,
        /// The indexes of the executed nodes, in order.
        log: Vec<u32>,
    },
}

/// The state of a production's run. The project contains the fields themselves.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ContentOutput {
    /// The current phase; empty once all phases are done.
    pub current_phase: String,
    /// Whether a phase waits for a person, by phase name.
    pub autonomy_settings: BTreeMap<String, bool>,
    /// The context passed to every model call.
    pub golden_context: GoldenContext,
    /// The conversation, oldest first.
    pub messages: Vec<Spoken>,
    /// The paths of the generated fields, in order, with duplicates for repeated generation.
    pub made: Vec<String>,
    /// The run's last message.
    pub turn: Turn,
}

/// The result of a task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TaskOutput {
    /// The subtasks.
    pub subtasks: Vec<Subtask>,
    /// The result of each subtask, by name.
    pub results: BTreeMap<String, Ended>,
    /// The result of each proposed change, by subtask.
    pub written: BTreeMap<String, Written>,
    /// The answer.
    pub output: String,
    /// The verified share of all verifiable statements.
    pub confidence: f64,
}

/// The result of work on chapters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct BookOutput {
    /// The writing task.
    pub task: WritingTask,
    /// The finished chapters, in working order.
    pub chapters: Vec<AcceptedChapter>,
    /// The briefs, if no prose was requested or possible.
    pub briefs: Vec<Brief>,
    /// A summary of the run in a line, or the reason for stopping.
    pub answer: String,
    /// Whether the run failed in a way not fixed by resuming.
    pub has_failed: bool,
}

/// The material of a story and its origin.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StoryOutput {
    /// The planner's analysis of the requirement.
    pub requirement_analysis: Option<RequirementAnalysis>,
    /// The executed plan.
    pub execution_plan: Option<ExecutionPlan>,
    /// The tools available to the agents.
    pub tool_configuration: Option<ToolConfiguration>,
    /// The current story.
    pub story: Story,
    /// The report of the last review.
    pub diagnostic_report: Option<DiagnosticReport>,
    /// The number of correction rounds.
    pub iteration_count: u32,
    /// Whether a person approved material with a failed review.
    pub is_approved: bool,
    /// The number of steps of the plan that have ended: the index of the next step.
    #[serde(default)]
    pub current_step: usize,
    /// The names of the pieces shown to each agent in its last call, by agent and kind.
    #[serde(default)]
    pub workspace_context: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The passages and connections looked up for each agent's last call.
    #[serde(default)]
    pub rag_context: BTreeMap<String, Vec<String>>,
}

/// Reasoning, warnings and errors of a run, oldest first.
#[derive(Debug, Default)]
pub(crate) struct RunMessages {
    pub(crate) reasoning: Vec<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) errors: Vec<String>,
}

/// The unfinished work of a finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnfinishedWork {
    failed: usize,
    total: usize,
    message: String,
}

/// Returns the fields of a document.
pub(super) fn fields(document: Value) -> serde_json::Map<String, Value> {
    let Value::Object(fields) = document else { unreachable!("it is written as an object") };
    fields
}

impl BookOutput {
    /// Returns the number of failed chapters and of attempted chapters.
    fn unfinished(&self) -> (usize, usize) {
        let tried = self.chapters.len() + self.briefs.len() + usize::from(self.has_failed);
        let reads = matches!(self.task, WritingTask::Read { .. });
        let unread = self.chapters.iter().filter(|chapter| reads && !chapter.read).count();
        (unread + usize::from(self.has_failed), tried)
    }

    pub(super) fn document(&self) -> serde_json::Map<String, Value> {
        let document = json!({
            "task": self.task,
            "chapters": self.chapters,
            "briefs": self.briefs,
            "answer": self.answer,
        });
        fields(document)
    }

    pub(super) fn counts(&self) -> BTreeMap<String, usize> {
        let words = self.chapters.iter().map(|chapter| chapter.words as usize).sum();
        [("chapters", self.chapters.len()), ("words", words), ("briefs", self.briefs.len())]
            .map(|(kind, count)| (kind.to_owned(), count))
            .into()
    }
}

impl TaskOutput {
    /// Returns the number of unfinished parts: failed, skipped, or done with an unsaved change.
    fn failed(&self) -> usize {
        let is_saved = |name: &str| !matches!(self.written.get(name), Some(Written::Failed { .. }));
        self.results.iter().filter(|(name, ended)| ended.status != Status::Done || !is_saved(name)).count()
    }

    pub(super) fn document(&self) -> serde_json::Map<String, Value> {
        let document = json!({
            "subtasks": self.subtasks,
            "results": self.results,
            "written": self.written,
            "output": self.output,
            "confidence": self.confidence,
        });
        fields(document)
    }

    pub(super) fn counts(&self) -> BTreeMap<String, usize> {
        let done = self.results.values().filter(|ended| ended.status == Status::Done).count();
        [("subtasks", self.subtasks.len()), ("done", done)].map(|(kind, count)| (kind.to_owned(), count)).into()
    }
}

impl ContentOutput {
    pub(super) fn document(&self, waits: bool) -> serde_json::Map<String, Value> {
        let document = json!({
            "current_phase": self.current_phase,
            "autonomy_settings": self.autonomy_settings,
            "golden_context": self.golden_context,
            "messages": self.messages,
            "waiting_for_human": waits,
            "made": self.made,
        });
        fields(document)
    }

    pub(super) fn counts(&self) -> BTreeMap<String, usize> {
        [("fields", self.made.len())].map(|(kind, count)| (kind.to_owned(), count)).into()
    }
}

impl StoryOutput {
    /// Returns the score of the last review, if the review checked anything.
    pub fn quality_score(&self) -> Option<u8> {
        self.diagnostic_report.as_ref().and_then(DiagnosticReport::score)
    }

    /// Returns the number of failed steps of the plan and of all steps.
    fn steps(&self) -> (usize, usize) {
        let basis = self.diagnostic_report.as_ref().map(|report| &report.basis);
        basis.map_or((0, 0), |basis| (basis.unfinished().count(), basis.steps.len()))
    }

    pub(super) fn document(&self) -> serde_json::Map<String, Value> {
        let story = &self.story;
        let document = json!({
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
            "is_approved": self.is_approved,
            "current_step": self.current_step,
            "workspace_context": self.workspace_context,
            "rag_context": self.rag_context,
        });
        fields(document)
    }
}

impl UnfinishedWork {
    /// Returns the error of the run.
    pub(crate) fn failure(self, run: &str) -> Error {
        let Self { failed, total, message } = self;
        Error::PartsFailed { run: run.to_owned(), failed, total, message }
    }
}

impl RunOutput {
    /// Returns the turn of a conversation with this work, the user's words and the answer; `None` for work which is not
    /// a conversation. `requirement` is the requirement of the run.
    pub(crate) fn spoken<'o>(&'o self, requirement: &'o str) -> Option<(&'o str, &'o str)> {
        match self {
            Self::Task(made) => Some((requirement, &made.output)),
            Self::Content(made) => {
                let said = made.messages.iter().rfind(|spoken| spoken.who == Who::User);
                Some((said.map_or(requirement, |spoken| &spoken.text), &made.turn.text))
            }
            _ => None,
        }
    }

    /// Returns the unfinished work, if any, of a finished run; material approved by a person counts as finished.
    pub(crate) fn shortfall(&self, told: &RunMessages) -> Option<UnfinishedWork> {
        let (failed, total) = match self {
            Self::Book(made) => made.unfinished(),
            Self::Task(made) => (made.failed(), made.subtasks.len()),
            Self::Story(made) if !made.is_approved => made.steps(),
            _ => (0, 0),
        };
        let message = told.errors.last().or(told.warnings.last()).cloned().unwrap_or_default();
        (failed > 0).then_some(UnfinishedWork { failed, total, message })
    }
}
