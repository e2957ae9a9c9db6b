//! Reviews one of several chapters that are read. It runs once for each of them, side by side.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};

use crate::writing::asking::Work;
use crate::writing::nodes::{retrieval, review};
use crate::writing::reading::ChapterInReading;
use crate::writing::{WritingRoom, WritingState, WritingStateUpdate};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<WritingStateUpdate, NodeError> {
    let number: u32 = context.payload()?;
    let Some(reading) = state.readings.get(&number) else { return Ok(WritingState::update()) };
    let own = reading.state(&state);
    let mut gathering = Work::reading(&room, &own, &context);
    let card = retrieval::gathered(&mut gathering).await?.card;
    let own = WritingState { retrieved_context: card, ..own.clone() };
    let mut work = Work { state: &own, ..gathering };
    work.spent = reading.spent;
    let (verdict, review) = review::read(&mut work).await?;
    let reading = ChapterInReading { verdict: Some(verdict), review, spent: work.spent, ..reading.clone() };
    Ok(work.update.readings([(number, reading)].into()))
}
