//! The node that reviews one of several chapters being read; runs concurrently, once for each.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};

use crate::writing::asking::ChapterWork;
use crate::writing::nodes::{retrieval, review};
use crate::writing::reading::ChapterInReading;
use crate::writing::resources::WritingResources;
use crate::writing::state::{WritingState, WritingStateUpdate};

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<WritingStateUpdate, NodeError> {
    let number: u32 = context.payload()?;
    let Some(reading) = state.readings.get(&number) else { return Ok(WritingState::update()) };
    let own = state.narrow_to(reading);
    let mut gathering = ChapterWork::reading(&room, &own, &context);
    let card = retrieval::gathered(&mut gathering).await?.card;
    let own = WritingState { retrieved_context: card, ..own.clone() };
    let mut work = ChapterWork { state: &own, ..gathering };
    work.spent = reading.spent;
    let (verdict, review) = review::read(&mut work).await?;
    let reading = ChapterInReading { verdict: Some(verdict), review, spent: work.spent, ..reading.clone() };
    Ok(work.update.readings([(number, reading)].into()))
}
