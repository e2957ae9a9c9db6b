//! Asks the next question of the interview.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::context::{Interviewing, Who};
use crate::production::desk::Desk;
use crate::production::material;
use crate::production::notice::Notice;
use crate::production::order::{Asks, Turn};
use crate::production::{ContentProductionState, ProductionRoom};
use crate::prompts::Name;

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let conversation = state.lines_of(&state.current_phase);
    let asked = conversation.iter().filter(|line| line.who == Who::Agent).count();
    let asking = desk
        .see(|story| Interviewing {
            language: state.language,
            template: material::template(story),
            premise: story.premise.clone(),
            conversation,
            wanted: material::wanted(story, &state.current_phase),
            asked,
        })
        .await?;
    let spoken = desk.speak("interview", Name::PRODUCTION_INTERVIEW, 0.6, &asking).await?;
    let text = spoken.unwrap_or_else(|error| Notice::InterviewFailed { error: &error }.text(state.language));
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, asks: Asks::Answer, text, ..Turn::default() }))
}
