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
            template: story.production.as_ref().map(|production| production.template.clone()).unwrap_or_default(),
            premise: story.premise.clone(),
            conversation,
            wanted: material::wanted(story, &state.current_phase),
            asked,
        })
        .await?;
    let names = [Name::PRODUCTION_SYSTEM, Name::PRODUCTION_INTERVIEW];
    let call = desk.seat().call(desk.asked("interview", String::new(), names, 0.6), &asking, &asking)?;
    let text = match desk.counted(call.write().await?) {
        Ok(written) => written.text,
        Err(error) => Notice::InterviewFailed { error: &error }.text(desk.language()),
    };
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, asks: Asks::Answer, text, ..Turn::default() }))
}
