//! Thin for now.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::writing::FINALIZE;
use crate::writing::{WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    _room: Arc<WritingRoom>,
    _state: Arc<WritingState>,
    _context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let command = Command::update(WritingState::update());
    Ok(command.goto([FINALIZE]))
}
