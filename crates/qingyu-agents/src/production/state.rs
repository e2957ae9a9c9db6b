//! The state of a production, with the field names of the design.

use std::collections::BTreeMap;

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::production::Autonomy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::config::ProductionConfig;
use super::context::{Line, Who};
use super::order::{Order, Turn};
use crate::call::{CallRecord, so_far};

/// Everything a run of a production knows. Phases and fields are never in it: they are in the project, where people change
/// them too.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct ContentProductionState {
    /// Whose run it is.
    pub user_id: String,
    /// The project it belongs to.
    pub project_id: String,
    /// The run as the studio calls it; the same before and after a resume.
    pub run_id: String,
    /// The language of the work.
    pub language: Language,
    /// The switches and limits.
    pub config: ProductionConfig,

    /// The phase that is worked on, as the project has it; empty once all are done.
    pub current_phase: String,
    /// What every model is told, as the fields of the project say it.
    pub golden_context: GoldenContext,
    /// Whether phases wait for a person, by name, as the project has it: `true` if they do.
    pub autonomy_settings: BTreeMap<String, bool>,
    /// Whether the run waits for the user.
    pub waiting_for_human: bool,
    /// What was said, oldest first.
    #[channel(append)]
    pub messages: Vec<Spoken>,

    /// What the user wants and is not done yet.
    pub order: Option<Order>,
    /// What the user will be told when the run waits.
    pub turn: Turn,
    /// The work in hand.
    pub work: Work,

    /// Every model call of the run, in order, without the texts of the answers.
    #[channel(append)]
    pub calls: Vec<CallRecord>,
    /// What was done, a line each.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// What went wrong.
    #[channel(append)]
    pub errors: Vec<String>,
    /// What went on in a simpler way.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// The fields that the run has put a value into, in order.
    #[channel(append)]
    pub made: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Millionths of the price's currency, over all calls whose price is known.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Spoken {
    /// Who said it.
    pub who: Who,
    /// The words.
    pub text: String,
    /// The phase that was worked on.
    pub phase: String,
}

/// The work in hand: fields that are made, and what follows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Work {
    /// The fields that are still to be made.
    pub wanted: Vec<String>,
    /// Those that could not be, and why.
    pub failed: BTreeMap<String, String>,
    /// Those that were, in order.
    pub done: Vec<String>,
    /// What the user wants of them.
    pub instruction: String,
    /// Whether their values are kept but for what the instruction asks for.
    pub is_change: bool,
    /// Whether it is the work of the current phase, whose checkpoint follows.
    pub is_phase: bool,
}

impl ContentProductionState {
    /// The input of a new run.
    pub fn input(language: Language, config: ProductionConfig) -> ContentProductionStateUpdate {
        Self::update().language(language).config(config)
    }

    /// The last `most` lines that were said.
    pub(super) fn lines(&self, most: usize) -> Vec<Line> {
        let from = self.messages.len().saturating_sub(most);
        self.messages[from..].iter().map(|spoken| Line { who: spoken.who, text: spoken.text.clone() }).collect()
    }

    /// What was said in a phase.
    pub(super) fn lines_of(&self, phase: &str) -> Vec<Line> {
        let spoken = self.messages.iter().filter(|spoken| spoken.phase == phase);
        spoken.map(|spoken| Line { who: spoken.who, text: spoken.text.clone() }).collect()
    }
}

impl ContentProductionStateUpdate {
    /// Counts calls.
    #[must_use]
    pub(super) fn counted(self, records: &[CallRecord]) -> Self {
        let sum = |value: fn(&CallRecord) -> u64| records.iter().map(value).sum::<u64>();
        let tokens = so_far(self.tokens_used.as_ref()) + sum(|record| record.usage.input + record.usage.output);
        let cost = so_far(self.cost_micros.as_ref()) + sum(|record| record.cost_micros.unwrap_or_default());
        let kept = records.iter().map(|record| CallRecord { raw: String::new(), ..record.clone() }).collect();
        self.calls(kept).tokens_used(tokens).cost_micros(cost)
    }
}

/// Whether phases wait for a person, by name.
pub(super) fn autonomy_settings(production: &qingyu_story::production::Production) -> BTreeMap<String, bool> {
    production.phases.iter().map(|phase| (phase.name.clone(), phase.autonomy == Autonomy::Wait)).collect()
}
