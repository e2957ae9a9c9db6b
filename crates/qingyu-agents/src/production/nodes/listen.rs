//! The node that waits for the user, and routes the answer.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::carry_out;
use crate::production::context::Who;
use crate::production::desk::ProductionNode;
use crate::production::order::{Asks, Order};
use crate::production::resources::ProductionResources;
use crate::production::state::{ContentProductionState, Spoken};

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let order: Order = context.ask("said", &state.turn).await?;
    let mut desk = ProductionNode::new(&room, &state, &context);
    // The project may have changed while the run waited.
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    let phase = desk.state.current_phase.clone();
    // An error message in the conversation would only confuse the next model.
    let told = Some(state.turn.text.as_str()).filter(|_| !state.turn.is_error && !state.turn.is_refusal);
    let said = [(Who::Agent, told), (Who::User, order.words())];
    let said = said.into_iter().filter_map(|(who, text)| {
        let text = text.filter(|text| !text.trim().is_empty())?.to_owned();
        Some(Spoken { who, text, phase: phase.clone() })
    });
    let said = said.collect();
    // The user has read the errors before answering.
    desk.write(|update| update.messages(said).waiting_for_human(false).errors_told(state.errors.len()));
    // Approval of a proposal is the order that was proposed.
    let order = match (order, state.turn.asks, state.turn.proposal.clone()) {
        (Order::Advance, Asks::Agree, Some(proposal)) => *proposal,
        (order, _, _) => order,
    };
    carry_out::carry_out(desk, &story, order).await
}
