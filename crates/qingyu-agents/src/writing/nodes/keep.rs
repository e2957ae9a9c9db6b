//! The node that saves a chapter and its settlement, in one change.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::settlement::{
    Extraction, Settlement, UnsupportedPassage, WithdrawnPiece, mark_unsupported, withdrawn,
};
use qingyu_story::{AuthorInstruction, Document, Provenance, ReadMark, Story};

use crate::Error;
use crate::call::CallRecord;
use crate::progress::ChapterStep;
use crate::writing::accepted::{AcceptedChapter, SettledCounts};
use crate::writing::answered::{settle_answered, unanswered};
use crate::writing::asking::{ChapterWork, ProjectChange, provenance_of, save};
use crate::writing::book::{ChapterInHand, NumberedBook};
use crate::writing::clean::words;
use crate::writing::names::{KEEP, WRITER};
use crate::writing::notice::WritingNotice;
use crate::writing::questions::{About, AuthorQuestion, of_held};
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, HeldReason, Verdict, of_passage};
use crate::writing::settling::{completed, counts, place};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let chapter = work.chapter();
    let instruction = work.instruction();
    let kept = keep(&room, &state, chapter, instruction.clone()).await?;
    let held = state.review_result.iter().flat_map(Verdict::held).cloned();
    let held = held.map(|finding| with_kept_passage(finding, &chapter.instructions, instruction.as_ref()));
    let row = AcceptedChapter {
        chapter: chapter.number,
        title: chapter.title.clone(),
        node: chapter.node.clone(),
        words: words(&state.content_draft, state.language),
        score: state.review_result.as_ref().filter(|verdict| verdict.read).map(|verdict| verdict.score),
        forced: state.review_result.is_some() && !state.review_passed,
        retries: state.retry_count,
        changed: state.content_draft != chapter.text,
        findings: held.collect(),
        read: kept.as_ref().is_some_and(|(_, kept)| kept.is_read),
        ..work.costs()
    };
    let Some((version, stored)) = kept else {
        work.warn(&WritingNotice::DraftKept { title: &chapter.title });
        let document = chapter.base.as_ref().map(|base| base.document.clone()).unwrap_or_default();
        let id = format!("q-{}-draft", chapter.number);
        let about = About::DraftKept { document, text: state.content_draft.clone() };
        let question = AuthorQuestion { id, chapter: chapter.number, title: chapter.title.clone(), about };
        let extraction = [(chapter.number, state.extraction.clone())].into();
        work.write(|update| update.questions(vec![question]).extractions(extraction));
        let row = AcceptedChapter { changed: false, ..row };
        return Ok(Command::update(work.update.accepted(vec![row])));
    };
    let StoredChapter { document, extraction, settlement, mut questions, withdrawn, unsupported, .. } = stored;
    let counts: SettledCounts = counts(&settlement, &extraction);
    work.warn_of_settlement(&settlement, &withdrawn);
    work.reason(&WritingNotice::Settled { counts });
    work.tell(ChapterStep::Settled { version, counts });
    let outside = row.findings.iter().filter(|finding| finding.held == Some(HeldReason::OutsidePart));
    let outside: Vec<&str> = outside.map(|finding| finding.title.as_str()).collect();
    if !outside.is_empty() {
        work.warn(&WritingNotice::OutsidePart { titles: &outside });
    }
    if !questions.is_empty() {
        let extraction = [(chapter.number, extraction)].into();
        work.write(|update| update.extractions(extraction));
    }
    let held = of_held(&row.findings, (chapter.number, &chapter.title), &document);
    questions.extend(unanswered(held, &chapter.answers, &state.content_draft));
    if !questions.is_empty() {
        work.write(|update| update.questions(questions));
    }
    let mut findings = row.findings.clone();
    let is_new = |found: &ChapterFinding| row.findings.iter().all(|known| known.id != found.id);
    let contradictions = state.contradictions.iter().filter(|found| found.is_contradiction() && is_new(found));
    let contradictions: Vec<ChapterFinding> = contradictions.cloned().collect();
    if !contradictions.is_empty() {
        work.warn(&WritingNotice::Contradicts { findings: &contradictions });
    }
    findings.extend(contradictions);
    findings.extend(unsupported.iter().map(|passage| of_passage(passage, state.language)));
    let row = AcceptedChapter { document, version, settled: counts, findings, ..row };
    Ok(Command::update(work.update.accepted(vec![row])))
}

/// A saved chapter.
struct StoredChapter {
    document: String,
    /// Facts from the reading model and the rules.
    extraction: Extraction,
    settlement: Settlement,
    /// The questions of the settlement.
    questions: Vec<AuthorQuestion>,
    /// Pieces of an earlier settlement that the new text no longer tells.
    withdrawn: Vec<WithdrawnPiece>,
    /// Sentences of later chapters that rest on what the new text no longer tells.
    unsupported: Vec<UnsupportedPassage>,
    /// Whether a model has read the text.
    is_read: bool,
}

