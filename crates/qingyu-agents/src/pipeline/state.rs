//! The state of the pipeline, with the field names of the design.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_graph::State;
use qingyu_production::GoldenContext;
// Runs store the names of the types of their channels, so this one stays.
use qingyu_story::wish::ReadWish as Request;
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

/// The complete state of a pipeline run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub struct PipelineState {
    /// The user's words.
    pub user_requirement: String,
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
    /// Pipeline switches.
    pub pipeline_config: PipelineConfig,
    /// Known preferences of the author.
    pub preferences: Vec<String>,

    /// Offered directions.
    pub directions: Vec<Direction>,
    /// Number of offers of directions.
    pub directions_round: u32,
    /// Whether a direction was chosen, or no choice is wanted.
    pub directions_settled: bool,
    /// Titles of directions offered earlier and not chosen.
    pub earlier_titles: Vec<String>,
    /// The chosen direction.
    pub direction: Option<Direction>,
    /// Words added by the person with the choice.
    pub direction_words: String,

    /// Analysis of the requirement.
    pub requirement_analysis: RequirementAnalysis,
    /// The validated and completed plan.
    pub execution_plan: ExecutionPlan,
    /// Tools enabled for the agents.
    pub tool_configuration: ToolConfiguration,
    /// Reason for the fallback to the default plan.
    pub plan_fallback: Option<String>,

    /// The author's own words for the story; for a new story, the requirement.
    pub premise: String,
    /// The world.
    pub worldview: Option<Worldview>,
    /// Outline nodes, in reading order.
    pub outline_nodes: Vec<OutlineNode>,
    /// Summary of the outline.
    pub outline_summary: String,
    /// Title of the work, given by the outline.
    pub outline_title: String,
    /// The cast.
    pub characters: Vec<Character>,
    /// Relations between characters.
    pub character_relations: Vec<CharacterRelation>,
    /// Summary of the cast.
    pub character_summary: String,
    /// Events, in story time.
    pub timeline_events: Vec<TimelineEvent>,
    /// Plot nodes.
    pub plot_nodes: Vec<PlotNode>,
    /// Summary of the plot.
    pub plot_summary: String,
    /// The style guide.
    pub style: Option<StyleGuide>,
    /// Highest number used in ids, by kind.
    #[channel(merge)]
    pub last_ids: BTreeMap<String, u64>,
    /// Work removed before regeneration; restored if the regeneration fails.
    pub set_aside: Story,
    /// Requests parsed from the requirement before the work began.
    pub requests: Vec<Request>,
    /// Agents with work from before the run; changed only where the requirement names it, and never regenerated.
    pub standing: Vec<Agent>,
    /// Digest of the story at the start of the run; empty without a story.
    pub found_digest: String,

    /// The newest report.
    pub diagnostic_report: Option<DiagnosticReport>,
    /// Score of the newest report.
    pub quality_score: u8,
    /// Whether the material passed review.
    pub review_passed: bool,
    /// Scores of all reviews, oldest first.
    #[channel(append)]
    pub scores: Vec<u8>,

    /// Correction prompts, by agent.
    pub correction_prompts: BTreeMap<String, String>,
    /// The same instructions as data.
    pub correction_instructions: Vec<CorrectionInstruction>,
    /// Correction mode.
    pub correction_mode: CorrectionMode,
    /// Agents correcting in this round, in order.
    pub affected_agents: Vec<Agent>,
    /// Agents waiting for their turn in this round.
    pub correction_queue: Vec<Agent>,

    /// Assignments of the current superstep, by agent.
    pub(crate) assignments: BTreeMap<String, Assignment>,
    /// Names of the pieces that each agent was shown in its last call, by agent and kind.
    #[channel(merge)]
    pub workspace_context: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Passages and connections that were looked up for each agent's last call.
    #[channel(merge)]
    pub rag_context: BTreeMap<String, Vec<String>>,
    /// Agents, in order of completion.
    #[channel(append)]
    pub completed_agents: Vec<String>,
    /// Ids of completed steps.
    #[channel(append)]
    pub completed_steps: Vec<u32>,
    /// Ids of failed steps; a step also in `completed_steps` succeeded in a later retry.
    #[channel(append)]
    pub failed_steps: Vec<u32>,
    /// Failure reasons, by step id.
    #[channel(merge)]
    pub step_failures: BTreeMap<u32, String>,
    /// Number of correction rounds so far.
    pub iteration_count: u32,
    /// Maximum number of correction rounds.
    pub max_iterations: u32,
    /// Reason a person must decide; `None` otherwise.
    pub human_reason: Option<HumanReason>,
    /// Whether a person must decide.
    pub human_intervention_required: bool,
    /// Feedback of a person who rejected the material.
    pub human_feedback: Option<String>,

    /// Every model call, in order.
    #[channel(append)]
    pub messages: Vec<CallRecord>,
    /// All lines of reasoning.
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
    /// Number of lookups of passages and connections.
    #[channel(reduce = crate::call::add)]
    pub tool_calls_count: u64,
    /// Cost in millionths of the price's currency, over all calls with a known price.
    #[channel(reduce = crate::call::add)]
    pub cost_micros: u64,
}

