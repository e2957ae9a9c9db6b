//! The state of a production, with the field names of the design.

use std::collections::BTreeMap;

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use qingyu_story::production::Autonomy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::config::ProductionConfig;
use super::context::{ConversationLine, Who};
use super::order::{Order, Turn};
use crate::call::{CallRecord, so_far};

/// The complete state of a production run. Phases and fields stay in the project, where people change them
/// concurrently.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct ContentProductionState {
    /// Id of the run's user.
    pub user_id: String,
    /// Id of the project.
    pub project_id: String,
    /// Id of the run, assigned by the studio; unchanged by a resume.
    pub run_id: String,
    /// Language of the work.
    pub language: Language,
    /// Switches and limits.
    pub config: ProductionConfig,

    /// The project's current phase; empty after the last phase.
    pub current_phase: String,
    /// Project facts for every model, read from the project's fields.
    pub golden_context: GoldenContext,
    /// Whether a phase waits for a person, by phase name, as set in the project: `true` means waiting.
    pub autonomy_settings: BTreeMap<String, bool>,
    /// Whether the run waits for the user.
    pub waiting_for_human: bool,
    /// Conversation, oldest first.
    #[channel(append)]
    pub messages: Vec<Spoken>,

    /// The user's order in progress.
    pub order: Option<Order>,
    /// The message shown while the run waits.
    pub turn: Turn,
    /// The work in progress. Runs store the name of the type.
    pub work: Work,

    /// Every model call of the run, in order, without the texts of the answers.
    #[channel(append)]
    pub calls: Vec<CallRecord>,
    /// Lines of reasoning.
    #[channel(append)]
    pub reasoning: Vec<String>,
    /// Error messages.
    #[channel(append)]
    pub errors: Vec<String>,
    /// Number of error messages from turns that the user has answered.
    pub errors_told: usize,
    /// Warnings about fallbacks.
    #[channel(append)]
    pub warnings: Vec<String>,
    /// Paths of fields set by the run, in order.
    #[channel(append)]
    pub made: Vec<String>,
    /// Tokens of all calls.
    #[channel(reduce = crate::call::add)]
    pub tokens_used: u64,
    /// Cost in millionths of the price's currency, over all calls with a known price.
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

/// The work in progress: fields to make, and the next step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Work {
    /// Paths of fields still to make.
    pub wanted: Vec<String>,
    /// Failed fields, by path, with reasons.
    pub failed: BTreeMap<String, String>,
    /// Paths of completed fields, in order.
    pub done: Vec<String>,
    /// The user's instruction.
    pub instruction: String,
    /// Whether existing values are kept except for the requested change.
    pub is_change: bool,
    /// Whether the work belongs to the current phase, so its checkpoint follows.
    pub is_phase: bool,
}

impl ContentProductionState {
    /// Returns the input of a new run.
    pub fn input(language: Language, config: ProductionConfig) -> ContentProductionStateUpdate {
        Self::update().language(language).config(config)
    }

    /// Returns the last `most` lines of the conversation, the agent's long ones shortened.
    pub(super) fn lines(&self, most: usize) -> Vec<ConversationLine> {
        let from = self.messages.len().saturating_sub(most);
        self.messages[from..]
            .iter()
            .map(|spoken| ConversationLine { who: spoken.who, text: shortened(spoken) })
            .collect()
    }

    /// Returns the lines of a phase.
    pub(super) fn lines_of(&self, phase: &str) -> Vec<ConversationLine> {
        let spoken = self.messages.iter().filter(|spoken| spoken.phase == phase);
        spoken.map(|spoken| ConversationLine { who: spoken.who, text: spoken.text.clone() }).collect()
    }
}

/// Returns the words of a line; of a long text that the agent showed, the beginning.
fn shortened(spoken: &Spoken) -> String {
    /// Maximum characters of an agent's line.
    const SHOWN: usize = 400;
    match spoken.who == Who::Agent && spoken.text.chars().count() > SHOWN {
        true => spoken.text.chars().take(SHOWN).chain(['…']).collect(),
        false => spoken.text.clone(),
    }
}

impl ContentProductionStateUpdate {
    /// Counts calls.
    #[must_use]
    pub(super) fn counted(self, records: &[CallRecord]) -> Self {
        let sum = |value: fn(&CallRecord) -> u64| records.iter().map(value).sum::<u64>();
        let tokens = so_far(self.tokens_used.as_ref()) + sum(CallRecord::tokens);
        let cost = so_far(self.cost_micros.as_ref()) + sum(|record| record.cost_micros.unwrap_or_default());
        let kept = records.iter().map(|record| CallRecord { raw: String::new(), ..record.clone() }).collect();
        self.calls(kept).tokens_used(tokens).cost_micros(cost)
    }
}

/// Returns whether each phase waits for a person, by name.
pub(super) fn autonomy_settings(production: &qingyu_story::production::Production) -> BTreeMap<String, bool> {
    production.phases.iter().map(|phase| (phase.name.clone(), phase.autonomy == Autonomy::Wait)).collect()
}
