//! The state of a task run.

use std::collections::BTreeMap;

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::bounded::at_most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subtask::{Ended, Status, Subtask, Written};
use crate::call::CallRecord;
use crate::service::proposal::Proposal;
use crate::service::task::Task;

/// The complete state of an orchestrator run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct TaskState {
    /// The task.
    pub task: Task,
    /// Id of the run's user.
    pub user_id: String,
    /// Id of the project.
    pub project_id: String,
    /// Id of the run, assigned by the studio; unchanged by a resume.
    pub run_id: String,
    /// Language of the work.
    pub language: Language,
    /// Project facts for every model (creator, intent, consumers), as of the start of the run.
    pub golden_context: GoldenContext,
    /// Options of the task.
    pub options: TaskOptions,

    /// Parts of the task.
    pub subtasks: Vec<Subtask>,
    /// Reason for the fallback to rules, if a model should have split the task.
    pub split_fallback: Option<String>,
    /// Results of the parts, by name.
    #[channel(merge)]
    pub results: BTreeMap<String, Ended>,
    /// Outcome of each proposed change, by the name of the part.
    #[channel(merge)]
    pub written: BTreeMap<String, Written>,
    /// The answer.
    pub output: String,
    /// Verified share of all verifiable claims, over all parts.
    pub confidence: f64,

    /// Every model call, in order.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// Lines of reasoning.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// Error messages.
    #[channel(append)]
    pub errors: Vec<String>,
    /// Warnings about fallbacks.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Number of tool calls.
    #[channel(reduce = crate::call::add)]
    pub tool_calls_count: u64,
    /// Cost in millionths of the price's currency, over all calls with a known price.
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
    /// Returns the maximum number of supersteps of a run, for `thread.recursion_limit(..)`.
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
    /// Returns the input of a new run.
    pub fn input(task: Task, options: TaskOptions) -> TaskStateUpdate {
        Self::update().language(task.language).task(task).options(options)
    }

    /// Returns the status of the part named `name`.
    pub fn status(&self, name: &str) -> Status {
        self.results.get(name).map_or(Status::Open, |ended| ended.status)
    }

    /// Returns the results of completed parts, with their proposed changes.
    pub fn done_parts(&self) -> BTreeMap<String, Ended> {
        let is_lost = |name: &str| matches!(self.written.get(name), Some(Written::Failed { .. }));
        let done = self.results.iter().filter(|(name, ended)| ended.status == Status::Done && !is_lost(name));
        done.map(|(name, ended)| (name.clone(), ended.clone())).collect()
    }

    /// Returns proposed changes not yet in the project, in order.
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
    /// Appends `records` to the calls and adds their cost.
    #[must_use]
    pub(super) fn calls(self, records: Vec<CallRecord>) -> Self {
        let tokens = records.iter().map(CallRecord::tokens).sum();
        let micros = records.iter().filter_map(|record| record.cost_micros).sum();
        self.tokens_used(tokens).cost_micros(micros).messages(records)
    }
}
