//! The node at the end of a phase: continues automatically, or waits for the user.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::FieldBoard;
use qingyu_story::production::Autonomy;

use crate::production::carry_out::confirm_phase;
use crate::production::desk::{ProductionNode, current};
use crate::production::names::ENTER;
use crate::production::notice::ProductionNotice;
use crate::production::order::{Asks, Turn};
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
    let Some((phase, paths)) = current(&story).filter(|_| !desk.has_gone_on(&story)) else {
        return Ok(desk.goto(ENTER));
    };
    let board = FieldBoard::new(&story.fields);
    let gaps = paths.iter().filter_map(|path| board.get(path)).filter(|field| field.is_empty()).map(|field| {
        let why = state.work.failed.get(&field.path).cloned();
        (
            field.title.clone(),
            why.unwrap_or_else(|| ProductionNotice::NoValue { title: &field.title }.text(state.language)),
        )
    });
    let gaps: Vec<(String, String)> = gaps.collect();
    // Missing fields are never skipped automatically: a person decides.
    if phase.autonomy == Autonomy::Auto && gaps.is_empty() {
        return confirm_phase(desk, &phase).await;
    }
    let title = &phase.title;
    let notice = match (gaps.is_empty(), paths.len()) {
        (false, _) => ProductionNotice::PhaseHasGaps { title, failed: &gaps },
        (true, 0) => ProductionNotice::PhaseHasNothing { title },
        (true, made) => ProductionNotice::PhaseDone { title, made },
    };
    let text = notice.text(desk.language());
    Ok(desk.listen(Turn { phase: phase.name, asks: Asks::Confirm, text, fields: paths, ..Turn::default() }))
}
