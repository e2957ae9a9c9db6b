//! Looks at the project, and does what the run was begun with.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::production::desk::Desk;
use crate::production::{ContentProductionState, ENTER, ProductionRoom, carry_out};

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    match state.order.clone() {
        Some(order) => carry_out::carry_out(desk, &story, order).await,
        None => Ok(desk.goto(ENTER)),
    }
}
