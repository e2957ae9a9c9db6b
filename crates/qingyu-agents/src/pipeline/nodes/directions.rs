//! The directions node: before planning, the author chooses one of several proposals for the book, if asked for.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Language;

use crate::Workshop;
use crate::call::{Asked, Seat, emit};
use crate::context::Directing;
use crate::direction::{DirectionsRequest, MOST};
use crate::notice::Notice;
use crate::output::Directions;
use crate::pipeline::human::HumanAnswer;
use crate::pipeline::state::{PipelineState, PipelineStateUpdate};
use crate::pipeline::{DIRECTIONS, PLANNER};
use crate::progress::Progress;
use crate::prompts::{DirectionsPrompt, Name};

/// The purpose of the call.
const PURPOSE: &str = "directions.propose";

pub(in crate::pipeline) async fn run(
    workshop: Arc<Workshop>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    if state.directions.is_empty() {
        return offer(&workshop, &state, &context, wanted(&state)).await;
    }
    let request = DirectionsRequest { directions: state.directions.clone(), round: state.directions_round };
    Ok(match context.ask::<HumanAnswer>("directions", &request).await? {
        HumanAnswer::Direct { direction, words } => {
            let decided = Notice::PersonDecided { decision: "direct".into() }.text(state.language);
            let update = settled().direction(Some(direction)).direction_words(words).reasoning(vec![decided]);
            Command::update(update).goto([PLANNER])
        }
        HumanAnswer::Reject { feedback } => {
            let titles = state.directions.iter().map(|direction| direction.title.clone());
            let update = PipelineState::update()
                .directions(Vec::new())
                .earlier_titles(state.earlier_titles.iter().cloned().chain(titles).collect())
                .human_feedback(Some(feedback));
            Command::update(update).goto([DIRECTIONS])
        }
        // The author's own words are enough.
        HumanAnswer::Approve | HumanAnswer::Edit { .. } => Command::update(settled()).goto([PLANNER]),
    })
}

/// Whether a person is to choose a direction before anything is planned: of a new book, once.
pub(in crate::pipeline) fn are_open(state: &PipelineState) -> bool {
    let story = state.story();
    let is_new = story.outline_nodes.is_empty() && story.characters.is_empty();
    wanted(state) > 0 && is_new && !state.directions_settled
}

fn wanted(state: &PipelineState) -> u32 {
    state.pipeline_config.directions.min(MOST)
}

fn settled() -> PipelineStateUpdate {
    PipelineState::update().directions_settled(true)
}

/// Asks the model for directions. If its answer is unusable, warns and plans from the author's requirement alone.
async fn offer(
    workshop: &Workshop,
    state: &PipelineState,
    context: &Context,
    count: u32,
) -> Result<Command<PipelineState>, NodeError> {
    let directing = Directing {
        requirement: state.user_requirement.clone(),
        language: state.language,
        count,
        feedback: state.human_feedback.clone(),
        earlier: state.earlier_titles.clone(),
    };
    let names = [Name::DIRECTIONS_SYSTEM, Name::DIRECTIONS_PROPOSE];
    let round = state.directions_round + 1;
    let asked = Asked::of(PLANNER, PURPOSE.into(), round.to_string(), names, 0.9);
    let seat = Seat { workshop, context, language: state.language, golden: &state.golden_context };
    let language = state.language;
    let check = move |output: &Directions| problems(output, count, language);
    let called = seat.call(asked, &DirectionsPrompt::new(&directing), &directing)?.ask(Some(&check)).await?;
    let error = called.error();
    let update = PipelineState::update().call(called.record).human_feedback(None).directions_round(round);
    Ok(match called.value {
        Some(Directions { directions }) => Command::update(update.directions(directions)).goto([DIRECTIONS]),
        None => {
            let message = Notice::DirectionsMissing { error }.text(state.language);
            emit(context, &Progress::Warning { message: message.clone() });
            Command::update(update.warnings(vec![message]).directions_settled(true)).goto([PLANNER])
        }
    })
}

/// What is wrong with an answer, in words for the model.
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