/// The current assignment of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Assignment {
    /// Id of the plan's step; `None` outside the plan.
    pub(crate) step_id: Option<u32>,
    /// Work mode.
    pub(crate) mode: WorkMode,
    /// The task in words.
    pub(crate) task: String,
    /// The tools that the plan names for the step. Assignments of earlier builds have none: their calls are stored for
    /// what the agent was shown then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Vec<String>,
}

impl PipelineState {
    /// Returns the ids that saved work belongs to: project, user, run.
    pub(super) fn owner(&self) -> (&str, &str, &str) {
        (&self.project_id, &self.user_id, &self.run_id)
    }

    /// Returns the input of a new run.
    pub fn input(requirement: impl Into<String>, language: Language, config: PipelineConfig) -> PipelineStateUpdate {
        let requirement = requirement.into();
        Self::update()
            .premise(requirement.clone())
            .user_requirement(requirement)
            .language(language)
            .max_iterations(config.max_iterations)
            .pipeline_config(config)
    }

    /// Returns the user's words, with the words added to the choice of a direction.
    pub fn said(&self) -> String {
        match self.direction_words.trim() {
            "" => self.user_requirement.clone(),
            words => format!("{}\n\n{words}", self.user_requirement),
        }
    }

    /// Returns the brief for agents: the user's words, and the chosen direction.
    pub fn brief(&self) -> String {
        match &self.direction {
            Some(direction) => format!("{}\n\n{}", self.said(), direction.text(self.language)),
            None => self.said(),
        }
    }

    /// Returns the title of the work: from its direction, or else its outline.
    pub fn title(&self) -> Option<&str> {
        let title = self.direction.as_ref().map_or(self.outline_title.as_str(), |direction| &direction.title);
        Some(title.trim()).filter(|title| !title.is_empty())
    }

    /// Returns the material as a story.
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

    /// Returns the plan with analysis and tool configuration.
    pub fn plan(&self) -> Plan {
        Plan {
            requirement_analysis: self.requirement_analysis.clone(),
            execution_plan: self.execution_plan.clone(),
            tool_configuration: self.tool_configuration.clone(),
            reasoning: Vec::new(),
        }
    }

    /// Returns the steps of the plan with their states.
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

    /// Returns the number of steps of the plan that have ended, done or failed: the index of the next step.
    pub fn current_step(&self) -> usize {
        self.steps().iter().filter(|step| step.state != StepState::Open).count()
    }

    /// Returns the step of `agent` that failed and was not completed since.
    pub(crate) fn failed_step(&self, agent: &str) -> Option<u32> {
        let failed = |step: &PlannedStep| step.state == StepState::Failed && step.agent == agent;
        self.steps().into_iter().find(failed).map(|step| step.step)
    }

    /// Returns the completed and the failed steps.
    pub(crate) fn done(&self) -> Done {
        Done {
            completed: self.completed_steps.iter().copied().collect::<BTreeSet<_>>(),
            failed: self.failed_steps.iter().copied().collect(),
        }
    }
}

impl PipelineStateUpdate {
    /// Writes only the parts of `after` that differ from `before`: concurrent agents in the same superstep write
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
    /// Appends the record of a call and adds its cost.
    #[must_use]
    pub(super) fn call(self, record: CallRecord) -> Self {
        self.calls(vec![record])
    }

    /// Appends the records of calls and adds their cost.
    #[must_use]
    pub(super) fn calls(self, records: Vec<CallRecord>) -> Self {
        let cost = records.iter().filter_map(|record| record.cost_micros).sum();
        self.tokens_used(records.iter().map(CallRecord::tokens).sum()).cost_micros(cost).messages(records)
    }
}
