//! The meta-scheduler's node: executes the decision of [`decide`].

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_story::DiagnosticReport;

use crate::Error;
use crate::call::emit;
use crate::meta_scheduler::{
    CorrectionMode, CorrectionPrompt, CorrectionRound, CorrectionState, HumanReason, ReportDecision, clear, decide,
    made, mendable,
};
use crate::notice::RunNotice;
use crate::pipeline::names::{DISPATCH, HUMAN_REVIEW, META_SCHEDULER};
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::progress::Progress;
use crate::prompts::PromptName;
use crate::wishes::ordered;
use crate::workshop::PipelineResources;

pub(in crate::pipeline) async fn run(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let report = state.diagnostic_report.clone().unwrap_or_default();
    let previous = state.scores.len().checked_sub(2).map(|index| state.scores[index]);
    let story = state.story();
    let made = made(&story);
    let feedback = state.human_feedback.as_deref().filter(|words| !words.trim().is_empty());
    let (requests, ordered) = feedback.map(|words| ordered(words, &story, state.requests.len())).unzip();
    let decision = decide(&CorrectionState {
        report: &report,
        iteration_count: state.iteration_count,
        max_iterations: state.max_iterations,
        previous_score: previous.filter(|_| state.iteration_count > 0),
        made: &made,
        standing: &state.standing,
        human_feedback: state.human_feedback.as_deref(),
        ordered: ordered.as_ref(),
        last: if state.iteration_count > 0 { &state.correction_instructions } else { &[] },
        thresholds: state.pipeline_config.thresholds,
        auto_downgrade_threshold: state.pipeline_config.auto_downgrade_threshold,
    });
    let mut update = PipelineState::update().completed_agents(vec![META_SCHEDULER.to_owned()]).human_feedback(None);
    if let Some(more) = requests.filter(|more| !more.is_empty()) {
        update = update.requests(state.requests.iter().cloned().chain(more).collect());
    }
    Ok(match decision {
        ReportDecision::Complete => match mendable(&report).count() {
            0 => Command::update(update.review_passed(true)).goto([END]),
            count => {
                let message = RunNotice::IssuesLeft { count }.text(state.language);
                emit(&context, &Progress::Warning { message: message.clone() });
                Command::update(update.warnings(vec![message])).goto([END])
            }
        },
        ReportDecision::Human { reason } => {
            ask_a_person(&context, reason, &report);
            let said = RunNotice::PersonAsked { reason, score: report.quality_score }.text(state.language);
            let update = update.human_reason(Some(reason)).human_intervention_required(true).reasoning(vec![said]);
            Command::update(update).goto([HUMAN_REVIEW])
        }
        ReportDecision::Correct(correction) => {
            Command::update(send_back(&workshop, &state, &context, &report, correction, update)?).goto([DISPATCH])
        }
    })
}

/// Emits the event that a person is asked.
pub(super) fn ask_a_person(context: &Context, reason: HumanReason, report: &DiagnosticReport) {
    let report = Box::new(report.clone());
    emit(context, &Progress::HumanReviewRequested { reason: reason.name().into(), report });
}

fn send_back(
    workshop: &PipelineResources,
    state: &PipelineState,
    context: &Context,
    report: &DiagnosticReport,
    correction: CorrectionRound,
    mut update: PipelineStateUpdate,
) -> Result<PipelineStateUpdate, Error> {
    let mut prompts = BTreeMap::new();
    for agent in &correction.agents {
        let prompt = CorrectionPrompt::new(*agent, &correction, report);
        let text = workshop.prompts.render(PromptName::META_CORRECTION, state.language, &prompt)?;
        prompts.insert(agent.name().to_owned(), text);
    }
    let planned = RunNotice::RoundPlanned {
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
