//! The state of a task's run.

use std::collections::BTreeMap;

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::bounded::at_most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subtask::{Ended, Status, Subtask, Written};
use crate::call::CallRecord;
use crate::service::{Proposal, Task};

/// Everything a run of the orchestrator knows.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct TaskState {
    /// What is to be done.
    pub task: Task,
    /// Whose run it is.
    pub user_id: String,
    /// The project it belongs to.
    pub project_id: String,
    /// The run as the studio calls it; the same before and after a resume.
    pub run_id: String,
    /// The language of the work.
    pub language: Language,
    /// What every model is told of creator, intent and consumers, as it was when the run began.
    pub golden_context: GoldenContext,
    /// How it is to be done.
    pub options: TaskOptions,

    /// The parts of the task.
    pub subtasks: Vec<Subtask>,
    /// Why the rules took it apart, if a model should have.
    pub split_fallback: Option<String>,
    /// How each part ended, by its name.
    #[channel(merge)]
    pub results: BTreeMap<String, Ended>,
    /// What became of each proposed change, by the part that proposed it.
    #[channel(merge)]
    pub written: BTreeMap<String, Written>,
    /// The answer.
    pub output: String,
    /// The share of what could be verified that was verified, over all parts.
    pub confidence: f64,

    /// Every model call, in order.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// How it came about.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// What went wrong.
    #[channel(append)]
    pub errors: Vec<String>,
    /// What went on in a simpler way.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Calls of tools.
    #[channel(reduce = crate::call::add)]
    pub tool_calls_count: u64,
    /// Millionths of the price's currency, over all calls whose price is known.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// How a task is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskOptions {
    /// Whether the project may be changed.
    pub writes: Writes,
    /// Whether a model takes the task apart; otherwise the rules do.
    pub split_by_model: bool,
    /// How many parts are done side by side.
    #[serde(deserialize_with = "at_most::<16, _, _>")]
    #[schemars(range(max = 16))]
    pub parallel: usize,
    /// How many parts a task may have.
    #[serde(deserialize_with = "at_most::<64, _, _>")]
    #[schemars(range(max = 64))]
    pub max_subtasks: usize,
    /// How many tokens of what earlier parts came to a part is given.
    #[serde(deserialize_with = "at_most::<200_000, _, _>")]
    #[schemars(range(max = 200_000))]
    pub handed_on_tokens: u64,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self { writes: Writes::Ask, split_by_model: true, parallel: 4, max_subtasks: 8, handed_on_tokens: 2_000 }
    }
}

impl TaskOptions {
    /// How many supersteps the longest run takes: `thread.recursion_limit(..)` for it.
    pub fn supersteps(&self) -> u32 {
        8 + 3 * u32::try_from(self.max_subtasks.max(1)).unwrap_or(u32::MAX / 4)
    }
}

/// Whether the project may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Writes {
    /// No; changes are shown only.
    Never,
    /// A person is asked before each.
    #[default]
    Ask,
    /// Yes, if the task says so.
    Allowed,
}

impl TaskState {
    /// The input of a new run.
    pub fn input(task: Task, options: TaskOptions) -> TaskStateUpdate {
        Self::update().language(task.language).task(task).options(options)
    }

    /// How the part of that name stands.
    pub fn status(&self, name: &str) -> Status {
        self.results.get(name).map_or(Status::Open, |ended| ended.status)
    }

    /// How the parts ended that were done whole: the work itself, and the change that it proposed.
    pub fn done_parts(&self) -> BTreeMap<String, Ended> {
        let is_lost = |name: &str| matches!(self.written.get(name), Some(Written::Failed { .. }));
        let done = self.results.iter().filter(|(name, ended)| ended.status == Status::Done && !is_lost(name));
        done.map(|(name, ended)| (name.clone(), ended.clone())).collect()
    }

    /// Changes that were proposed, in order, and are not in the project.
    pub fn pending(&self) -> Vec<Proposal> {
        let proposed = self.subtasks.iter().filter_map(|subtask| {
            let written = self.written.get(&subtask.name);
            let proposal = self.results.get(&subtask.name)?.result.as_ref()?.metadata.proposal.clone()?;
            (!matches!(written, Some(Written::Saved { .. } | Written::Rejected { .. }))).then_some(proposal)
        });
        proposed.collect()
    }
}

impl TaskStateUpdate {
    /// Counts calls.
    #[must_use]
    pub(super) fn calls(self, records: Vec<CallRecord>) -> Self {
        let tokens = records.iter().map(|record| record.usage.input + record.usage.output).sum();
        let micros = records.iter().filter_map(|record| record.cost_micros).sum();
        self.tokens_used(tokens).cost_micros(micros).messages(records)
    }
}
