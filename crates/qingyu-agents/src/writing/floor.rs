//! The floor: minimum requirements for a draft, whatever a reviewer says.

use qingyu_graph::NodeError;
use qingyu_story::{Language, Severity};
use qingyu_text::{ChapterCandidate, Shortfall};

use super::asking::{ChapterWork, known_by, load};
use super::book::{ChapterInHand, NumberedBook};
use super::clean::words;
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

/// Returns a finding about a draft whose length is far from the planned one, though above the floor.
pub(super) fn off_length(state: &WritingState, chapter: &ChapterInHand, draft: &str) -> Option<ChapterFinding> {
    let candidate = candidate(state, chapter, draft);
    length_finding(words(candidate.text, state.language), candidate.words?, state.language)
}

/// Returns a finding of low severity if the length is more than a quarter over or under the planned one.
fn length_finding(has: u32, planned: u32, language: Language) -> Option<ChapterFinding> {
    let (length, wanted) = (u64::from(has) * 4, u64::from(planned));
    if planned == 0 || (wanted * 3..=wanted * 5).contains(&length) {
        return None;
    }
    let (title, why) = match language {
        Language::Zh => (format!("正文{has}字，计划约{planned}字"), "篇幅和计划相差四分之一以上"),
        Language::En => {
            (format!("{has} words, planned were about {planned}"), "the length is more than a quarter off the plan")
        }
    };
    Some(ChapterFinding {
        id: "length".into(),
        code: Some("length".into()),
        severity: Severity::Low,
        title,
        why: why.into(),
        ..ChapterFinding::default()
    })
}

/// Returns the verdict on a draft below the floor: failed, without a reviewer.
pub(super) fn verdict(round: u32, shortfalls: Vec<Shortfall>) -> Verdict {
    let finding = |shortfall: &Shortfall| ChapterFinding {
        id: format!("floor-{}", shortfall.kind.name()),
        code: Some(format!("floor-{}", shortfall.kind.name())),
        severity: Severity::Critical,
        title: shortfall.title.clone(),
        quote: shortfall.quote.clone(),
        fix: shortfall.advice.clone(),
        ..ChapterFinding::default()
    };
    let findings = shortfalls.iter().map(finding).collect();
    Verdict { round, findings, shortfalls, ..Verdict::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_more_than_a_quarter_off_is_a_low_finding() {
        let title = |has: u32, planned: u32, language: Language| {
            let found = length_finding(has, planned, language)?;
            assert_eq!(found.severity, Severity::Low);
            Some(found.title)
        };
        assert_eq!(title(1026, 800, Language::Zh).as_deref(), Some("正文1026字，计划约800字"));
        assert_eq!(title(599, 800, Language::En).as_deref(), Some("599 words, planned were about 800"));
        for (has, planned) in [(1000, 800), (600, 800), (800, 800), (50, 0)] {
            assert_eq!(title(has, planned, Language::Zh), None, "{has} of {planned}");
        }
    }
}
