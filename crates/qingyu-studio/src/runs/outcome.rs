//! The outcome of a run, and its JSON document.

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_store::Run;
use qingyu_story::PieceKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::Error;
use crate::error::record::FailureRecord;
use crate::runs::approver::approver_of;
use crate::runs::event::RunSummary;
use crate::runs::output::{BookOutput, ContentOutput, RunMessages, RunOutput, StoryOutput, TaskOutput};
use crate::runs::question::{HumanReview, RunQuestion};
use crate::runs::status::RunStatus;
use crate::spending::usage::UsageView;

/// The outcome of a run: its work so far and its status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The project.
    pub project: String,
    /// The run.
    pub run: String,
    /// The status.
    pub status: RunStatus,
    /// The work of the run.
    pub made: RunOutput,
    /// The reasoning, oldest first.
    pub reasoning: Vec<String>,
    /// Warnings about fallbacks to a simpler method.
    pub warnings: Vec<String>,
    /// The errors.
    pub errors: Vec<FailureRecord>,
    /// The cost.
    pub usage: UsageView,
    /// The question for a person, if waiting.
    pub question: Option<RunQuestion>,
    /// The question's ID; an answer with an ID applies to the identified question only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<String>,
    /// The only person who may answer the question; by default everybody with the right to write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
}

impl Outcome {
    /// Returns the document of `qingyu create --json`: the seeds' state fields, and the project, run, usage and next
    /// command.
    pub fn document(&self) -> Value {
        let mut document = json!({
            "project": self.project,
            "run": self.run,
            "status": self.status,
            "reasoning": self.reasoning,
            "warnings": self.warnings,
            "errors": self.errors,
            "usage": self.usage,
            "resume": self.resume_command(),
        });
        let fields = document.as_object_mut().expect("it is an object");
        match &self.made {
            RunOutput::Nothing => fields.extend(StoryOutput::default().document()),
            RunOutput::Story(made) => fields.extend(made.document()),
            RunOutput::Book(made) => fields.extend(made.document()),
            RunOutput::Task(made) => fields.extend(made.document()),
            RunOutput::Content(made) => fields.extend(made.document(self.question.is_some())),
            #[cfg(feature = "bench")]
            RunOutput::Noop { n, log } => fields.extend(crate::runs::output::fields(json!({"n": n, "log": log}))),
        }
        match &self.question {
            Some(RunQuestion::Chapters(asked)) => fields.insert("questions".into(), json!(asked.questions)),
            Some(RunQuestion::Directions(asked)) => fields.insert("directions".into(), json!(asked.directions)),
            Some(RunQuestion::HumanReview(review)) => fields.insert("human_review".into(), json!(review)),
            Some(RunQuestion::Writes(request)) => fields.insert("writes".into(), json!(request.writes)),
            Some(RunQuestion::Agents(request)) => fields.insert("undecided".into(), json!(request.undecided)),
            Some(RunQuestion::Turn { turn }) => fields.insert("turn".into(), json!(turn)),
            Some(RunQuestion::Breakpoint { before, after, next }) => {
                fields.insert("breakpoint".into(), json!({"before": before, "after": after, "next": next}))
            }
            None => fields.insert("human_review".into(), Value::Null),
        };
        document
    }

    /// Returns the material, for a creation run.
    pub fn story_made(&self) -> Option<&StoryOutput> {
        if let RunOutput::Story(made) = &self.made { Some(made) } else { None }
    }

    /// Returns the chapter results, for a writing run.
    pub fn book_made(&self) -> Option<&BookOutput> {
        if let RunOutput::Book(made) = &self.made { Some(made) } else { None }
    }

    /// Returns the task result, for a task run.
    pub fn task_made(&self) -> Option<&TaskOutput> {
        if let RunOutput::Task(made) = &self.made { Some(made) } else { None }
    }

    /// Returns the production state, for a production run.
    pub fn content_made(&self) -> Option<&ContentOutput> {
        if let RunOutput::Content(made) = &self.made { Some(made) } else { None }
    }

    /// Returns the review question about the material, if any.
    pub fn human_review(&self) -> Option<&HumanReview> {
        match &self.question {
            Some(RunQuestion::HumanReview(review)) => Some(review),
            Some(
                RunQuestion::Directions(_)
                | RunQuestion::Chapters(_)
                | RunQuestion::Writes(_)
                | RunQuestion::Agents(_)
                | RunQuestion::Breakpoint { .. }
                | RunQuestion::Turn { .. },
            )
            | None => None,
        }
    }

