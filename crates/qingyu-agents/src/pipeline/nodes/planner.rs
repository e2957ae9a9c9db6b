//! The planner: from a requirement to a plan that can run.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Story, wish};

use crate::Workshop;
use crate::call::{Asked, Seat, emit};
use crate::changes::digest;
use crate::context::Planning;
use crate::meta_scheduler::made;
use crate::notice::Notice;
use crate::output::Plan;
use crate::pipeline::nodes::directions;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::pipeline::{DIRECTIONS, PLANNER};
use crate::plan::{AGENTS, MAX_STEPS, TOOLS, check, default_plan};
use crate::progress::Progress;
use crate::prompts::{Name, PlanPrompt};
use crate::requirement;
use crate::wishes::with_steps;

pub(in crate::pipeline) async fn run(
    workshop: Arc<Workshop>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    requirement::check(&state.user_requirement)?;
    if directions::are_open(&state) {
        return Ok(Command::update(PipelineState::update()).goto([DIRECTIONS]));
    }
    let story = state.story();
    let requests = wish::read(&state.said(), &story);
    let mut update = found(&story);
    let (plan, fallback) = if state.pipeline_config.enable_planner {
        update = update.completed_agents(vec![PLANNER.to_owned()]);
        let called = ask(&workshop, &state, &context).await?;
        let error = called.error();
        let planned = called.value.ok_or(Notice::PlanMissing { error });
        update = update.call(called.record);
        match planned {
            Ok(plan) => runnable(plan, &state, &mut update),
            Err(notice) => (default_plan(state.language), Some(notice)),
        }
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

/// Whose work the run finds.
fn found(story: &Story) -> PipelineStateUpdate {
    let standing = made(story);
    let update = PipelineState::update();
    if standing.is_empty() { update } else { update.standing(standing).found_digest(digest(story)) }
}

/// The planner's plan, completed; or with the steps of the default plan, if its own cannot run.
fn runnable(plan: Plan, state: &PipelineState, update: &mut PipelineStateUpdate) -> (Plan, Option<Notice>) {
    match check(plan.execution_plan) {
        Ok(checked) => {
            let notices = checked.notices.iter().map(|notice| notice.text(state.language)).collect();
            *update = std::mem::take(update).warnings(notices);
            (Plan { execution_plan: checked.plan, ..plan }, None)
        }
        Err(problems) => {
            let execution_plan = default_plan(state.language).execution_plan;
            (Plan { execution_plan, ..plan }, Some(Notice::PlanUnusable { problems }))
        }
    }
}

async fn ask(
    workshop: &Workshop,
    state: &PipelineState,
    context: &Context,
) -> Result<crate::call::Called<Plan>, NodeError> {
    let planning = Planning {
        requirement: state.brief(),
        language: state.language,
        story: state.story(),
        agents: AGENTS.map(String::from).to_vec(),
        tools: TOOLS.map(String::from).to_vec(),
        max_steps: MAX_STEPS,
    };
    let names = [Name::PLANNER_SYSTEM, Name::PLANNER_GENERATE];
    let asked = Asked::of(PLANNER, "plan.create".into(), String::new(), names, 0.3);
    let seat = Seat { workshop, context, language: state.language, golden: &state.golden_context };
    let call = seat.call(asked, &PlanPrompt::new(&planning), &planning)?;
    call.ask(None).await
}
