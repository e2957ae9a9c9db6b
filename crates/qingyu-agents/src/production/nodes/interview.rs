//! The node that asks the next interview question.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::context::{InterviewContext, Who};
use crate::production::desk::ProductionNode;
use crate::production::material;
use crate::production::notice::ProductionNotice;
use crate::production::order::{Asks, Turn};
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::prompts::PromptName;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let conversation = state.lines_of(&state.current_phase);
    let asked = conversation.iter().filter(|line| line.who == Who::Agent).count();
    let asking = desk
        .see(|story| InterviewContext {
            language: state.language,
            template: material::template(story),
            premise: story.premise.clone(),
            conversation,
            wanted: material::wanted(story, &state.current_phase),
            asked,
        })
        .await?;
    let spoken = desk.speak("interview", PromptName::PRODUCTION_INTERVIEW, 0.6, &asking).await?;
    let is_error = spoken.is_err();
    let text = spoken.unwrap_or_else(|error| ProductionNotice::InterviewFailed { error: &error }.text(state.language));
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, asks: Asks::Answer, text, is_error, ..Turn::default() }))
}
