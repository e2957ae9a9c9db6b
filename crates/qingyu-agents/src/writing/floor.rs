//! The floor under a chapter: what is examined of a draft, and what follows from it whatever a reviewer says.

use qingyu_graph::NodeError;
use qingyu_text::{Candidate, Shortfall};

use super::asking::{Work, known_by, load};
use super::book::{Book, ChapterInHand};
use super::review::{ChapterFinding, Verdict};
use super::state::WritingState;
use super::task::WritingTask;
use crate::Error;

/// How the draft of this run falls short, as a stored step: a resumed run must not see what the author changed meanwhile.
pub(super) async fn shortfalls(work: &Work<'_>, draft: &str) -> Result<Vec<Shortfall>, NodeError> {
    examined(work, candidate(work.state, work.chapter(), draft)).await
}

/// How the author's own text falls short, likewise; it may have any length.
pub(super) async fn shortfalls_of_text(work: &Work<'_>, text: &str) -> Result<Vec<Shortfall>, NodeError> {
    examined(work, Candidate { text, language: work.state.language, words: None, is_whole: true }).await
}

async fn examined(work: &Work<'_>, candidate: Candidate<'_>) -> Result<Vec<Shortfall>, NodeError> {
    let (room, state, chapter) = (work.room, work.state, work.chapter());
    let examine = || async move {
        let (story, _) = load(room).await?;
        let book = Book::of(&story);
        let others = (1..=book.len()).filter(|number| *number != chapter.number);
        let others = others.filter_map(|number| book.document(number));
        let others = others.map(|document| (document.title.as_str(), document.text.as_str()));
        Ok::<_, Error>(state.config.floor.examine(&candidate, others))
    };
    work.context.step("floor", &(chapter.number, known_by(candidate.text)), examine).await
}

/// What of the draft is new, and what it must have.
fn candidate<'d>(state: &WritingState, chapter: &ChapterInHand, draft: &'d str) -> Candidate<'d> {
    let whole = Candidate { text: draft, language: state.language, words: Some(chapter.words), is_whole: true };
    match state.task {
        WritingTask::Draft { .. } => whole,
        WritingTask::Rewrite { .. } => {
            // The author may want a part shorter than it was, unless they say how long it is to be.
            let words = state.constraints.words;
            let is_whole = chapter.part.is_none_or(|part| part == (0, chapter.text.len()));
            let part = state.part.and_then(|(start, end)| draft.get(start..end));
            Candidate { text: part.filter(|_| !is_whole).unwrap_or(draft), words, is_whole, ..whole }
        }
        WritingTask::Correct { .. } | WritingTask::Read { .. } => Candidate { words: None, ..whole },
    }
}

/// The kinds in which a mended draft falls short although the author's own text does not.
pub(super) fn brought_in(state: &WritingState, chapter: &ChapterInHand, shortfalls: &[Shortfall]) -> Vec<Shortfall> {
    let before = state.config.floor.examine(&candidate(state, chapter, &chapter.text), []);
    let is_new = |shortfall: &&Shortfall| before.iter().all(|earlier| earlier.kind != shortfall.kind);
    shortfalls.iter().filter(is_new).cloned().collect()
}

/// The verdict on a draft below the floor: it does not pass, and no reviewer is asked.
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
