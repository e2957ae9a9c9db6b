//! Reads what one of several chapters says to be so. It runs once for each of them, side by side.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};

use crate::writing::asking::Work;
use crate::writing::nodes::settle::extracted;
use crate::writing::notice::Notice;
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
    let mut work = Work::reading(&room, &own, &context);
    let extracted = extracted(&mut work).await?;
    let mut reading = ChapterInReading { spent: work.spent, ..reading.clone() };
    match extracted {
        Ok((extraction, model)) => {
            reading.extraction = extraction;
            reading.read_by = Some(model);
        }
        Err(trouble) => {
            work.warn(&Notice::ExtractionMissing { error: &trouble.message });
            reading.trouble = Some(trouble);
        }
    }
    Ok(work.update.readings([(number, reading)].into()))
}
