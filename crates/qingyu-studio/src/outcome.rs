//! What a run ends with, and the one JSON document of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use qingyu_agents::direction::DirectionsRequest;
use qingyu_agents::orchestrator::{Ended, Status, Subtask, Written};
use qingyu_agents::pipeline::HumanReviewRequest;
use qingyu_agents::plan::{ExecutionPlan, RequirementAnalysis, ToolConfiguration};
use qingyu_agents::production::{Spoken, Turn};
use qingyu_agents::writing::brief::Brief;
use qingyu_agents::{AuthorQuestions, WritingTask, writing::AcceptedChapter};
use qingyu_production::GoldenContext;
use qingyu_store::Run;
use qingyu_story::{DiagnosticReport, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Cost, Error, Failure, RunStatus, RunSummary};

/// What a run ends with: its work so far, whether it is done, waits, failed or was stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The project.
    pub project: String,
    /// The run.
    pub run: String,
    /// How it stands.
    pub status: RunStatus,
    /// What it made.
    pub made: Made,
    /// How it came about, oldest first.
    pub reasoning: Vec<String>,
    /// What went on in a simpler way.
    pub warnings: Vec<String>,
    /// What failed.
    pub errors: Vec<Failure>,
    /// What it cost.
    pub usage: UsageView,
    /// What a person is asked.
    pub question: Option<Question>,
    /// The question's name: an answer that brings it along answers that question and no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<String>,
}

/// What a run made.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// Nothing: it never began.
    #[default]
    Nothing,
    /// The material of a story.
    Story(Box<StoryMade>),
    /// Chapters of the book.
    Book(Box<BookMade>),
    /// What came of a task.
    Task(Box<TaskMade>),
    /// Content, in phases.
    Content(Box<ContentMade>),
    /// Nothing, in ten steps.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop(NoopMade),
}

/// What became of a run that does nothing.
#[cfg(feature = "bench")]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NoopMade {
    /// How often one was added to what it began with.
    pub n: u32,
    /// The places of the nodes, in the order in which they ran.
    pub log: Vec<u32>,
}

/// What a run of a production has come to. The fields themselves are in the project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ContentMade {
    /// The phase that is worked on; empty once all are done.
    pub current_phase: String,
    /// Whether phases wait for a person, by name.
    pub autonomy_settings: BTreeMap<String, bool>,
    /// What every model is told.
    pub golden_context: GoldenContext,
    /// What was said, oldest first.
    pub messages: Vec<Spoken>,
    /// The paths of the fields that were made, in order; one that was made twice stands there twice.
    pub made: Vec<String>,
    /// What the run said last.
    pub turn: Turn,
}

/// What came of a task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TaskMade {
    /// Its parts.
    pub subtasks: Vec<Subtask>,
    /// How each part ended, by its name.
    pub results: BTreeMap<String, Ended>,
    /// What became of each change that was proposed, by the part that proposed it.
    pub written: BTreeMap<String, Written>,
    /// The answer.
    pub output: String,
    /// The share of what could be verified that was verified.
    pub confidence: f64,
}

/// What became of chapters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct BookMade {
    /// What was to be done.
    pub task: WritingTask,
    /// The chapters that are done, in the order of the work.
    pub chapters: Vec<AcceptedChapter>,
    /// The briefs, if there is no prose.
    pub briefs: Vec<Brief>,
    /// The run in a line, or why it could not go on.
    pub answer: String,
    /// Whether it ended because of something that resuming does not help.
    pub has_failed: bool,
}

/// The material of a story, and how it came about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StoryMade {
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
    /// Whether a person accepted material that did not pass the review.
    pub is_approved: bool,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "asks", rename_all = "snake_case")]
pub enum Question {
    /// Which direction a new book takes.
    Directions(DirectionsRequest),
    /// Whether the material may stand.
    HumanReview(Box<HumanReview>),
    /// What chapters say, where that is not clear.
    Chapters(AuthorQuestions),
    /// Whether texts may be changed.
    Writes(qingyu_agents::WriteRequest),
    /// What is to be done next.
    // A turn has an `asks` of its own, so it cannot lie flat beside the tag. Where it did, only that word can be read.
    #[serde(alias = "anything", alias = "answer", alias = "confirm", alias = "choose")]
    Turn {
        /// What the run says.
        #[serde(default)]
        turn: Turn,
    },
}

/// What was counted, over all calls of a run or project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
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

/// What a person is asked about the material of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HumanReview {
    /// Why: `max_iterations`, `stalled`, `low_score`, `unmet_wish`, `strategy` or `unknown_agent`.
    pub reason: String,
    /// The report as it stands.
    pub report: DiagnosticReport,
    /// The answers that are taken.
    pub answers: Vec<String>,
}

