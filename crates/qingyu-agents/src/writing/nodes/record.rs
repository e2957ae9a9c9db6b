//! The node that inserts facts from several chapters into the story, in the order of the book.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::settlement::{mark_unsupported, withdrawn};

use crate::Error;
use crate::writing::answered::settle_answered;
use crate::writing::asking::{ChapterWork, ProjectChange, save};
use crate::writing::names::{ASSESS, ERROR_HANDLER};
use crate::writing::nodes::keep::{is_theirs, provenance};
use crate::writing::notice::WritingNotice;
use crate::writing::reading::ChapterInReading;
use crate::writing::resources::WritingResources;
use crate::writing::settling::{completed, counts, place};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;
use crate::writing::trouble::TroubleCode;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    // A reading task without a capable model fails; a reading before other work is skipped.
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

/// Saves the facts from one chapter on top of the project's newest version, unless the chapter was edited meanwhile.
async fn settle(
    room: &WritingResources,
    state: &WritingState,
    reading: &mut ChapterInReading,
    work: &mut ChapterWork<'_>,
) -> Result<(), Error> {
    let chapter = &reading.chapter;
    let unfit = |source| Error::Unfit { chapter: chapter.number, source };
    let saved = save(room, |story| {
        if is_theirs(story, chapter, &chapter.text) {
            return Ok(None);
        }
        let mut placed = place(story, chapter, &chapter.text).map_err(unfit)?;
        let mut extraction = completed(&placed.story, &placed.document, &reading.extraction).map_err(unfit)?;
        let of = (chapter.number, chapter.title.as_str());
        let (settlement, questions) =
            settle_answered(&mut placed.story, &placed.document, &mut extraction, of).map_err(unfit)?;
        let key = format!("{}/reading/{}", state.run_id, chapter.number);
        let withdrawn = withdrawn(story, &placed.story, &placed.document);
        // Facts that an edit seemed to remove may still be told, and facts that it seemed to keep may be gone.
        mark_unsupported(story, &mut placed.story);
        let made = (extraction, settlement, questions, withdrawn);
        Ok(Some(ProjectChange { after: placed.story, key, provenance: provenance(state, chapter), made }))
    });
    let Some((_, (extraction, settlement, questions, withdrawn))) = saved.await? else {
        work.warn(&WritingNotice::DraftKept { title: &chapter.title });
        reading.changed = true;
        return Ok(());
    };
    reading.settled = counts(&settlement, &extraction);
    work.warn_of_settlement(&settlement, &withdrawn);
    if !questions.is_empty() {
        let extraction = [(chapter.number, extraction)].into();
        work.write(|update| update.questions(questions).extractions(extraction));
    }
    Ok(())
}
