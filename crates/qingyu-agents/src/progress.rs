//! Progress of a pipeline, emitted as custom events of the graph; clients display it.

use qingyu_llm::{Substitution, Usage};
use qingyu_story::{Agent, CorrectionInstruction, DiagnosticReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::WorkMode;
use crate::orchestrator::{Status, Subtask, Write};
use crate::output::Plan;
use crate::writing::review::Verdict;
use crate::writing::state::SettledCounts;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Progress {
    /// The plan stands.
    Planned {
        /// The plan, checked and completed.
        plan: Box<Plan>,
        /// Why it is the default plan, if it is.
        fallback: Option<String>,
    },
    /// The plan was changed while it ran.
    PlanAdjusted {
        /// What was changed and why.
        reason: String,
        /// The plan from now on.
        plan: Box<Plan>,
    },
    /// An agent began.
    AgentStarted {
        /// Its name, such as `outline_agent`.
        agent: String,
        /// In which of the three ways.
        mode: WorkMode,
        /// The plan's step, if it is one.
        step_id: Option<u32>,
        /// The task in words.
        task: String,
    },
    /// A model streamed a piece of visible text. Best effort; superseded by what is stored.
    Text {
        /// The agent whose call it is.
        agent: String,
        /// The piece.
        text: String,
    },
    /// A model call ended. Told once per paid call; a call whose answer was stored is told with `reused`.
    Called {
        /// The key of the stored step, unique among the calls of a run and the same when the call is told again:
        /// calls are counted once by it.
        key: String,
        /// The agent.
        agent: String,
        /// The purpose, such as `outline.generate`.
        purpose: String,
        /// The model that answered.
        model: String,
        /// Why it was not the model that was asked for, if it was another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        substitution: Option<Substitution>,
        /// What was counted.
        usage: Usage,
        /// In millionths of the price's currency; none when the price is unknown.
        cost_micros: Option<u64>,
        /// The chapter it worked on, if it worked on one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chapter: Option<u32>,
        /// Whether the answer came from a cassette and was not paid for.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        replayed: bool,
        /// How often the model was asked until the answer fitted its schema.
        attempts: u32,
        /// Whether the JSON had to be repaired.
        repaired: bool,
        /// How long it took.
        millis: u64,
        /// Whether the answer came from the record of an earlier attempt of this run.
        reused: bool,
    },
    /// An agent ended.
    AgentFinished {
        /// Its name.
        agent: String,
        /// In a line: what it made or changed.
        summary: String,
        /// Pieces it made, changed or took out, by name.
        pieces: Vec<String>,
        /// How it came to that, a line each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reasoning: Vec<String>,
    },
    /// The review ended.
    Reviewed {
        /// From 0, the number of correction rounds before this review.
        iteration: u32,
        /// The report.
        report: Box<DiagnosticReport>,
    },
    /// The meta-scheduler sent work back.
    CorrectionPlanned {
        /// Which round, from 1.
        iteration: u32,
        /// `incremental` or `regenerate`.
        mode: String,
        /// Who is to correct, in restart order.
        agents: Vec<Agent>,
        /// What they are told.
        instructions: Vec<CorrectionInstruction>,
    },
    /// A phase of a production begins.
    Phase {
        /// Its name.
        phase: String,
        /// Its name for people.
        title: String,
    },
    /// What the user's words were taken for, before anything is paid for.
    Understood {
        /// The order, in words for the user.
        text: String,
    },
    /// Something happened to a field of a production.
    Field {
        /// Its path.
        path: String,
        /// Its name for people.
        title: String,
        /// What.
        step: FieldStep,
    },
    /// A task was taken apart.
    TaskSplit {
        /// What is to be done, in order.
        subtasks: Vec<Subtask>,
        /// Why it was done by rules, if a model should have done it.
        fallback: Option<String>,
    },
    /// A sub-task began.
    SubtaskStarted {
        /// Its name.
        task: String,
        /// Who does it.
        agent: String,
        /// What it is.
        description: String,
    },
    /// An agent of the service began a step of a task.
    StepStarted {
        /// The task.
        task: String,
        /// The agent.
        agent: String,
        /// The step, such as `retrieve_context`.
        action: String,
        /// The same in words.
        description: String,
    },
    /// A tool was called.
    ToolCalled {
        /// The agent.
        agent: String,
        /// The tool.
        tool: String,
        /// Whether it had an answer.
        success: bool,
        /// How long it took.
        millis: u64,
    },
    /// A sub-task ended.
    SubtaskFinished {
        /// Its name.
        task: String,
        /// Who did it.
        agent: String,
        /// How it ended.
        status: Status,
        /// The first line of what came of it, or why nothing did.
        summary: String,
    },
    /// A person is asked whether texts may be changed.
    WritesRequested {
        /// What would be changed.
        writes: Vec<Write>,
    },
    /// A person is asked.
    HumanReviewRequested {
        /// Why: `max_iterations`, `stalled`, `low_score`, `unmet_wish` or `strategy`.
        reason: String,
        /// The report as it stands.
        report: Box<DiagnosticReport>,
    },
    /// A chapter that is written came one step further.
    Chapter {
        /// Its number.
        chapter: u32,
        /// Its title.
        title: String,
        /// What happened.
        step: ChapterStep,
    },
    /// Something went on in a simpler way.
    Warning {
        /// What and why.
        message: String,
    },
}

/// What happened to a chapter that is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum ChapterStep {
    /// Work on it began.
    Started {
        /// `draft`, `correct`, `rewrite` or `settle`.
        task: String,
        /// How many chapters of the run are done.
        done: usize,
        /// How many the run has.
        of: usize,
        /// Its place in a long book, in the language of the book: `第 37 章 / 约 500 章，第二卷第三幕`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        place: String,
    },
    /// It is clear what is to happen in it.
    Planned {
        /// The scenes, by title.
        scenes: Vec<String>,
        /// Why the plan was made from the outline alone, if it was.
        fallback: Option<String>,
    },
    /// There is prose, a scene or all of it.
    Written {
        /// The scene, from 1; none if the chapter was written in one go.
        scene: Option<usize>,
        /// The length of the chapter so far, as editors count.
        words: u32,
    },
    /// It was reviewed.
    Reviewed {
        /// The verdict.
        verdict: Box<Verdict>,
    },
    /// Places of it were mended.
    Fixed {
        /// Which attempt, from 1.
        retry: u32,
        /// How many places were mended.
        fixed: usize,
        /// How many fixes did not fit and were left out.
        refused: usize,
    },
    /// It was taken.
    Accepted {
        /// The length, as editors count.
        words: u32,
        /// The score of its last review; none if there was no review.
        score: Option<u8>,
        /// Whether it was taken although its review did not pass.
        forced: bool,
    },
    /// Its prose and what it says are in the story.
    Settled {
        /// The version of the project from then on.
        version: u64,
        /// What came into the story.
        counts: SettledCounts,
    },
    /// Its brief is ready.
    Briefed,
}

/// What happened to a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum FieldStep {
    /// It is being made.
    Started,
    /// It has a value.
    Made {
        /// Its version.
        version: u32,
    },
    /// It could not be made.
    Failed {
        /// Why.
        message: String,
    },
    /// Somebody has changed it meanwhile; their value stays.
    Kept,
}
