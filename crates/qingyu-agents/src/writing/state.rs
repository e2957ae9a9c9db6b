//! The state of the writing, with the field names of the design.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::settlement::Extraction;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::book::ChapterInHand;
use super::brief::Brief;
use super::config::WritingConfig;
use super::gate::GateReason;
use super::names::TOOLS;
use super::plan::ChapterPlan;
use super::questions::AuthorQuestion;
use super::reading::ChapterInReading;
use super::review::{ChapterFinding, ChapterReview, Verdict};
use super::task::WritingTask;
use super::trouble::Trouble;
use crate::call::{CallRecord, so_far};

pub use super::accepted::{AcceptedChapter, SettledCounts};
pub(crate) use super::context_card::ContextCard;
pub use super::task::Constraints;

/// The complete state of a writing run. Fields of one chapter are cleared before the next, so the state of a long book
/// stays small.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct WritingState {
    /// The task.
    pub task: WritingTask,
    /// Constraints on the prose.
    pub constraints: Constraints,
    /// Switches and limits.
    pub config: WritingConfig,
    /// Id of the run's user.
    pub user_id: String,
    /// Id of the project.
    pub project_id: String,
    /// Id of the run, assigned by the studio; unchanged by a resume.
    pub run_id: String,
    /// Language of the book.
    pub language: Language,
    /// Project facts for every model (creator, intent, consumers), as of the start of the run.
    pub golden_context: GoldenContext,
    /// Known preferences of the author.
    pub preferences: Vec<String>,

    /// Chapters waiting for work; `None` before the story was first loaded.
    pub queue: Option<Vec<u32>>,
    /// Number of the chapter that the outline does not have yet and the queue needs.
    pub plan_wanted: Option<u32>,
    /// Number of the last chapter to be planned, once it is known.
    pub plan_to: Option<u32>,
    /// How often the current step of the plan was asked for without any gain.
    pub plan_attempt: u32,
    /// Faults of the last answer about the plan, for the next attempt.
    pub plan_feedback: String,
    /// Number of the last written chapter when the later plans were held against the text.
    pub plan_looked: u32,
    /// Ids of the later plans that have been held against the text in the look under way.
    pub plan_seen: Vec<String>,
    /// The gate that the run has reached.
    pub gate: Option<GateReason>,
    /// Number of accepted chapters at the last answer to a gate.
    pub gate_passed: u32,
    /// Chapters for a model to read before the queue.
    pub to_read: Vec<u32>,
    /// Chapters being read concurrently, by number.
    #[channel(merge)]
    pub(crate) readings: BTreeMap<u32, ChapterInReading>,
    /// The reviewer's answers for chapters read in this run, by number.
    #[channel(merge)]
    pub(crate) reviews: BTreeMap<u32, ChapterReview>,
    /// The current chapter.
    pub(crate) chapter: Option<ChapterInHand>,
    /// Completed chapters, oldest first.
    #[channel(append)]
    pub accepted: Vec<AcceptedChapter>,
    /// Briefs, in order, for a run that writes only briefs.
    #[channel(append)]
    pub briefs: Vec<Brief>,

    /// Name of the last node.
    pub current_step: String,
    /// Plan of the chapter.
    pub plan: ChapterPlan,
    /// Reason for the fallback to a plan from the outline.
    pub plan_fallback: Option<String>,
    /// Names of allowed tools.
    pub tools_to_use: Vec<String>,
    /// Results of the tools.
    pub rag_results: Vec<Value>,
    /// The context card of the chapter.
    pub(crate) retrieved_context: ContextCard,
    /// Prose as returned by the model.
    pub generated_content: String,
    /// Current prose.
    pub content_draft: String,
    /// Byte offsets of the scenes in the current prose.
    pub scene_starts: Vec<usize>,
    /// Indexes of the scenes to write again, from 0; empty for all.
    pub scenes_again: Vec<usize>,
    /// Byte range of the rewritten part; `None` for the whole chapter.
    pub part: Option<(usize, usize)>,
    /// Prose as of the newest review.
    pub reviewed_draft: String,
    /// The newest review.
    pub review_result: Option<Verdict>,
    /// Whether the newest review passed.
    pub review_passed: bool,
    /// Number of invalid reviews.
    pub unread_reviews: u32,
    /// Number of fix and rewrite rounds.
    pub retry_count: u32,
    /// Maximum number of fix and rewrite rounds.
    pub max_retries: u32,
    /// Facts extracted from the prose.
    pub extraction: Extraction,
    /// Digest of the prose that [`extraction`](Self::extraction) was read from; empty before the first reading.
    pub(crate) extracted_from: String,
    /// The reading model; `None` for rules alone.
    pub read_by: Option<String>,
    /// Contradictions between the extracted facts and the story.
    pub(crate) contradictions: Vec<ChapterFinding>,
    /// Extractions of chapters with questions to the author, by number.
    #[channel(merge)]
    pub extractions: BTreeMap<u32, Extraction>,
    /// Questions to the author.
    #[channel(append)]
    pub questions: Vec<AuthorQuestion>,
    /// How often the author's answers led to corrections in this run.
    pub corrections: u32,
    /// Reason the chapter could not continue as planned.
    pub(crate) trouble: Option<Trouble>,

    /// Text of the accepted chapter; after the last chapter, a one-line summary of the run.
    pub final_output: String,
    /// Metadata of the output.
    pub(crate) output_metadata: OutputMetadata,

    /// Every model call of the run, in order, without the texts of the answers.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// Lines of reasoning for this chapter.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// Tool calls for this chapter.
    #[channel(append)]
    pub(crate) tool_calls: Vec<ToolCallRow>,
    /// Error messages.
    #[channel(append)]
    pub errors: Vec<String>,
    /// Warnings about fallbacks.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Cost in millionths of the price's currency, over all calls with a known price.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// Metadata of the output.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OutputMetadata {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Whether the run ended with an error that a resume cannot fix.
    pub(crate) error: bool,
    /// Tokens of the run so far.
    pub(crate) tokens_used: u64,
    /// Number of fix and rewrite rounds of the chapter.
    pub(crate) retry_count: u32,
    /// Score of the last review.
    pub(crate) review_score: u8,
    /// Whether the chapter was accepted despite a failed review.
    pub(crate) forced: bool,
    /// Number of sources found.
    pub(crate) rag_sources_count: usize,
    /// Number of tool calls.
    pub(crate) tool_calls_count: usize,
    /// Number of lines of reasoning.
    pub(crate) reasoning_steps: usize,
}

