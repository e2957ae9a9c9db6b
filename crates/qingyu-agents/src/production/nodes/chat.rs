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
            template: story.production.as_ref().map(|production| production.template.clone()).unwrap_or_default(),
            premise: story.premise.clone(),
            sources: material::sources(story, state.work.wanted.iter().map(String::as_str), state.config.source_tokens),
            text,
            phase: state.current_phase.clone(),
            fields: material::field_lines(story),
            conversation,
        })
        .await?;
    let names = [Name::PRODUCTION_SYSTEM, Name::PRODUCTION_CHAT];
    let call = desk.seat().call(desk.asked("chat", String::new(), names, 0.7), &chatting, &chatting)?;
    let text = match desk.counted(call.write().await?) {
        Ok(written) => written.text,
        Err(error) => Notice::ChatFailed { error: &error }.text(desk.language()),
    };
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, text, ..Turn::default() }))
}
