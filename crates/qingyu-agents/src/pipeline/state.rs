//! The state of the pipeline, with the field names of the design.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_graph::State;
use qingyu_production::GoldenContext;
use qingyu_story::wish::Request;
use qingyu_story::{
    Agent, Character, CharacterRelation, CorrectionInstruction, DiagnosticReport, Language, OutlineNode, PlannedStep,
    PlotNode, StepState, Story, StyleGuide, TimelineEvent, Worldview,
};
use serde::{Deserialize, Serialize};

use crate::call::CallRecord;
use crate::config::PipelineConfig;
use crate::context::WorkMode;
use crate::direction::Direction;
use crate::meta_scheduler::{CorrectionMode, HumanReason};
use crate::output::Plan;
use crate::plan::adjust::Done;
use crate::plan::{ExecutionPlan, RequirementAnalysis, Step, ToolConfiguration};

/// Everything a run of the pipeline knows.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct PipelineState {
    /// The user's words.
    pub user_requirement: String,
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
    /// The switches.
    pub pipeline_config: PipelineConfig,
    /// What the author has been found to prefer.
    pub preferences: Vec<String>,

    /// The directions that are offered.
    pub directions: Vec<Direction>,
    /// How often directions were offered.
    pub directions_round: u32,
    /// Whether one was chosen, or none is wanted.
    pub directions_settled: bool,
    /// The titles of directions that were offered before and not taken.
    pub earlier_titles: Vec<String>,
    /// The direction that the book takes, if one was chosen.
    pub direction: Option<Direction>,
    /// What the person who chose it adds.
    pub direction_words: String,

    /// What the requirement asks for.
    pub requirement_analysis: RequirementAnalysis,
    /// The plan, checked and completed.
    pub execution_plan: ExecutionPlan,
    /// What the agents may use.
    pub tool_configuration: ToolConfiguration,
    /// Why the plan is the default one, if it should not have been.
    pub plan_fallback: Option<String>,

    /// The author's own words for the story; the requirement, for a new one.
    pub premise: String,
    /// The world.
    pub worldview: Option<Worldview>,
    /// The outline in reading order.
    pub outline_nodes: Vec<OutlineNode>,
    /// The outline in a paragraph.
    pub outline_summary: String,
    /// The title that the outline gives the work.
    pub outline_title: String,
    /// The cast.
    pub characters: Vec<Character>,
    /// What is between them.
    pub character_relations: Vec<CharacterRelation>,
    /// The cast in a paragraph.
    pub character_summary: String,
    /// Events in story time.
    pub timeline_events: Vec<TimelineEvent>,
    /// The plot.
    pub plot_nodes: Vec<PlotNode>,
    /// The plot in a paragraph.
    pub plot_summary: String,
    /// The style guide.
    pub style: Option<StyleGuide>,
    /// The highest numbers given in ids.
    #[channel(merge)]
    pub last_ids: BTreeMap<String, u64>,
    /// What was cleared to be made anew; it stands again if that fails.
    pub set_aside: Story,
    /// What the requirement asks for, read before the work began.
    pub requests: Vec<Request>,
    /// Whose work was there before the run; it is changed as far as the requirement names it, and never made anew.
    pub standing: Vec<Agent>,
    /// The digest of the story as the run found it; empty if there was none.
    pub found_digest: String,

    /// The newest report.
    pub diagnostic_report: Option<DiagnosticReport>,
    /// Its score.
    pub quality_score: u8,
    /// Whether the material may go on.
    pub review_passed: bool,
    /// The scores of all reviews, oldest first.
    #[channel(append)]
    pub scores: Vec<u8>,

    /// What each correcting agent is told, by its name.
    pub correction_prompts: BTreeMap<String, String>,
    /// The same as data.
    pub correction_instructions: Vec<CorrectionInstruction>,
    /// How they correct.
    pub correction_mode: CorrectionMode,
    /// Who corrects in this round, in order.
    pub affected_agents: Vec<Agent>,
    /// Who of them is yet to do it.
    pub correction_queue: Vec<Agent>,

    /// Who works in the present superstep on what, by name.
    pub assignments: BTreeMap<String, Assignment>,
    /// Agents in the order in which they ended.
    #[channel(append)]
    pub completed_agents: Vec<String>,
    /// Steps of the plan that made what they were to make.
    #[channel(append)]
    pub completed_steps: Vec<u32>,
    /// Steps of the plan that ended without it; one that is also in `completed_steps` was done in a later try.
    #[channel(append)]
    pub failed_steps: Vec<u32>,
    /// Why steps failed, by their number.
    #[channel(merge)]
    pub step_failures: BTreeMap<u32, String>,
    /// How many correction rounds there were.
    pub iteration_count: u32,
    /// How many there may be.
    pub max_iterations: u32,
    /// Why a person must decide, if one must.
    pub human_reason: Option<HumanReason>,
    /// Whether a person must decide.
    pub human_intervention_required: bool,
    /// What the person who rejected the material said.
    pub human_feedback: Option<String>,

    /// Every model call, in order.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// The full chain of reasoning.
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
    /// Look-ups in passages and connections.
    #[channel(reduce = crate::call::add)]
    pub tool_calls_count: u64,
    /// Millionths of the price's currency, over all calls whose price is known.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// What an agent is to do now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Assignment {
    /// The plan's step, if it is one.
    pub step_id: Option<u32>,
    /// In which of the three ways.
    pub mode: WorkMode,
    /// The task in words.
    pub task: String,
}

