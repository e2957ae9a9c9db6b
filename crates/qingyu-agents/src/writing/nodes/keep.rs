//! Keeps a chapter and what is settled from it, in one change.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::settlement::{Extraction, Settlement};
use qingyu_story::{ReadMark, Story};
use qingyu_tools::workspace::Provenance;

use crate::Error;
use crate::progress::ChapterStep;
use crate::writing::asking::{Change, Work, save};
use crate::writing::book::{Book, ChapterInHand};
use crate::writing::clean::words;
use crate::writing::notice::Notice;
use crate::writing::questions::{About, AuthorQuestion, of_settlement};
use crate::writing::review::Verdict;
use crate::writing::settling::{completed, counts, place, settle_in};
use crate::writing::state::{AcceptedChapter, SettledCounts};
use crate::writing::{KEEP, WRITER, WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let chapter = work.chapter();
    let kept = keep(&room, &state, chapter).await?;
    let row = AcceptedChapter {
        chapter: chapter.number,
        title: chapter.title.clone(),
        node: chapter.node.clone(),
        words: words(&state.content_draft),
        score: state.review_result.as_ref().filter(|verdict| verdict.read).map(|verdict| verdict.score),
        forced: state.review_result.is_some() && !state.review_passed,
        retries: state.retry_count,
        changed: state.content_draft != chapter.text,
        read: kept.as_ref().is_some_and(|(_, kept)| kept.is_read),
        calls: u32::try_from(state.messages.len() - chapter.calls_before).unwrap_or(u32::MAX),
        tokens: state.tokens_used - chapter.spent_before.0,
        cost_micros: state.cost_micros - chapter.spent_before.1,
        ..AcceptedChapter::default()
    };
    let Some((version, Kept { document, extraction, settlement, .. })) = kept else {
        work.warn(&Notice::DraftKept { title: &chapter.title });
        let document = chapter.base.as_ref().map(|base| base.document.clone()).unwrap_or_default();
        let id = format!("q-{}-draft", chapter.number);
        let about = About::DraftKept { document, text: state.content_draft.clone() };
        let question = AuthorQuestion { id, chapter: chapter.number, title: chapter.title.clone(), about };
        let extraction = [(chapter.number, state.extraction.clone())].into();
        work.write(|update| update.questions(vec![question]).extractions(extraction));
        let row = AcceptedChapter { changed: false, ..row };
        return Ok(Command::update(work.update.accepted(vec![row])));
    };
    let counts: SettledCounts = counts(&settlement, &extraction);
    if counts.rejected > 0 {
        work.warn(&Notice::Rejected { count: counts.rejected });
    }
    work.reason(&Notice::Settled { counts });
    work.tell(ChapterStep::Settled { version, counts });
    let questions = of_settlement(&settlement.questions, chapter.number, &chapter.title);
    if !questions.is_empty() {
        let extraction = [(chapter.number, extraction)].into();
        work.write(|update| update.questions(questions).extractions(extraction));
    }
    let row = AcceptedChapter { document, version, settled: counts, ..row };
    Ok(Command::update(work.update.accepted(vec![row])))
}

/// What was kept.
struct Kept {
    document: String,
    /// What was settled: what the reader told and the rules found.
    extraction: Extraction,
    settlement: Settlement,
    /// Whether a model has read the text.
    is_read: bool,
}

/// Saves the chapter on top of whatever the project is by now; nothing if the author changed its text meanwhile.
async fn keep(room: &WritingRoom, state: &WritingState, chapter: &ChapterInHand) -> Result<Option<(u64, Kept)>, Error> {
    let unfit = |source| Error::Unfit { chapter: chapter.number, source };
    save(room, |story| {
        if is_theirs(story, chapter, &state.content_draft) {
            return Ok(None);
        }
        let mut placed = place(story, chapter, &state.content_draft).map_err(unfit)?;
        let document = placed.document.clone();
        let extraction = completed(&placed.story, &document, &state.extraction).map_err(unfit)?;
        let settlement = settle_in(&mut placed.story, &document, &extraction).map_err(unfit)?;
        let is_read = mark_read(&mut placed.story, &document, state.read_by.as_deref());
        if let Some(verdict) = state.review_result.as_ref().filter(|verdict| verdict.read) {
            remark(&mut placed.story, &document, verdict);
        }
        let key = format!("{}/chapter/{}", state.run_id, chapter.number);
        let made = Kept { document, extraction, settlement, is_read };
        Ok(Some(Change { after: placed.story, key, provenance: provenance(state, chapter), made }))
    })
    .await
}

/// Marks the document as read by the model that has read it, if one has.
pub(super) fn mark_read(story: &mut Story, document: &str, model: Option<&str>) -> bool {
    let Some(model) = model else { return false };
    let Some(document) = story.documents.iter_mut().find(|other| other.id == document) else { return false };
    document.read = Some(ReadMark::new(document, model));
    true
}

/// Stores the unmended issues of the last review on the document.
pub(super) fn remark(story: &mut Story, document: &str, verdict: &Verdict) {
    if let Some(document) = story.documents.iter_mut().find(|other| other.id == document) {
        document.remarks = verdict.remarks(&document.text);
    }
}

/// Whether the text of the chapter is neither the one that the work began with nor the draft: somebody wrote it meanwhile.
pub(super) fn is_theirs(story: &Story, chapter: &ChapterInHand, draft: &str) -> bool {
    match &chapter.base {
        Some(base) => {
            let document = story.documents.iter().find(|document| document.id == base.document);
            document.is_none_or(|document| document.text != chapter.text && document.text != draft)
        }
        None => {
            let book = Book::of(story);
            let number = (1..=book.len()).find(|number| book.node(*number).is_some_and(|node| node.id == chapter.node));
            let document = number.and_then(|number| book.document(number));
            document.is_some_and(|document| !document.text.trim().is_empty() && document.text != draft)
        }
    }
}

/// Who wrote the chapter, with which prompt and model.
pub(super) fn provenance(state: &WritingState, chapter: &ChapterInHand) -> Provenance {
    let calls = state.messages.get(chapter.calls_before..).unwrap_or_default();
    // Chapters that are read side by side make their calls among each other.
    let own = || calls.iter().rev().filter(|call| call.chapter == Some(chapter.number));
    let written = own().find(|call| call.agent == WRITER).or_else(|| own().next());
    Provenance {
        agent: WRITER.into(),
        tool: KEEP.into(),
        run: Some(state.run_id.clone()).filter(|run| !run.is_empty()),
        prompt_hash: written.map(|call| call.prompt_hash.clone()),
        model: written.map(|call| call.model.clone()),
        note: chapter.title.clone(),
    }
}
