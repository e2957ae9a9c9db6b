//! The meta-scheduler's node: carries out what [`decide`] says.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_story::DiagnosticReport;

use crate::Error;
use crate::Workshop;
use crate::call::emit;
use crate::meta_scheduler::{
    Correction, CorrectionMode, CorrectionPrompt, Decision, HumanReason, Situation, clear, decide, made,
};
use crate::notice::Notice;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::pipeline::{DISPATCH, HUMAN_REVIEW, META_SCHEDULER};
use crate::progress::Progress;
use crate::prompts::Name;
use crate::wishes::ordered;

pub(in crate::pipeline) async fn run(
    workshop: Arc<Workshop>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let report = state.diagnostic_report.clone().unwrap_or_default();
    let previous = state.scores.len().checked_sub(2).map(|index| state.scores[index]);
    let story = state.story();
    let made = made(&story);
    let feedback = state.human_feedback.as_deref().filter(|words| !words.trim().is_empty());
    let (requests, ordered) = feedback.map(|words| ordered(words, &story, state.requests.len())).unzip();
    let decision = decide(&Situation {
        report: &report,
        iteration_count: state.iteration_count,
        max_iterations: state.max_iterations,
        previous_score: previous.filter(|_| state.iteration_count > 0),
        made: &made,
        standing: &state.standing,
        human_feedback: state.human_feedback.as_deref(),
        ordered: ordered.as_ref(),
        thresholds: state.pipeline_config.thresholds,
        auto_downgrade_threshold: state.pipeline_config.auto_downgrade_threshold,
    });
    let mut update = PipelineState::update().completed_agents(vec![META_SCHEDULER.to_owned()]).human_feedback(None);
    if let Some(more) = requests.filter(|more| !more.is_empty()) {
        update = update.requests(state.requests.iter().cloned().chain(more).collect());
    }
    Ok(match decision {
        Decision::Complete => Command::update(update.review_passed(true)).goto([END]),
        Decision::Human { reason } => {
            ask_a_person(&context, reason, &report);
            let said = Notice::PersonAsked { reason, score: report.quality_score }.text(state.language);
            let update = update.human_reason(Some(reason)).human_intervention_required(true).reasoning(vec![said]);
            Command::update(update).goto([HUMAN_REVIEW])
        }
        Decision::Correct(correction) => {
            Command::update(send_back(&workshop, &state, &context, &report, correction, update)?).goto([DISPATCH])
        }
    })
}

/// Tells that a person is asked.
pub(super) fn ask_a_person(context: &Context, reason: HumanReason, report: &DiagnosticReport) {
    let report = Box::new(report.clone());
    emit(context, &Progress::HumanReviewRequested { reason: reason.name().into(), report });
}

fn send_back(
    workshop: &Workshop,
    state: &PipelineState,
    context: &Context,
    report: &DiagnosticReport,
    correction: Correction,
    mut update: PipelineStateUpdate,
) -> Result<PipelineStateUpdate, Error> {
    let mut prompts = BTreeMap::new();
    for agent in &correction.agents {
        let prompt = CorrectionPrompt::new(*agent, &correction, report);
        let text = workshop.prompts.render(Name::META_CORRECTION, state.language, &prompt)?;
        prompts.insert(agent.name().to_owned(), text);
    }
    let planned = Notice::RoundPlanned {
        iteration: correction.iteration,
        max_iterations: state.max_iterations.max(correction.iteration),
        mode: correction.mode,
        agents: correction.agents.iter().map(|agent| agent.name().to_owned()).collect(),
    };
    emit(
        context,
        &Progress::CorrectionPlanned {
            iteration: correction.iteration,
            mode: correction.mode.name().into(),
            agents: correction.agents.clone(),
            instructions: correction.instructions.clone(),
        },
    );
    if correction.mode == CorrectionMode::Regenerate {
        let before = state.story();
        let mut cleared = before.clone();
        clear(&mut cleared, &correction.agents);
        update = update.story(&before, &cleared).set_aside(before);
    }
    Ok(update
        .iteration_count(correction.iteration)
        .correction_mode(correction.mode)
        .correction_prompts(prompts)
        .correction_instructions(correction.instructions)
        .affected_agents(correction.agents.clone())
        .correction_queue(correction.agents)
        .human_reason(None)
        .human_intervention_required(false)
        .reasoning(vec![planned.text(state.language)]))
}