/// Saves the chapter with the instruction that it carries out, on top of the project's newest version; returns `None` if
/// the author changed the text meanwhile.
async fn keep(
    room: &WritingResources,
    state: &WritingState,
    chapter: &ChapterInHand,
    instruction: Option<AuthorInstruction>,
) -> Result<Option<(u64, StoredChapter)>, Error> {
    let unfit = |source| Error::Unfit { chapter: chapter.number, source };
    save(room, |story| {
        if is_theirs(story, chapter, &state.content_draft) {
            return Ok(None);
        }
        let mut placed = place(story, chapter, &state.content_draft).map_err(unfit)?;
        let document = placed.document.clone();
        let mut extraction = completed(&placed.story, &document, &state.extraction).map_err(unfit)?;
        let of = (chapter.number, chapter.title.as_str());
        let (settlement, questions) =
            settle_answered(&mut placed.story, &document, &mut extraction, of).map_err(unfit)?;
        let is_read = mark_read(&mut placed.story, &document, state.read_by.as_deref());
        if let Some(verdict) = state.review_result.as_ref().filter(|verdict| verdict.read) {
            remark(&mut placed.story, &document, verdict);
        }
        if let Some(verdict) = &state.review_result {
            dispute(&mut placed.story, &document, verdict);
        }
        if let Some(instruction) = &instruction {
            instruct(&mut placed.story, &document, instruction);
        }
        // A correction leaves every other sentence as it is.
        if matches!(state.task, WritingTask::Correct { .. })
            && let Some(document) = document_of(&mut placed.story, &document)
        {
            document.move_passages(&chapter.text);
        }
        let key = state.save_key(&format!("chapter/{}", chapter.number));
        let withdrawn = withdrawn(story, &placed.story, &document);
        let unsupported = mark_unsupported(story, &mut placed.story);
        let made = StoredChapter { document, extraction, settlement, questions, withdrawn, unsupported, is_read };
        Ok(Some(ProjectChange { after: placed.story, key, provenance: provenance(state, chapter), made }))
    })
    .await
}

fn document_of<'s>(story: &'s mut Story, id: &str) -> Option<&'s mut Document> {
    story.documents.iter_mut().find(|document| document.id == id)
}

/// Marks the document as read by `model`, if any; returns whether it was marked.
pub(super) fn mark_read(story: &mut Story, document: &str, model: Option<&str>) -> bool {
    let Some(model) = model else { return false };
    let Some(document) = document_of(story, document) else { return false };
    document.read = Some(ReadMark::new(document, model));
    true
}

/// Stores the unfixed issues of the last review in the document.
pub(super) fn remark(story: &mut Story, document: &str, verdict: &Verdict) {
    if let Some(document) = document_of(story, document) {
        document.remarks = verdict.remarks(&document.text);
    }
}

/// Stores the objections of the agent to findings of the last review in the document.
pub(super) fn dispute(story: &mut Story, document: &str, verdict: &Verdict) {
    if let Some(document) = document_of(story, document) {
        verdict.disputes().for_each(|dispute| document.dispute(dispute));
    }
}

/// Returns a finding held by the instruction of this run with the passage that is kept with the document; fixes may have
/// changed the beginning of the passage since the review.
fn with_kept_passage(
    mut finding: ChapterFinding,
    known: &[AuthorInstruction],
    new: Option<&AuthorInstruction>,
) -> ChapterFinding {
    if let (Some(HeldReason::Instruction { instruction, passage, kind }), Some(new)) = (&mut finding.held, new) {
        let reason = AuthorInstruction { text: instruction.clone(), passage: passage.clone(), kind: *kind };
        if reason.text.trim() == new.text.trim() && !known.iter().any(|known| known.is_same(&reason)) {
            passage.clone_from(&new.passage);
        }
    }
    finding
}

/// Keeps the instruction of a rewrite with the document, for later corrections.
fn instruct(story: &mut Story, document: &str, instruction: &AuthorInstruction) {
    if let Some(document) = document_of(story, document) {
        document.instruct(instruction.clone());
    }
}

/// Returns whether the chapter was edited concurrently: its text is neither the original nor the draft.
pub(super) fn is_theirs(story: &Story, chapter: &ChapterInHand, draft: &str) -> bool {
    match &chapter.base {
        Some(base) => {
            let document = story.documents.iter().find(|document| document.id == base.document);
            document.is_none_or(|document| document.text != chapter.text && document.text != draft)
        }
        None => {
            let book = NumberedBook::of(story);
            let number = (1..=book.len()).find(|number| book.node(*number).is_some_and(|node| node.id == chapter.node));
            let document = number.and_then(|number| book.document(number));
            document.is_some_and(|document| !document.text.trim().is_empty() && document.text != draft)
        }
    }
}

/// Returns the author of a chapter: the prompt and model of the last call for prose, and the tokens of all calls made for the
/// chapter since its work began.
pub(super) fn provenance(state: &WritingState, chapter: &ChapterInHand) -> Provenance {
    let calls = state.messages.get(chapter.calls_before..).unwrap_or_default();
    // Calls of concurrently read chapters are interleaved.
    let own = || calls.iter().rev().filter(|call| call.chapter == Some(chapter.number));
    let written = own().find(|call| call.agent == WRITER).or_else(|| own().next());
    Provenance {
        prompt_hash: written.map(|call| call.prompt_hash.clone()),
        model: written.map(|call| call.model.clone()),
        tokens: own().map(CallRecord::tokens).sum(),
        ..provenance_of(state, WRITER, KEEP, chapter.title.clone())
    }
}