impl PipelineState {
    /// The input of a new run.
    pub fn input(requirement: impl Into<String>, language: Language, config: PipelineConfig) -> PipelineStateUpdate {
        let requirement = requirement.into();
        Self::update()
            .premise(requirement.clone())
            .user_requirement(requirement)
            .language(language)
            .max_iterations(config.max_iterations)
            .pipeline_config(config)
    }

    /// The user's words with what the person who chose a direction adds.
    pub fn said(&self) -> String {
        match self.direction_words.trim() {
            "" => self.user_requirement.clone(),
            words => format!("{}\n\n{words}", self.user_requirement),
        }
    }

    /// What agents work to: the user's words, and the direction that the book takes.
    pub fn brief(&self) -> String {
        match &self.direction {
            Some(direction) => format!("{}\n\n{}", self.said(), direction.text(self.language)),
            None => self.said(),
        }
    }

    /// The title that the work has got: that of its direction, or the one of its outline.
    pub fn title(&self) -> Option<&str> {
        let title = self.direction.as_ref().map_or(self.outline_title.as_str(), |direction| &direction.title);
        Some(title.trim()).filter(|title| !title.is_empty())
    }

    /// The material as a story.
    pub fn story(&self) -> Story {
        Story {
            premise: self.premise.clone(),
            language: self.language,
            worldview: self.worldview.clone(),
            outline_nodes: self.outline_nodes.clone(),
            characters: self.characters.clone(),
            character_relations: self.character_relations.clone(),
            timeline_events: self.timeline_events.clone(),
            plot_nodes: self.plot_nodes.clone(),
            style: self.style.clone(),
            last_ids: self.last_ids.clone(),
            ..Story::default()
        }
    }

    /// The plan with what belongs to it.
    pub fn plan(&self) -> Plan {
        Plan {
            requirement_analysis: self.requirement_analysis.clone(),
            execution_plan: self.execution_plan.clone(),
            tool_configuration: self.tool_configuration.clone(),
            reasoning: Vec::new(),
        }
    }

    /// The steps of the plan and how each ended.
    pub fn steps(&self) -> Vec<PlannedStep> {
        let step = |step: &Step| {
            let state = match () {
                () if self.completed_steps.contains(&step.step_id) => StepState::Done,
                () if self.failed_steps.contains(&step.step_id) => StepState::Failed,
                () => StepState::Open,
            };
            let reason = self.step_failures.get(&step.step_id).filter(|_| state == StepState::Failed).cloned();
            PlannedStep { step: step.step_id, agent: step.agent.clone(), state, reason }
        };
        self.execution_plan.steps.iter().filter(|step| !step.is_review()).map(step).collect()
    }

    /// The step of `agent` that failed and was not done since.
    pub fn failed_step(&self, agent: &str) -> Option<u32> {
        let failed = |step: &PlannedStep| step.state == StepState::Failed && step.agent == agent;
        self.steps().into_iter().find(failed).map(|step| step.step)
    }

    /// Which steps have ended, and how.
    pub fn done(&self) -> Done {
        Done {
            completed: self.completed_steps.iter().copied().collect::<BTreeSet<_>>(),
            failed: self.failed_steps.iter().copied().collect(),
        }
    }
}

impl PipelineStateUpdate {
    /// Writes the parts of `after` that differ from `before`, and only those: siblings in the same superstep write
    /// others.
    #[must_use]
    pub fn story(mut self, before: &Story, after: &Story) -> Self {
        if before.premise != after.premise {
            self = self.premise(after.premise.clone());
        }
        if before.worldview != after.worldview {
            self = self.worldview(after.worldview.clone());
        }
        if before.outline_nodes != after.outline_nodes {
            self = self.outline_nodes(after.outline_nodes.clone());
        }
        if before.characters != after.characters {
            self = self.characters(after.characters.clone());
        }
        if before.character_relations != after.character_relations {
            self = self.character_relations(after.character_relations.clone());
        }
        if before.timeline_events != after.timeline_events {
            self = self.timeline_events(after.timeline_events.clone());
        }
        if before.plot_nodes != after.plot_nodes {
            self = self.plot_nodes(after.plot_nodes.clone());
        }
        if before.style != after.style {
            self = self.style(after.style.clone());
        }
        let given = after.last_ids.iter().filter(|(prefix, last)| before.last_ids.get(*prefix) != Some(last));
        let given = given.map(|(prefix, last)| (prefix.clone(), *last)).collect::<BTreeMap<_, _>>();
        if given.is_empty() { self } else { self.last_ids(given) }
    }
}

impl PipelineStateUpdate {
    /// Counts a call.
    #[must_use]
    pub(super) fn call(self, record: CallRecord) -> Self {
        self.tokens_used(record.usage.input + record.usage.output)
            .cost_micros(record.cost_micros.unwrap_or_default())
            .messages(vec![record])
    }
}
