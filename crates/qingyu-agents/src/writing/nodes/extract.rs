//! The node that extracts facts from one of several chapters; runs concurrently, once for each.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};

use crate::writing::asking::ChapterWork;
use crate::writing::nodes::settle::extracted;
use crate::writing::notice::WritingNotice;
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
    let mut work = ChapterWork::reading(&room, &own, &context);
    let extracted = extracted(&mut work).await?;
    let mut reading = ChapterInReading { spent: work.spent, ..reading.clone() };
    match extracted {
        Ok((extraction, model)) => {
            reading.extraction = extraction;
            reading.read_by = Some(model);
        }
        Err(trouble) => {
            work.warn(&WritingNotice::ExtractionMissing { error: &trouble.message });
            reading.trouble = Some(trouble);
        }
    }
    Ok(work.update.readings([(number, reading)].into()))
}