/// The record of one tool call for the trace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ToolCallRow {
    /// Number of the chapter.
    pub(crate) chapter: u32,
    /// Name of the tool.
    pub(crate) tool: String,
    /// Arguments, serialized as JSON.
    pub(crate) arguments: String,
    /// Error message of a failed call.
    pub(crate) error: Option<String>,
}

impl WritingState {
    /// Returns the input of a new run.
    pub fn input(task: WritingTask, language: Language, config: WritingConfig) -> WritingStateUpdate {
        Self::update().task(task).language(language).max_retries(config.max_retries).config(config)
    }

    /// Returns the plan by which the task writes the chapter, if it has one of its own.
    pub(super) fn own_plan(&self) -> Option<&ChapterPlan> {
        Some(&self.plan).filter(|_| self.task.has_plan())
    }

    /// Returns the state for calls about the chapter of `reading` alone. The task is to read it, even in a run that
    /// rewrites another chapter: the instruction is about that one.
    pub(super) fn narrow_to(&self, reading: &ChapterInReading) -> Self {
        Self {
            task: WritingTask::Read { chapters: Vec::new() },
            constraints: self.constraints.clone(),
            config: self.config.clone(),
            user_id: self.user_id.clone(),
            project_id: self.project_id.clone(),
            run_id: self.run_id.clone(),
            language: self.language,
            golden_context: self.golden_context.clone(),
            preferences: self.preferences.clone(),
            chapter: Some(reading.chapter.clone()),
            plan: reading.plan.clone(),
            tools_to_use: TOOLS.map(str::to_owned).to_vec(),
            content_draft: reading.chapter.text.clone(),
            retrieved_context: ContextCard { stable: reading.stable.clone(), ..ContextCard::default() },
            extraction: reading.extraction.clone(),
            ..Self::default()
        }
    }

    /// Returns the key of a save by this run. Corrections after the author's answers save again, under other keys.
    pub(super) fn save_key(&self, name: &str) -> String {
        match self.corrections {
            0 => format!("{}/{name}", self.run_id),
            round => format!("{}/{name}/{round}", self.run_id),
        }
    }

    /// Returns whether the run ended with an error that a resume cannot fix.
    pub fn has_failed(&self) -> bool {
        self.output_metadata.error
    }

    /// Returns the update to restart a run at the chapter of its trouble.
    pub fn retried(&self) -> WritingStateUpdate {
        let update = Self::update().trouble(None).overwrite_errors(Vec::new());
        let update = update.output_metadata(OutputMetadata::default()).final_output(String::new());
        let update = update.plan_attempt(0).plan_feedback(String::new()).plan_to(None).plan_seen(Vec::new());
        if matches!(self.task, WritingTask::Plan { .. }) {
            return update.queue(None);
        }
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

    /// Returns whether `chapter` was to be read in this run and no model has read it.
    pub fn lacks_reading(&self, chapter: &AcceptedChapter) -> bool {
        matches!(self.task, WritingTask::Read { .. }) && !chapter.read
    }

    /// Returns the number of the current chapter; 0 without a chapter.
    pub fn number(&self) -> u32 {
        self.chapter.as_ref().map_or(0, |chapter| chapter.number)
    }
}

impl WritingStateUpdate {
    /// Appends the record of a call and adds its cost.
    #[must_use]
    pub(super) fn call(self, record: &CallRecord) -> Self {
        let record = CallRecord { raw: String::new(), ..record.clone() };
        let tokens = so_far(self.tokens_used.as_ref()) + record.usage.input + record.usage.output;
        let cost = so_far(self.cost_micros.as_ref()) + record.cost_micros.unwrap_or_default();
        self.tokens_used(tokens).cost_micros(cost).messages(vec![record])
    }
}