impl Outcome {
    /// The one document of `qingyu create --json`: the seeds' state fields beside project, run, usage and what is next.
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
            Made::Nothing => fields.extend(StoryMade::default().document()),
            Made::Story(made) => fields.extend(made.document()),
            Made::Book(made) => fields.extend(made.document()),
            Made::Task(made) => fields.extend(made.document()),
            Made::Content(made) => fields.extend(made.document(self.question.is_some())),
            #[cfg(feature = "bench")]
            Made::Noop(made) => fields.extend(self::fields(json!(made))),
        }
        match &self.question {
            Some(Question::Chapters(asked)) => fields.insert("questions".into(), json!(asked.questions)),
            Some(Question::Directions(asked)) => fields.insert("directions".into(), json!(asked.directions)),
            Some(Question::HumanReview(review)) => fields.insert("human_review".into(), json!(review)),
            Some(Question::Writes(request)) => fields.insert("writes".into(), json!(request.writes)),
            Some(Question::Turn { turn }) => fields.insert("turn".into(), json!(turn)),
            None => fields.insert("human_review".into(), Value::Null),
        };
        document
    }

    /// The material, if it is that of a story.
    pub fn story_made(&self) -> Option<&StoryMade> {
        if let Made::Story(made) = &self.made { Some(made) } else { None }
    }

    /// The chapters, if it worked on chapters.
    pub fn book_made(&self) -> Option<&BookMade> {
        if let Made::Book(made) = &self.made { Some(made) } else { None }
    }

    /// What came of a task, if it did one.
    pub fn task_made(&self) -> Option<&TaskMade> {
        if let Made::Task(made) = &self.made { Some(made) } else { None }
    }

    /// What came of a production, if it is one.
    pub fn content_made(&self) -> Option<&ContentMade> {
        if let Made::Content(made) = &self.made { Some(made) } else { None }
    }

    /// What a person is asked about the material of a story.
    pub fn human_review(&self) -> Option<&HumanReview> {
        match &self.question {
            Some(Question::HumanReview(review)) => Some(review),
            Some(Question::Directions(_) | Question::Chapters(_) | Question::Writes(_) | Question::Turn { .. })
            | None => None,
        }
    }

    /// The score of the last review, if there was one.
    pub fn quality_score(&self) -> Option<u8> {
        self.story_made().and_then(StoryMade::quality_score)
    }

    /// The command that goes on with the run; none when it is done.
    pub fn resume_command(&self) -> Option<String> {
        (self.status != RunStatus::Done).then(|| format!("qingyu resume {}", self.run))
    }

    /// The outcome of `run`, of which this is how it stands.
    pub(crate) fn new(run: &Run, status: RunStatus, stand: Stand, failures: &[Error]) -> Self {
        let Stand { made, told, question, question_id, usage } = stand;
        // What a shortfall quotes is not said twice.
        let is_quoted = |message: &String| {
            failures
                .iter()
                .any(|error| matches!(error, Error::PartsFailed { message: quoted, .. } if quoted == message))
        };
        let errors = told.errors.into_iter().filter(|message| !is_quoted(message));
        let errors = errors.map(|message| Failure { code: "agent".into(), message, data: BTreeMap::new() });
        Self {
            project: run.project.clone(),
            run: run.id.clone(),
            status,
            made,
            reasoning: told.reasoning,
            warnings: told.warnings,
            errors: errors.chain(failures.iter().map(Error::failure)).collect(),
            usage,
            question,
            question_id,
        }
    }

    /// The outcome of a run whose task died without telling.
    pub(crate) fn lost(run: String, project: String) -> Self {
        let failure = Error::Internal { message: "the run's task ended without an outcome".into() }.failure();
        Self::unknown(run, project, failure)
    }

    /// The outcome of a run of which nothing can be found out any more, and why.
    pub fn unknown(run: String, project: String, failure: Failure) -> Self {
        Self {
            project,
            run,
            status: RunStatus::Failed,
            made: Made::Nothing,
            reasoning: Vec::new(),
            warnings: Vec::new(),
            errors: vec![failure],
            usage: UsageView::default(),
            question: None,
            question_id: None,
        }
    }

    /// The outcome in a few figures.
    pub(crate) fn summary(&self, millis: u64, data_folder: PathBuf) -> RunSummary {
        if let Some(made) = self.book_made() {
            return RunSummary { pieces: made.counts(), millis, data_folder, ..self.figures() };
        }
        if let Some(made) = self.task_made() {
            return RunSummary { pieces: made.counts(), millis, data_folder, ..self.figures() };
        }
        if let Some(made) = self.content_made() {
            return RunSummary { pieces: made.counts(), millis, data_folder, ..self.figures() };
        }
        let listed = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
        let list = |kind: PieceKind| kind.list().rsplit('/').next().unwrap_or_default().to_owned();
        let nothing = StoryMade::default();
        let made = self.story_made().unwrap_or(&nothing);
        RunSummary {
            passed: made.diagnostic_report.as_ref().is_some_and(|report| report.passed),
            iteration_count: made.iteration_count,
            pieces: listed.map(|kind| (list(kind), made.story.count(kind))).collect(),
            millis,
            data_folder,
            ..self.figures()
        }
    }

    /// What every summary has.
    fn figures(&self) -> RunSummary {
        RunSummary {
            status: self.status,
            quality_score: self.quality_score(),
            passed: false,
            iteration_count: 0,
            pieces: BTreeMap::new(),
            usage: self.usage.clone(),
            millis: 0,
            data_folder: PathBuf::new(),
        }
    }
}

