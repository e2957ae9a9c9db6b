//! The state of the writing, with the field names of the design.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::settlement::Extraction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::book::ChapterInHand;
use super::brief::Brief;
use super::config::WritingConfig;
use super::plan::ChapterPlan;
use super::questions::AuthorQuestion;
use super::reading::ChapterInReading;
use super::review::{ChapterFinding, ChapterReview, Verdict};
use super::task::WritingTask;
use crate::call::{CallRecord, so_far};

/// Everything a run of the writing knows. What belongs to one chapter is cleared when the next is taken, so that the
/// state of a long book stays small.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct WritingState {
    /// What is to be done.
    pub task: WritingTask,
    /// What the prose must keep to.
    pub constraints: Constraints,
    /// The switches and limits.
    pub config: WritingConfig,
    /// Whose run it is.
    pub user_id: String,
    /// The project it belongs to.
    pub project_id: String,
    /// The run as the studio calls it; the same before and after a resume.
    pub run_id: String,
    /// The language of the book.
    pub language: Language,
    /// What every model is told of creator, intent and consumers, as it was when the run began.
    pub golden_context: GoldenContext,
    /// What the author has been found to prefer.
    pub preferences: Vec<String>,

    /// The chapters that are yet to be worked on; none before the first look at the story.
    pub queue: Option<Vec<u32>>,
    /// The chapters that a model reads before the queue is worked on.
    pub to_read: Vec<u32>,
    /// The chapters that are being read side by side, by number.
    #[channel(merge)]
    pub readings: BTreeMap<u32, ChapterInReading>,
    /// What the reviewer said of the chapters that were read in this run, by number.
    #[channel(merge)]
    pub reviews: BTreeMap<u32, ChapterReview>,
    /// The chapter that is worked on.
    pub chapter: Option<ChapterInHand>,
    /// The chapters that are done, oldest first.
    #[channel(append)]
    pub accepted: Vec<AcceptedChapter>,
    /// The briefs of a run that only makes briefs, in order.
    #[channel(append)]
    pub briefs: Vec<Brief>,

    /// Which node wrote last.
    pub current_step: String,
    /// What is to happen in the chapter.
    pub plan: ChapterPlan,
    /// Why the plan was made from the outline alone, if it was.
    pub plan_fallback: Option<String>,
    /// The tools that may be called.
    pub tools_to_use: Vec<String>,
    /// What the tools found.
    pub rag_results: Vec<Value>,
    /// The context card: what the chapter is written from.
    pub retrieved_context: ContextCard,
    /// The prose as the model gave it.
    pub generated_content: String,
    /// The prose as it stands now.
    pub content_draft: String,
    /// Where the scenes begin in it, in bytes.
    pub scene_starts: Vec<usize>,
    /// The scenes that are to be written again, from 0; all if none are named.
    pub scenes_again: Vec<usize>,
    /// The bytes of it that were rewritten, if only a part was.
    pub part: Option<(usize, usize)>,
    /// The prose as the newest review read it.
    pub reviewed_draft: String,
    /// The newest review.
    pub review_result: Option<Verdict>,
    /// Whether it passed.
    pub review_passed: bool,
    /// How often it could not be read.
    pub unread_reviews: u32,
    /// How often the chapter was mended or written again.
    pub retry_count: u32,
    /// How often it may be.
    pub max_retries: u32,
    /// What settlement reads from the prose.
    pub extraction: Extraction,
    /// The model that read it; none if only rules did.
    pub read_by: Option<String>,
    /// What was read from the chapters that the author is asked about, by number.
    #[channel(merge)]
    pub extractions: BTreeMap<u32, Extraction>,
    /// What the author will be asked.
    #[channel(append)]
    pub questions: Vec<AuthorQuestion>,
    /// Why the chapter could not go on as planned, if it could not.
    pub trouble: Option<Trouble>,

    /// The chapter as it was taken; after the last one, the run in a line.
    pub final_output: String,
    /// How it came about.
    pub output_metadata: OutputMetadata,

    /// Every model call of the run, in order, without the texts of the answers.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// The chain of reasoning for this chapter.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// The tool calls for this chapter.
    #[channel(append)]
    pub tool_calls: Vec<ToolCallRow>,
    /// What went wrong.
    #[channel(append)]
    pub errors: Vec<String>,
    /// What went on in a simpler way.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Millionths of the price's currency, over all calls whose price is known.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// What the prose must keep to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Constraints {
    /// Chinese characters or English words of a chapter; what the outline says, or the usual, if nothing is said.
    pub words: Option<u32>,
    /// A text whose manner is to be followed.
    pub style_sample: String,
}

/// What a chapter is written from, in two parts: the first is the same for all chapters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextCard {
    /// Style guide, world, rules.
    pub stable: String,
    /// What this chapter needs to know.
    pub chapter: String,
    /// What both cost, in estimated tokens.
    pub tokens: u64,
}

