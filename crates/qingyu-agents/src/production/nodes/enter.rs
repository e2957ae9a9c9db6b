//! The node that enters the next phase.

use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_production::FieldBoard;
use qingyu_story::production::{Autonomy, PhaseKind};

use crate::production::carry_out::{node_of, work_on};
use crate::production::desk::{ProductionNode, current};
use crate::production::names::{CHECKPOINT, INTERVIEW};
use crate::production::notice::ProductionNotice;
use crate::production::order::Turn;
use crate::production::resources::ProductionResources;
use crate::production::state::{ContentProductionState, Work};

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    let Some((phase, paths)) = current(&story) else {
        let text = ProductionNotice::AllDone.text(desk.language());
        desk.write(|update| update.turn(Turn { text, ..Turn::default() }).order(None));
        return Ok(desk.goto(END));
    };
    desk.enter(&phase);
    desk.reason(&ProductionNotice::Entered { title: &phase.title });
    let board = FieldBoard::new(&story.fields);
    let wanted: Vec<String> = board.open(&phase.name, true).into_iter().collect();
    let is_made = wanted.is_empty() && !paths.is_empty();
    let node = match (phase.kind, phase.autonomy) {
        _ if is_made => CHECKPOINT,
        (PhaseKind::Interview, Autonomy::Wait) => INTERVIEW,
        (PhaseKind::Make, _) if wanted.is_empty() => CHECKPOINT,
        (kind, _) => node_of(kind),
    };
    Ok(work_on(desk, Work { wanted, is_phase: true, ..Work::default() }, node))
}