/// The fields of a document.
fn fields(document: Value) -> serde_json::Map<String, Value> {
    let Value::Object(fields) = document else { unreachable!("it is written as an object") };
    fields
}

impl BookMade {
    /// How many chapters could not be done, and how many were tried.
    fn unfinished(&self) -> (usize, usize) {
        let tried = self.chapters.len() + self.briefs.len() + usize::from(self.has_failed);
        let reads = matches!(self.task, WritingTask::Read { .. });
        let unread = self.chapters.iter().filter(|chapter| reads && !chapter.read).count();
        (unread + usize::from(self.has_failed), tried)
    }

    fn document(&self) -> serde_json::Map<String, Value> {
        let document = json!({
            "task": self.task,
            "chapters": self.chapters,
            "briefs": self.briefs,
            "answer": self.answer,
        });
        fields(document)
    }

    fn counts(&self) -> BTreeMap<String, usize> {
        let words = self.chapters.iter().map(|chapter| chapter.words as usize).sum();
        [("chapters", self.chapters.len()), ("words", words), ("briefs", self.briefs.len())]
            .map(|(kind, count)| (kind.to_owned(), count))
            .into()
    }
}

impl TaskMade {
    /// How many parts were not done: failed, skipped, or done with a change that could not be saved.
    fn failed(&self) -> usize {
        let is_saved = |name: &str| !matches!(self.written.get(name), Some(Written::Failed { .. }));
        self.results.iter().filter(|(name, ended)| ended.status != Status::Done || !is_saved(name)).count()
    }

    fn document(&self) -> serde_json::Map<String, Value> {
        let document = json!({
            "subtasks": self.subtasks,
            "results": self.results,
            "written": self.written,
            "output": self.output,
            "confidence": self.confidence,
        });
        fields(document)
    }

    fn counts(&self) -> BTreeMap<String, usize> {
        let done = self.results.values().filter(|ended| ended.status == Status::Done).count();
        [("subtasks", self.subtasks.len()), ("done", done)].map(|(kind, count)| (kind.to_owned(), count)).into()
    }
}

impl ContentMade {
    fn document(&self, waits: bool) -> serde_json::Map<String, Value> {
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

    fn counts(&self) -> BTreeMap<String, usize> {
        [("fields", self.made.len())].map(|(kind, count)| (kind.to_owned(), count)).into()
    }
}

impl StoryMade {
    /// The score of the last review, if there was one that checked anything.
    pub fn quality_score(&self) -> Option<u8> {
        self.diagnostic_report.as_ref().and_then(DiagnosticReport::score)
    }

    /// How many steps of the plan failed, and how many there were.
    fn steps(&self) -> (usize, usize) {
        let basis = self.diagnostic_report.as_ref().map(|report| &report.basis);
        basis.map_or((0, 0), |basis| (basis.unfinished().count(), basis.steps.len()))
    }

    fn document(&self) -> serde_json::Map<String, Value> {
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
        });
        fields(document)
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
    /// What it has made.
    pub(crate) made: Made,
    /// What it has told.
    pub(crate) told: Told,
    /// What a person is asked.
    pub(crate) question: Option<Question>,
    /// The question's name.
    pub(crate) question_id: Option<String>,
    /// What it has cost.
    pub(crate) usage: UsageView,
}

/// What a run tells of itself, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) reasoning: Vec<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) errors: Vec<String>,
}

/// What of its work a run that came to its end did not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortfall {
    failed: usize,
    total: usize,
    message: String,
}

impl Shortfall {
    /// The failure of the run.
    pub(crate) fn failure(self, run: &str) -> Error {
        let Self { failed, total, message } = self;
        Error::PartsFailed { run: run.to_owned(), failed, total, message }
    }
}

impl Made {
    /// What of the work was not done, if the run came to its end like this; a person's approval counts as done.
    pub(crate) fn shortfall(&self, told: &Told) -> Option<Shortfall> {
        let (failed, total) = match self {
            Self::Book(made) => made.unfinished(),
            Self::Task(made) => (made.failed(), made.subtasks.len()),
            Self::Story(made) if !made.is_approved => made.steps(),
            _ => (0, 0),
        };
        let message = told.errors.last().or(told.warnings.last()).cloned().unwrap_or_default();
        (failed > 0).then_some(Shortfall { failed, total, message })
    }
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
        match &stand.made {
            Made::Story(made) => {
                Self { quality_score: made.quality_score(), iteration_count: made.iteration_count, ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// What is kept in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Self {
        run.outcome.clone().and_then(|outcome| serde_json::from_value(outcome).ok()).unwrap_or_default()
    }
}
