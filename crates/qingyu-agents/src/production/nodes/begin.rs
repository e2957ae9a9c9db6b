//! The node that loads the project and executes the run's initial order.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::sizes;
use qingyu_story::Story;

use crate::production::carry_out;
use crate::production::desk::ProductionNode;
use crate::production::names::ENTER;
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    // The sizes in the premise were applied when the project was created; here they are only reported to the user.
    if state.order.is_none() && state.messages.is_empty() {
        let asked = sizes::take(&mut Story::clone(&story), &story.premise, &[], false);
        carry_out::tell_sizes(&mut desk, &asked);
    }
    match state.order.clone() {
        Some(order) => carry_out::carry_out(desk, &story, order).await,
        None => Ok(desk.goto(ENTER)),
    }
}
