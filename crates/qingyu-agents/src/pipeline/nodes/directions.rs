//! The directions node: before planning, the author chooses from several proposals for the book, if requested.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Language;

use crate::call::{CallContext, CallSpec, emit};
use crate::context::DirectionsContext;
use crate::direction::{DirectionsRequest, MOST};
use crate::notice::RunNotice;
use crate::output::Directions;
use crate::pipeline::human::HumanReviewAnswer;
use crate::pipeline::names::{DIRECTIONS, PLANNER};
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::progress::Progress;
use crate::prompts::{DirectionsPrompt, PromptName};
use crate::workshop::PipelineResources;

/// Purpose of the model call.
const PURPOSE: &str = "directions.propose";

pub(in crate::pipeline) async fn run(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    if state.directions.is_empty() {
        return offer(&workshop, &state, &context, direction_count(&state)).await;
    }
    let request = DirectionsRequest { directions: state.directions.clone(), round: state.directions_round };
    Ok(match context.ask::<HumanReviewAnswer>("directions", &request).await? {
        HumanReviewAnswer::Direct { direction, words } => {
            let decided = RunNotice::PersonDecided { decision: "direct".into() }.text(state.language);
            let update = settled().direction(Some(direction)).direction_words(words).reasoning(vec![decided]);
            Command::update(update).goto([PLANNER])
        }
        HumanReviewAnswer::Reject { feedback } => {
            let titles = state.directions.iter().map(|direction| direction.title.clone());
            let update = PipelineState::update()
                .directions(Vec::new())
                .earlier_titles(state.earlier_titles.iter().cloned().chain(titles).collect())
                .human_feedback(Some(feedback));
            Command::update(update).goto([DIRECTIONS])
        }
        // The author's own words suffice.
        HumanReviewAnswer::Approve | HumanReviewAnswer::Edit { .. } => Command::update(settled()).goto([PLANNER]),
    })
}

/// Returns whether a person must choose a direction before planning: for a new book, once.
pub(in crate::pipeline) fn are_open(state: &PipelineState) -> bool {
    let story = state.story();
    let is_new = story.outline_nodes.is_empty() && story.characters.is_empty();
    direction_count(state) > 0 && is_new && !state.directions_settled
}

fn direction_count(state: &PipelineState) -> u32 {
    state.pipeline_config.directions.min(MOST)
}

fn settled() -> PipelineStateUpdate {
    PipelineState::update().directions_settled(true)
}

/// Asks the model for directions. The fallback for an unusable answer is a warning and a plan from the requirement
/// alone.
async fn offer(
    workshop: &PipelineResources,
    state: &PipelineState,
    context: &Context,
    count: u32,
) -> Result<Command<PipelineState>, NodeError> {
    let directing = DirectionsContext {
        requirement: state.user_requirement.clone(),
        language: state.language,
        count,
        feedback: state.human_feedback.clone(),
        earlier: state.earlier_titles.clone(),
    };
    let names = [PromptName::DIRECTIONS_SYSTEM, PromptName::DIRECTIONS_PROPOSE];
    let round = state.directions_round + 1;
    let asked = CallSpec::of(PLANNER, PURPOSE.into(), round.to_string(), names, 0.9);
    let seat = CallContext { workshop, context, language: state.language, golden: &state.golden_context };
    let language = state.language;
    let check = move |output: &Directions| problems(output, count, language);
    let called = seat.call(asked, &DirectionsPrompt::new(&directing), &directing)?.ask(Some(&check)).await?;
    let error = called.error();
    let update = PipelineState::update().call(called.record).human_feedback(None).directions_round(round);
    Ok(match called.value {
        Some(Directions { directions }) => Command::update(update.directions(directions)).goto([DIRECTIONS]),
        None => {
            let message = RunNotice::DirectionsMissing { error }.text(state.language);
            emit(context, &Progress::Warning { message: message.clone() });
            Command::update(update.warnings(vec![message]).directions_settled(true)).goto([PLANNER])
        }
    })
}

/// Validates an answer; returns problems as text for the model.
fn problems(output: &Directions, count: u32, language: Language) -> Vec<String> {
    let mut problems = Vec::new();
    let words = |zh: String, en: String| if language == Language::Zh { zh } else { en };
    let found = output.directions.len();
    if found < 2 || found > count as usize {
        problems.push(words(
            format!("directions 要有 2～{count} 个，现在是 {found} 个"),
            format!("directions must be 2 to {count}, not {found}"),
        ));
    }
    for (number, direction) in (1..).zip(&output.directions) {
        if direction.title.trim().is_empty() || direction.blurb.trim().is_empty() {
            problems.push(words(
                format!("第 {number} 个方向缺少 title 或 blurb"),
                format!("direction {number} lacks title or blurb"),
            ));
        }
    }
    problems
}
