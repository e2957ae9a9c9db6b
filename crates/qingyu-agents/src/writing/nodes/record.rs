//! Puts what was read from several chapters into the story, in the order of the book.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::Error;
use crate::writing::asking::{Change, Work, save};
use crate::writing::nodes::keep::{is_theirs, provenance};
use crate::writing::notice::Notice;
use crate::writing::questions::of_settlement;
use crate::writing::reading::ChapterInReading;
use crate::writing::settling::{completed, counts, place, settle_in};
use crate::writing::state::TroubleCode;
use crate::writing::task::WritingTask;
use crate::writing::{ASSESS, ERROR_HANDLER, WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    // A reading that nobody can do is none; where it only comes before other work, that work goes on without it.
    let cannot = |reading: &&ChapterInReading| {
        reading.trouble.as_ref().is_some_and(|trouble| trouble.code == TroubleCode::CannotWrite)
    };
    let is_asked_for = matches!(state.task, WritingTask::Read { .. });
    if let Some(reading) = state.readings.values().find(cannot).filter(|_| is_asked_for) {
        let mut trouble = reading.trouble.clone().unwrap_or_default();
        trouble.code = TroubleCode::CannotRead;
        return Ok(Command::update(work.update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
    }
    let mut readings = state.readings.clone();
    for reading in readings.values_mut() {
        settle(&room, &state, reading, &mut work).await?;
    }
    let numbers: Vec<u32> = readings.keys().copied().collect();
    let command = Command::update(work.update.readings(readings));
    Ok(numbers.into_iter().fold(command, |command, number| command.send(ASSESS, number)))
}

/// Saves what was read from one chapter on top of whatever the project is by now, unless its text changed meanwhile.
async fn settle(
    room: &WritingRoom,
    state: &WritingState,
    reading: &mut ChapterInReading,
    work: &mut Work<'_>,
) -> Result<(), Error> {
    let chapter = &reading.chapter;
    let unfit = |source| Error::Unfit { chapter: chapter.number, source };
    let saved = save(room, |story| {
        if is_theirs(story, chapter, &chapter.text) {
            return Ok(None);
        }
        let mut placed = place(story, chapter, &chapter.text).map_err(unfit)?;
        let extraction = completed(&placed.story, &placed.document, &reading.extraction).map_err(unfit)?;
        let settlement = settle_in(&mut placed.story, &placed.document, &extraction).map_err(unfit)?;
        let key = format!("{}/reading/{}", state.run_id, chapter.number);
        let made = (extraction, settlement);
        Ok(Some(Change { after: placed.story, key, provenance: provenance(state, chapter), made }))
    });
    let Some((_, (extraction, settlement))) = saved.await? else {
        work.warn(&Notice::DraftKept { title: &chapter.title });
        reading.changed = true;
        return Ok(());
    };
    reading.settled = counts(&settlement, &extraction);
    if reading.settled.rejected > 0 {
        work.warn(&Notice::Rejected { count: reading.settled.rejected });
    }
    let questions = of_settlement(&settlement.questions, chapter.number, &chapter.title);
    if !questions.is_empty() {
        let extraction = [(chapter.number, extraction)].into();
        work.write(|update| update.questions(questions).extractions(extraction));
    }
    Ok(())
}
