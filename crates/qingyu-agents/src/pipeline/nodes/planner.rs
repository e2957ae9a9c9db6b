//! The planner node: turns a requirement into a validated plan.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Agent, Story, wish};

use crate::call::{CallContext, CallSpec, emit};
use crate::changes::digest;
use crate::context::PlanningContext;
use crate::meta_scheduler::made;
use crate::notice::RunNotice;
use crate::output::Plan;
use crate::parameters::OutlineParameters;
use crate::pipeline::names::{DIRECTIONS, PLANNER};
use crate::pipeline::nodes::directions;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::plan::{AGENTS, ExecutionPlan, MAX_STEPS, TOOLS, check, default_plan, fixed_plan};
use crate::progress::Progress;
use crate::prompts::{PlanPrompt, PromptName};
use crate::requirement;
use crate::wishes::with_steps;
use crate::workshop::PipelineResources;

pub(in crate::pipeline) async fn run(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    requirement::check(&state.user_requirement)?;
    if directions::are_open(&state) {
        return Ok(Command::update(PipelineState::update()).goto([DIRECTIONS]));
    }
    let story = state.story();
    let (words, parameters) = OutlineParameters::split(&state.said());
    let mut requests = wish::read(&words, &story);
    if let Some(count) = parameters.chapter_count.filter(|_| !story.has_pieces()) {
        wish::with_chapters(&mut requests, count, state.language);
    }
    let mut update = found(&story);
    let (plan, fallback) = if state.pipeline_config.enable_planner {
        update = update.completed_agents(vec![PLANNER.to_owned()]);
        let called = ask(&workshop, &state, &context).await?;
        let error = called.error();
        let planned = called.value.ok_or(RunNotice::PlanMissing { error });
        update = update.call(called.record);
        match planned {
            Ok(plan) => runnable(plan, &state, &mut update),
            Err(notice) => (default_plan(state.language), Some(notice)),
        }
    } else if state.pipeline_config.is_fixed() {
        (fixed_plan(state.language), None)
    } else {
        (default_plan(state.language), None)
    };
    let execution_plan = with_steps(plan.execution_plan, &requests, &story);
    let plan = Plan { execution_plan, ..plan };
    let fallback = fallback.map(|notice| notice.text(state.language));
    if let Some(message) = &fallback {
        emit(&context, &Progress::Warning { message: message.clone() });
        update = update.warnings(vec![message.clone()]);
    }
    if !state.pipeline_config.enable_planner
        && let Some(notice) = left_empty(&plan.execution_plan, &story)
    {
        let message = notice.text(state.language);
        emit(&context, &Progress::Warning { message: message.clone() });
        update = update.warnings(vec![message]);
    }
    emit(&context, &Progress::Planned { plan: Box::new(plan.clone()), fallback: fallback.clone() });
    let update = update
        .requests(requests)
        .requirement_analysis(plan.requirement_analysis)
        .execution_plan(plan.execution_plan)
        .tool_configuration(plan.tool_configuration)
        .plan_fallback(fallback)
        .reasoning(plan.reasoning);
    Ok(update.into())
}

/// Returns what prose is written from and neither the story has nor the plan makes: world and style.
fn left_empty(plan: &ExecutionPlan, story: &Story) -> Option<RunNotice> {
    let is_made = |agent: Agent| plan.steps.iter().any(|step| step.specialist() == Some(agent));
    let missing = [(Agent::Worldview, story.worldview.is_some()), (Agent::Style, story.style.is_some())];
    let missing = missing.into_iter().filter(|(agent, has_work)| !has_work && !is_made(*agent));
    let agents: Vec<String> = missing.map(|(agent, _)| agent.name().to_owned()).collect();
    (!agents.is_empty()).then_some(RunNotice::LeftEmpty { agents })
}

/// Records the agents with existing work.
fn found(story: &Story) -> PipelineStateUpdate {
    let standing = made(story);
    let update = PipelineState::update();
    if standing.is_empty() { update } else { update.standing(standing).found_digest(digest(story)) }
}

/// Validates and completes the planner's plan; the fallback is the steps of the default plan.
fn runnable(plan: Plan, state: &PipelineState, update: &mut PipelineStateUpdate) -> (Plan, Option<RunNotice>) {
    match check(plan.execution_plan) {
        Ok((execution_plan, notices)) => {
            let notices = notices.iter().map(|notice| notice.text(state.language)).collect();
            *update = std::mem::take(update).warnings(notices);
            (Plan { execution_plan, ..plan }, None)
        }
        Err(problems) => {
            let execution_plan = default_plan(state.language).execution_plan;
            (Plan { execution_plan, ..plan }, Some(RunNotice::PlanUnusable { problems }))
        }
    }
}

async fn ask(
    workshop: &PipelineResources,
    state: &PipelineState,
    context: &Context,
) -> Result<crate::call::CallResult<Plan>, NodeError> {
    let planning = PlanningContext {
        requirement: state.brief(),
        language: state.language,
        story: state.story(),
        agents: AGENTS.map(String::from).to_vec(),
        tools: TOOLS.map(String::from).to_vec(),
        max_steps: MAX_STEPS,
        preferences: state.preferences.clone(),
    };
    let names = [PromptName::PLANNER_SYSTEM, PromptName::PLANNER_GENERATE];
    let asked = CallSpec::of(PLANNER, "plan.create".into(), String::new(), names, 0.3);
    let seat = CallContext { workshop, context, language: state.language, golden: &state.golden_context };
    let call = seat.call(asked, &PlanPrompt::new(&planning), &planning)?;
    call.ask(None).await
}