    /// Returns the score of the last review, if any.
    pub fn quality_score(&self) -> Option<u8> {
        self.story_made().and_then(StoryOutput::quality_score)
    }

    /// Returns the command for resuming the run; `None` for a finished run.
    pub fn resume_command(&self) -> Option<String> {
        (self.status != RunStatus::Done).then(|| format!("qingyu resume {}", self.run))
    }

    /// Returns the outcome of `run` in the given state.
    pub(crate) fn new(run: &Run, status: RunStatus, stand: RunState, failures: &[Error]) -> Self {
        let RunState { made, told, question, question_id, usage } = stand;
        // The mark of a breakpoint stays until the next checkpoint; the run may have been resumed since.
        let question = question.filter(|question| status == RunStatus::Waiting || !question.is_breakpoint());
        // Avoids a duplicate of messages quoted by the summary of unfinished work.
        let is_quoted = |message: &String| {
            failures
                .iter()
                .any(|error| matches!(error, Error::PartsFailed { message: quoted, .. } if quoted == message))
        };
        let errors = told.errors.into_iter().filter(|message| !is_quoted(message));
        let errors = errors.map(|message| FailureRecord { code: "agent".into(), message, data: BTreeMap::new() });
        Self {
            project: run.project.clone(),
            run: run.id.clone(),
            status,
            made,
            reasoning: told.reasoning,
            warnings: told.warnings,
            errors: errors.chain(failures.iter().map(Error::failure)).collect(),
            usage,
            approver: question.as_ref().and_then(|_| approver_of(run)).map(str::to_owned),
            question,
            question_id,
        }
    }

    /// Returns the outcome of a run with a dead task.
    pub(crate) fn lost(run: String, project: String) -> Self {
        let failure = Error::Internal { message: "the run's task ended without an outcome".into() }.failure();
        Self::unknown(run, project, failure)
    }

    /// Returns the outcome of a run with an unknown state, and the reason.
    pub fn unknown(run: String, project: String, failure: FailureRecord) -> Self {
        Self {
            project,
            run,
            status: RunStatus::Failed,
            made: RunOutput::Nothing,
            reasoning: Vec::new(),
            warnings: Vec::new(),
            errors: vec![failure],
            usage: UsageView::default(),
            question: None,
            question_id: None,
            approver: None,
        }
    }

    /// Returns a summary of the outcome.
    pub(crate) fn summary(&self, millis: u64, data_folder: PathBuf) -> RunSummary {
        let story = self.story_made();
        let pieces = match &self.made {
            RunOutput::Book(made) => made.counts(),
            RunOutput::Task(made) => made.counts(),
            RunOutput::Content(made) => made.counts(),
            _ => {
                let listed = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
                let list = |kind: PieceKind| kind.list().rsplit('/').next().unwrap_or_default().to_owned();
                listed.map(|kind| (list(kind), story.map_or(0, |made| made.story.count(kind)))).collect()
            }
        };
        let report = story.and_then(|made| made.diagnostic_report.as_ref());
        RunSummary {
            status: self.status,
            quality_score: self.quality_score(),
            passed: report.is_some_and(|report| report.passed),
            iteration_count: story.map_or(0, |made| made.iteration_count),
            pieces,
            usage: self.usage.clone(),
            millis,
            data_folder,
        }
    }
}

/// The state of a run, from the engine and the spending records.
#[derive(Debug, Default)]
pub(crate) struct RunState {
    /// The work of the run.
    pub(crate) made: RunOutput,
    /// The messages of the run.
    pub(crate) told: RunMessages,
    /// The question for a person.
    pub(crate) question: Option<RunQuestion>,
    /// The question's ID.
    pub(crate) question_id: Option<String>,
    /// The cost.
    pub(crate) usage: UsageView,
}

/// The end of a run as stored in its row, for lists.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunEnding {
    /// The score of the last review.
    pub(crate) quality_score: Option<u8>,
    /// The number of correction rounds.
    pub(crate) iteration_count: u32,
    /// The working time of all finished attempts, in milliseconds.
    pub(crate) millis: u64,
    /// The error, if failed.
    pub(crate) failure: Option<FailureRecord>,
}

impl RunEnding {
    pub(crate) fn of(stand: &RunState) -> Self {
        match &stand.made {
            RunOutput::Story(made) => {
                Self { quality_score: made.quality_score(), iteration_count: made.iteration_count, ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// Deserializes the stored end from the row of `run`.
    pub(crate) fn kept(run: &Run) -> Self {
        run.outcome.clone().and_then(|outcome| serde_json::from_value(outcome).ok()).unwrap_or_default()
    }
}
