//! The node that chats with the user.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::context::ChatContext;
use crate::production::desk::ProductionNode;
use crate::production::material;
use crate::production::notice::ProductionNotice;
use crate::production::order::{Order, Turn};
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::prompts::PromptName;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let text = state.order.as_ref().and_then(Order::words).unwrap_or_default().to_owned();
    let mut conversation = state.lines(state.config.conversation_lines);
    // The last line is the question to answer.
    conversation.pop();
    let chatting = desk
        .see(|story| ChatContext {
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
    let spoken = desk.speak("chat", PromptName::PRODUCTION_CHAT, 0.7, &chatting).await?;
    let is_error = spoken.is_err();
    let text = spoken.unwrap_or_else(|error| ProductionNotice::ChatFailed { error: &error }.text(state.language));
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, text, is_error, ..Turn::default() }))
}
