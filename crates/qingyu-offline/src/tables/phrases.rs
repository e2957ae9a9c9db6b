//! The sentences common to every story of a language.

use std::collections::BTreeMap;

use qingyu_agents::plan::RequirementKind;
use qingyu_story::PlotKind;
use serde::Deserialize;

/// The sentences of a language, as templates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    /// The separator between the words of a list.
    pub(crate) between: String,
    // notes on the origin of an answer
    pub(crate) user_words: String,
    pub(crate) no_words: String,
    pub(crate) draws: String,
    pub(crate) kept: String,
    pub(crate) needs_model: String,
    pub(crate) obeyed: String,
    pub(crate) not_obeyed: String,
    pub(crate) from_outline: String,
    // directions
    pub(crate) direction_length: String,
    pub(crate) direction_audience: String,
    // worldview
    pub(crate) world_end: String,
    pub(crate) world_reason: String,
    pub(crate) held: String,
    // outline
    pub(crate) chapter: String,
    pub(crate) outline_summary: String,
    pub(crate) set_in: String,
    pub(crate) first_goal: String,
    pub(crate) begins: String,
    pub(crate) theme_goal: String,
    pub(crate) theme_summary: String,
    pub(crate) outline_reason: String,
    pub(crate) too_many: String,
    pub(crate) extension: String,
    pub(crate) must: String,
    pub(crate) cameos: Vec<String>,
    // characters
    pub(crate) cast_summary: String,
    pub(crate) cast_reason: String,
    pub(crate) hero_background: String,
    pub(crate) plain_background: String,
    pub(crate) young_background: String,
    pub(crate) creature_background: String,
    pub(crate) background: String,
    pub(crate) secret: String,
    pub(crate) wanted: String,
    pub(crate) skilled: String,
    pub(crate) trained: String,
    pub(crate) young_skill: String,
    pub(crate) drawn_card: String,
    pub(crate) acquaintance: String,
    pub(crate) other_goal: String,
    pub(crate) other_conflict: String,
    pub(crate) other_arc: String,
    /// Words for trades which imply a woman or a man.
    pub(crate) feminine: Vec<String>,
    pub(crate) masculine: Vec<String>,
    pub(crate) young: Vec<String>,
    pub(crate) old: Vec<String>,
    /// Words for animals, which have no trade.
    pub(crate) creatures: Vec<String>,
    // plot
    pub(crate) no_outline: String,
    pub(crate) plot_reason: String,
    pub(crate) plot_time: String,
    pub(crate) plot_summary: String,
    pub(crate) turns: Turns,
    // style
    pub(crate) imagery: String,
    pub(crate) asked: String,
    pub(crate) theme_rule: String,
    pub(crate) avoided: String,
    pub(crate) style_reason: String,
    // plan
    pub(crate) plan_genre: String,
    pub(crate) plan_no_genre: String,
    pub(crate) plan_world: String,
    pub(crate) plan_no_world: String,
    pub(crate) plan_parallel: String,
    pub(crate) plan_in_turn: String,
    pub(crate) plan_new: String,
    pub(crate) plan_extension: String,
    pub(crate) plan_modification: String,
    pub(crate) modification_words: Vec<String>,
    /// Words for an extension of a story.
    pub(crate) extension_words: Vec<String>,
    /// Words of a requirement for the work of an agent.
    pub(crate) agents: BTreeMap<String, Vec<String>>,
    pub(crate) tasks: BTreeMap<String, TaskPhrases>,
    // review
    pub(crate) review_score: String,
    pub(crate) review_refused: String,
    pub(crate) check_passed: String,
    pub(crate) check_failed: String,
    pub(crate) nothing_to_check: String,
    pub(crate) cannot: String,
    pub(crate) checks: BTreeMap<String, CheckTexts>,
}

/// The wording of a step's task, with and without the user's words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskPhrases {
    pub(crate) plain: String,
    pub(crate) detailed: String,
}

/// The names of plot turns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turns {
    pub(crate) setup: TurnPhrases,
    pub(crate) conflict: TurnPhrases,
    pub(crate) turn: TurnPhrases,
    pub(crate) climax: TurnPhrases,
    pub(crate) resolution: TurnPhrases,
}

/// The name of a kind of turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnPhrases {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The texts of a check of the review.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckTexts {
    pub(crate) label: String,
    pub(crate) title: String,
    pub(crate) cause: String,
    pub(crate) impact: String,
    pub(crate) advice: String,
}

impl Phrases {
    pub(crate) fn turn(&self, kind: PlotKind) -> &TurnPhrases {
        match kind {
            PlotKind::Setup => &self.turns.setup,
            PlotKind::Conflict => &self.turns.conflict,
            PlotKind::Turn => &self.turns.turn,
            PlotKind::Climax => &self.turns.climax,
            PlotKind::Resolution => &self.turns.resolution,
        }
    }

    pub(crate) fn plan_kind(&self, kind: RequirementKind) -> &str {
        match kind {
            RequirementKind::NewCreation => &self.plan_new,
            RequirementKind::Extension => &self.plan_extension,
            RequirementKind::Modification => &self.plan_modification,
        }
    }

    pub(crate) fn agent_words(&self, agent: &str) -> &[String] {
        self.agents.get(agent).map_or(&[], Vec::as_slice)
    }
}
