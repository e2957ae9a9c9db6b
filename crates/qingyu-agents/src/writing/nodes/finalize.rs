//! The node that accepts the chapter.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::progress::ChapterStep;
use crate::writing::asking::ChapterWork;
use crate::writing::clean::words;
use crate::writing::notice::WritingNotice;
use crate::writing::resources::WritingResources;
use crate::writing::state::{OutputMetadata, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let work = ChapterWork::new(&room, &state, &context);
    let verdict = state.review_result.as_ref();
    let (score, forced) = (verdict.map_or(0, |verdict| verdict.score), !state.review_passed);
    let metadata = OutputMetadata {
        chapter: state.number(),
        error: false,
        tokens_used: state.tokens_used,
        retry_count: state.retry_count,
        review_score: score,
        forced,
        rag_sources_count: state.rag_results.len(),
        tool_calls_count: state.tool_calls.len(),
        reasoning_steps: state.reasoning.len(),
    };
    Ok(Command::update(work.update.final_output(state.content_draft.clone()).output_metadata(metadata)))
}

/// Reports that the chapter is accepted: after its facts are read, since these may lead to another round of fixes.
pub(super) fn announce(work: &mut ChapterWork<'_>) {
    let state = work.state;
    let verdict = state.review_result.as_ref();
    let (score, forced) = (verdict.map_or(0, |verdict| verdict.score), !state.review_passed);
    if forced {
        let notice = match verdict {
            Some(verdict) if !verdict.shortfalls.is_empty() => WritingNotice::KeptBelowFloor,
            Some(verdict) if verdict.usable => WritingNotice::TakenWithOpen { score, findings: verdict.open().count() },
            Some(verdict) if verdict.read => WritingNotice::Forced { score, retries: state.retry_count },
            _ => WritingNotice::ForcedUnread,
        };
        work.warn(&notice);
    }
    let read = verdict.filter(|verdict| verdict.read);
    let words = words(&state.content_draft, state.language);
    work.tell(ChapterStep::Accepted { words, score: read.map(|verdict| verdict.score), forced });
}
