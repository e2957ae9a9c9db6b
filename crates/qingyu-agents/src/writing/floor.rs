//! The floor: minimum requirements for a draft, whatever a reviewer says.

use qingyu_graph::NodeError;
use qingyu_text::{ChapterCandidate, Shortfall};

use super::asking::{ChapterWork, known_by, load};
use super::book::{ChapterInHand, NumberedBook};
use super::review::{ChapterFinding, Verdict};
use super::state::WritingState;
use super::task::WritingTask;
use crate::Error;

/// Returns the shortfalls of this run's draft, as a stored step, so that a resumed run ignores concurrent edits.
pub(super) async fn shortfalls(work: &ChapterWork<'_>, draft: &str) -> Result<Vec<Shortfall>, NodeError> {
    examined(work, candidate(work.state, work.chapter(), draft)).await
}

/// Returns the shortfalls of the author's own text, as a stored step; any length is allowed.
pub(super) async fn shortfalls_of_text(work: &ChapterWork<'_>, text: &str) -> Result<Vec<Shortfall>, NodeError> {
    examined(work, ChapterCandidate { text, language: work.state.language, words: None, is_whole: true }).await
}

async fn examined(work: &ChapterWork<'_>, candidate: ChapterCandidate<'_>) -> Result<Vec<Shortfall>, NodeError> {
    let (room, state, chapter) = (work.room, work.state, work.chapter());
    let examine = || async move {
        let (story, _) = load(room).await?;
        let book = NumberedBook::of(&story);
        let others = (1..=book.len()).filter(|number| *number != chapter.number);
        let others = others.filter_map(|number| book.document(number));
        let others = others.map(|document| (document.title.as_str(), document.text.as_str()));
        Ok::<_, Error>(state.config.floor.examine(&candidate, others))
    };
    work.context.step("floor", &(chapter.number, known_by(candidate.text)), examine).await
}

/// Returns the new part of the draft, with its requirements.
fn candidate<'d>(state: &WritingState, chapter: &ChapterInHand, draft: &'d str) -> ChapterCandidate<'d> {
    let whole = ChapterCandidate { text: draft, language: state.language, words: Some(chapter.words), is_whole: true };
    match state.task {
        WritingTask::Draft { .. } => whole,
        WritingTask::Rewrite { .. } => {
            // The author may want a shorter part, unless a length is given.
            let words = state.constraints.words;
            let is_whole = chapter.part.is_none_or(|part| part == (0, chapter.text.len()));
            let part = state.part.and_then(|(start, end)| draft.get(start..end));
            ChapterCandidate { text: part.filter(|_| !is_whole).unwrap_or(draft), words, is_whole, ..whole }
        }
        WritingTask::Correct { .. } | WritingTask::Read { .. } | WritingTask::Plan { .. } => {
            ChapterCandidate { words: None, ..whole }
        }
    }
}

/// Returns the shortfalls of a fixed draft of kinds the author's own text did not have.
pub(super) fn brought_in(state: &WritingState, chapter: &ChapterInHand, shortfalls: &[Shortfall]) -> Vec<Shortfall> {
    let before = state.config.floor.examine(&candidate(state, chapter, &chapter.text), []);
    let is_new = |shortfall: &&Shortfall| before.iter().all(|earlier| earlier.kind != shortfall.kind);
    shortfalls.iter().filter(is_new).cloned().collect()
}

/// Returns the verdict on a draft below the floor: failed, without a reviewer.
pub(super) fn verdict(round: u32, shortfalls: Vec<Shortfall>) -> Verdict {
    let finding = |shortfall: &Shortfall| ChapterFinding {
        id: format!("floor-{}", shortfall.kind.name()),
        code: Some(format!("floor-{}", shortfall.kind.name())),
        severity: qingyu_story::Severity::Critical,
        title: shortfall.title.clone(),
        quote: shortfall.quote.clone(),
        fix: shortfall.advice.clone(),
        ..ChapterFinding::default()
    };
    let findings = shortfalls.iter().map(finding).collect();
    Verdict { round, findings, shortfalls, ..Verdict::default() }
}