/// A chapter that is done, as a short row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AcceptedChapter {
    /// Its number.
    pub chapter: u32,
    /// Its title.
    pub title: String,
    /// The outline node.
    pub node: String,
    /// The document that has the prose.
    pub document: String,
    /// Chinese characters and English words.
    pub words: u32,
    /// The score of its last review; none if there was no review.
    pub score: Option<u8>,
    /// Whether it was taken although its review did not pass.
    pub forced: bool,
    /// How often it was mended or written again.
    pub retries: u32,
    /// Whether its prose changed.
    pub changed: bool,
    /// Whether a model has read the text as it was kept.
    pub read: bool,
    /// What a reading found, worst first; empty for chapters that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<ChapterFinding>,
    /// Model calls for it.
    pub calls: u32,
    /// Their tokens.
    pub tokens: u64,
    /// Their price in millionths of the currency, as far as it is known.
    pub cost_micros: u64,
    /// The version of the project that holds it.
    pub version: u64,
    /// What settlement brought into the story.
    pub settled: SettledCounts,
}

/// What settlement brought into the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SettledCounts {
    /// New cards.
    pub cards: usize,
    /// Events.
    pub events: usize,
    /// Facts.
    pub facts: usize,
    /// Promises that were planted, kept alive or paid.
    pub promises: usize,
    /// What the author is asked.
    pub questions: usize,
    /// What was not believed.
    pub rejected: usize,
}

/// How the output came about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutputMetadata {
    /// The chapter.
    pub chapter: u32,
    /// Whether the run ended because of an error that resuming does not help.
    pub error: bool,
    /// Tokens of the run so far.
    pub tokens_used: u64,
    /// Mendings and rewritings of the chapter.
    pub retry_count: u32,
    /// The score of its last review.
    pub review_score: u8,
    /// Whether it was taken although its review did not pass.
    pub forced: bool,
    /// Sources that were looked up.
    pub rag_sources_count: usize,
    /// Tool calls.
    pub tool_calls_count: usize,
    /// Lines of reasoning.
    pub reasoning_steps: usize,
}

/// One tool call, as it is kept for the trace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolCallRow {
    /// The chapter that it was for.
    pub chapter: u32,
    /// The tool.
    pub tool: String,
    /// Its arguments, as JSON text.
    pub arguments: String,
    /// Why there was no answer, if there was none.
    pub error: Option<String>,
}

/// Why a chapter could not go on as planned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trouble {
    /// The node that met it.
    pub node: String,
    /// A word for programs.
    pub code: TroubleCode,
    /// What happened.
    pub message: String,
}

/// What kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleCode {
    /// The outline has no chapters.
    NoOutline,
    /// There is no chapter of that number, or it has no text.
    UnknownChapter,
    /// The part that is to be rewritten is not in the chapter.
    UnknownPart,
    /// The model does not write prose.
    CannotWrite,
    /// The model refuses to write this, or writes nothing.
    #[default]
    Refused,
    /// The prompt is longer than the model takes.
    TooLong,
    /// The review cannot be read.
    NoReview,
    /// The model does not read.
    CannotRead,
    /// The chapter is below the floor, and a person does not want it so.
    BelowFloor,
}

impl TroubleCode {
    /// Whether nothing simpler can be tried.
    pub fn is_critical(self) -> bool {
        !matches!(self, Self::TooLong | Self::NoReview)
    }
}

impl WritingState {
    /// The input of a new run.
    pub fn input(task: WritingTask, language: Language, config: WritingConfig) -> WritingStateUpdate {
        Self::update().task(task).language(language).max_retries(config.max_retries).config(config)
    }

    /// The update with which a run that ended in trouble begins again with the chapter that it could not do.
    pub fn retried(&self) -> WritingStateUpdate {
        let update = Self::update().trouble(None).overwrite_errors(Vec::new());
        let update = update.output_metadata(OutputMetadata::default()).final_output(String::new());
        let Some(queue) = &self.queue else { return update };
        let (unread, done): (Vec<_>, Vec<_>) =
            self.accepted.iter().cloned().partition(|chapter| self.lacks_reading(chapter));
        let is_done = |number: u32| done.iter().any(|chapter| chapter.chapter == number);
        let in_hand = self.chapter.as_ref().map(|chapter| chapter.number).filter(|number| !is_done(*number));
        let mut again: Vec<u32> = in_hand.into_iter().chain(queue.iter().copied()).collect();
        again.dedup();
        let unread = unread.iter().map(|chapter| chapter.chapter).chain(self.readings.keys().copied());
        let to_read: BTreeSet<u32> = unread.chain(self.to_read.iter().copied()).collect();
        let update = update.overwrite_readings(BTreeMap::new()).to_read(to_read.into_iter().collect());
        update.queue(Some(again)).overwrite_accepted(done)
    }

    /// Whether `chapter` was to be read in this run and no model has.
    pub fn lacks_reading(&self, chapter: &AcceptedChapter) -> bool {
        matches!(self.task, WritingTask::Read { .. }) && !chapter.read
    }

    /// The number of the chapter in hand; 0 if there is none.
    pub fn number(&self) -> u32 {
        self.chapter.as_ref().map_or(0, |chapter| chapter.number)
    }
}

impl WritingStateUpdate {
    /// Counts a call.
    #[must_use]
    pub(super) fn call(self, record: &CallRecord) -> Self {
        let record = CallRecord { raw: String::new(), ..record.clone() };
        let tokens = so_far(self.tokens_used.as_ref()) + record.usage.input + record.usage.output;
        let cost = so_far(self.cost_micros.as_ref()) + record.cost_micros.unwrap_or_default();
        self.tokens_used(tokens).cost_micros(cost).messages(vec![record])
    }
}
