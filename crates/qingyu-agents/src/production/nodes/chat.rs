//! Talks.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::context::Chatting;
use crate::production::desk::Desk;
use crate::production::material;
use crate::production::notice::Notice;
use crate::production::order::{Order, Turn};
use crate::production::{ContentProductionState, ProductionRoom};
use crate::prompts::Name;

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let text = state.order.as_ref().and_then(Order::words).unwrap_or_default().to_owned();
    let mut conversation = state.lines(state.config.conversation_lines);
    // The last line is what is answered.
    conversation.pop();
    let chatting = desk
        .see(|story| Chatting {
            language: state.language,
            template: material::template(story),
            premise: story.premise.clone(),
            sources: material::sources(story, state.work.wanted.iter().map(String::as_str), state.config.source_tokens),
            text,
            phase: state.current_phase.clone(),
            fields: material::field_lines(story),
            conversation,
        })
        .await?;
    let spoken = desk.speak("chat", Name::PRODUCTION_CHAT, 0.7, &chatting).await?;
    let text = spoken.unwrap_or_else(|error| Notice::ChatFailed { error: &error }.text(state.language));
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, text, ..Turn::default() }))
}
