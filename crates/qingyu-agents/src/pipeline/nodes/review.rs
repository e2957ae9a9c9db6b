//! The review node: rules, then the reviewer model, merged into one report.

use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_story::wish::Wish;
use qingyu_story::{Agent, Issue, Story};

use crate::call::{CallContext, CallResult, CallSpec, emit};
use crate::changes::digest;
use crate::config::PipelineConfig;
use crate::context::{ReviewContext, WorkMode};
use crate::meta_scheduler::{HumanReason, clear, is_complete, is_of_reviewer, mendable, sets_data};
use crate::notice::RunNotice;
use crate::output::Judgement;
use crate::pipeline::names::{DISPATCH, HUMAN_REVIEW, META_SCHEDULER};
use crate::pipeline::nodes::meta::ask_a_person;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::plan::REVIEW_AGENT;
use crate::progress::Progress;
use crate::prompts::{PromptName, ReviewPrompt};
use crate::review::{JudgementOutcome, MergedReport, RulesResult, merge};
use crate::wishes;
use crate::workshop::PipelineResources;

pub(in crate::pipeline) async fn run(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let story = state.story();
    let step = state.execution_plan.steps.iter().find(|step| step.is_review());
    emit(
        &context,
        &Progress::AgentStarted {
            agent: REVIEW_AGENT.into(),
            mode: if state.iteration_count == 0 { WorkMode::Generate } else { WorkMode::Correct },
            step_id: step.map(|step| step.step_id),
            task: step.map(|step| step.task_description.clone()).unwrap_or_default(),
        },
    );
    let rules = RulesResult::of(&story, &workshop.rules);
    let rules = rules.with_steps(state.steps(), &state.execution_plan, state.language);
    let wishes = checked(&state, &story);
    let called = ask(&workshop, &state, &context, &rules, &wishes).await?;
    let error = called.error();
    let judged = match called.value {
        Some(judgement) => JudgementOutcome::of(&called.record.model, judgement),
        None => JudgementOutcome::Failed(error),
    };
    let MergedReport { mut report, warnings } = merge(&rules, judged, &story, state.pipeline_config.thresholds);
    wishes::put_into(&mut report, &state.requests, wishes, &story);
    let mut warnings = warnings.iter().map(|notice| notice.text(state.language)).collect::<Vec<_>>();
    let PipelineConfig { enable_meta_scheduler, thresholds, .. } = state.pipeline_config;
    // Without the meta-scheduler no agent corrects single issues, and a sufficient score is no reason to regenerate.
    let is_left = !report.passed && !enable_meta_scheduler && is_complete(&report, thresholds);
    if is_left {
        warnings.push(RunNotice::IssuesLeft { count: mendable(&report).count() }.text(state.language));
    }
    // Corrections that give all values are applied first; they need one more review but no agent.
    let is_allowed = report.passed && enable_meta_scheduler && state.max_iterations > 0;
    let is_to_set = is_allowed && sets_data(&report, state.iteration_count);
    for message in &warnings {
        emit(&context, &Progress::Warning { message: message.clone() });
    }
    emit(&context, &Progress::Reviewed { iteration: state.iteration_count, report: Box::new(report.clone()) });
    let passed = report.passed;
    let mut update = PipelineState::update()
        .call(called.record)
        .completed_agents(vec![REVIEW_AGENT.to_owned()])
        .quality_score(report.quality_score)
        .scores(vec![report.quality_score])
        .review_passed(passed)
        .reasoning(report.reasoning_chain.clone())
        .warnings(warnings);
    update = match step {
        Some(step) if !state.completed_steps.contains(&step.step_id) => update.completed_steps(vec![step.step_id]),
        _ => update,
    };
    Ok(if passed && !is_to_set || is_left {
        Command::update(update.diagnostic_report(Some(report))).goto([END])
    } else if enable_meta_scheduler {
        Command::update(update.diagnostic_report(Some(report))).goto([META_SCHEDULER])
    } else if state.iteration_count < state.max_iterations {
        start_again(&state, update.diagnostic_report(Some(report)), &context)
    } else {
        let reason = HumanReason::MaxIterations;
        ask_a_person(&context, reason, &report);
        let update = update.human_reason(Some(reason)).human_intervention_required(true);
        Command::update(update.diagnostic_report(Some(report))).goto([HUMAN_REVIEW])
    })
}

/// Restarts from the first agent, without diagnosis: the behaviour of version 1 after a failed review.
fn start_again(state: &PipelineState, update: PipelineStateUpdate, context: &Context) -> Command<PipelineState> {
    let message = RunNotice::StartedAgain { iteration: state.iteration_count + 1 }.text(state.language);
    emit(context, &Progress::Warning { message: message.clone() });
    let before = state.story();
    let mut cleared = before.clone();
    let anew = Agent::ALL.into_iter().filter(|agent| !state.standing.contains(agent)).collect::<Vec<_>>();
    clear(&mut cleared, &anew);
    let update = update
        .story(&before, &cleared)
        .set_aside(before)
        .iteration_count(state.iteration_count + 1)
        .overwrite_completed_steps(Vec::new())
        .overwrite_failed_steps(Vec::new())
        .reasoning(vec![message]);
    Command::update(update).goto([DISPATCH])
}

/// Returns the wishes of the requirement, with their state in `story`.
pub(super) fn checked(state: &PipelineState, story: &Story) -> Vec<Wish> {
    let is_untouched = !state.found_digest.is_empty() && digest(story) == state.found_digest;
    wishes::checked(&state.requests, story, is_untouched)
}

/// Returns the issues that the model named in the last round; empty in the first.
fn earlier(state: &PipelineState) -> Vec<Issue> {
    let report = state.diagnostic_report.as_ref().filter(|_| state.iteration_count > 0);
    let issues = report.into_iter().flat_map(|report| &report.issues);
    issues.filter(|issue| is_of_reviewer(issue)).cloned().collect()
}

async fn ask(
    workshop: &PipelineResources,
    state: &PipelineState,
    context: &Context,
    rules: &RulesResult,
    wishes: &[Wish],
) -> Result<CallResult<Judgement>, NodeError> {
    let review = ReviewContext {
        requirement: state.brief(),
        language: state.language,
        story: state.story(),
        findings: rules.issues(),
        rules_run: rules.basis.rules.looked(),
        rules_clean: rules.basis.rules.clear(),
        agents: Agent::ALL.to_vec(),
        wishes: wishes.to_vec(),
        preferences: state.preferences.clone(),
        earlier: earlier(state),
    };
    let names = [PromptName::REVIEW_SYSTEM, PromptName::REVIEW_GENERATE];
    let asked = CallSpec::of(REVIEW_AGENT, "review.judge".into(), String::new(), names, 0.0);
    let seat = CallContext { workshop, context, language: state.language, golden: &state.golden_context };
    let call = seat.call(asked, &ReviewPrompt::new(&review), &review)?;
    call.ask(None).await
}
