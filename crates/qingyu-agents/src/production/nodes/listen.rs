//! Waits for the user, and goes where they want.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::context::Who;
use crate::production::desk::Desk;
use crate::production::order::Order;
use crate::production::state::Spoken;
use crate::production::{ContentProductionState, ProductionRoom, carry_out};

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let order: Order = context.ask("said", &state.turn).await?;
    let mut desk = Desk::new(&room, &state, &context);
    // The project may have been changed while the run waited.
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    let phase = desk.state.current_phase.clone();
    let said = [(Who::Agent, Some(state.turn.text.as_str())), (Who::User, order.words())];
    let said = said.into_iter().filter_map(|(who, text)| {
        let text = text.filter(|text| !text.trim().is_empty())?.to_owned();
        Some(Spoken { who, text, phase: phase.clone() })
    });
    let said = said.collect();
    desk.write(|update| update.messages(said).waiting_for_human(false));
    carry_out::carry_out(desk, &story, order).await
}
