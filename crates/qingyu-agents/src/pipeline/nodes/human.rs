//! The human review: the run waits for a person and follows the answer.

use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_story::{Story, ids};

use crate::archive::ArchivedWork;
use crate::call::emit;
use crate::changes::changes;
use crate::meta_scheduler::HumanReason;
use crate::notice::RunNotice;
use crate::pipeline::human::{HumanReviewAnswer, HumanReviewRequest};
use crate::pipeline::names::{HUMAN_REVIEW, META_SCHEDULER};
use crate::pipeline::nodes::meta::ask_a_person;
use crate::pipeline::nodes::review::checked;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::progress::Progress;
use crate::review::{JudgementOutcome, MergedReport, RulesResult, merge};
use crate::workshop::PipelineResources;
use crate::{Error, wishes};

pub(in crate::pipeline) async fn run(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let reason = state.human_reason.unwrap_or(HumanReason::Strategy);
    let request = HumanReviewRequest {
        reason,
        iteration: state.iteration_count,
        report: state.diagnostic_report.clone().unwrap_or_default(),
        story: state.story(),
    };
    let answer = context.ask::<HumanReviewAnswer>("review", &request).await?;
    Ok(match answer {
        // A direction answers another question, so the question about the material is repeated.
        HumanReviewAnswer::Direct { .. } => Command::update(PipelineState::update()).goto([HUMAN_REVIEW]),
        HumanReviewAnswer::Approve => Command::update(decided(&state, "approve").review_passed(true)).goto([END]),
        HumanReviewAnswer::Reject { feedback } => {
            Command::update(decided(&state, "reject").human_feedback(Some(feedback))).goto([META_SCHEDULER])
        }
        HumanReviewAnswer::Edit { story } => edited(&workshop, &state, &context, reason, *story).await?,
    })
}

fn decided(state: &PipelineState, decision: &str) -> PipelineStateUpdate {
    PipelineState::update()
        .human_reason(None)
        .human_intervention_required(false)
        .completed_agents(vec![HUMAN_REVIEW.to_owned()])
        .reasoning(vec![RunNotice::PersonDecided { decision: decision.into() }.text(state.language)])
}

/// Stores the person's material, runs the rules, and asks again if it does not pass.
async fn edited(
    workshop: &PipelineResources,
    state: &PipelineState,
    context: &Context,
    reason: HumanReason,
    mut story: Story,
) -> Result<Command<PipelineState>, NodeError> {
    let before = state.story();
    story.language = before.language;
    ids::adopt(&before, &mut story);
    save(workshop, state, &before, &story).await?;
    let rules = RulesResult::of(&story, &workshop.rules);
    let rules = rules.with_steps(state.steps(), &state.execution_plan, state.language);
    let MergedReport { mut report, .. } =
        merge(&rules, JudgementOutcome::NotAsked, &story, state.pipeline_config.thresholds);
    wishes::put_into(&mut report, &state.requests, checked(state, &story), &story);
    emit(context, &Progress::Reviewed { iteration: state.iteration_count, report: Box::new(report.clone()) });
    let passed = report.passed;
    if !passed {
        ask_a_person(context, reason, &report);
    }
    let update = decided(state, "edit")
        .story(&before, &story)
        .set_aside(Story::default())
        .quality_score(report.quality_score)
        .scores(vec![report.quality_score])
        .review_passed(passed)
        .human_reason((!passed).then_some(reason))
        .human_intervention_required(!passed)
        .diagnostic_report(Some(report));
    Ok(Command::update(update).goto([if passed { END } else { HUMAN_REVIEW }]))
}

async fn save(workshop: &PipelineResources, state: &PipelineState, before: &Story, after: &Story) -> Result<(), Error> {
    let changes = changes(before, after);
    let Some(archive) = workshop.archive.as_ref().filter(|_| !changes.is_empty()) else { return Ok(()) };
    let saved = ArchivedWork::new(state.owner(), HUMAN_REVIEW, None, state.iteration_count, None, changes);
    archive.save(saved).await.map_err(|source| Error::Archive { agent: HUMAN_REVIEW.into(), source })
}
