//! The node that continues with a fallback after trouble, or ends the run with a clear error; accepted chapters stay in
//! any case.

use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_llm::estimate;

use crate::writing::asking::{ChapterWork, load};
use crate::writing::card;
use crate::writing::context_card::ContextCard;
use crate::writing::names::{ERROR_HANDLER, FINALIZE, GENERATION, REVIEW};
use crate::writing::notice::WritingNotice;
use crate::writing::resources::WritingResources;
use crate::writing::state::{OutputMetadata, WritingState};
use crate::writing::trouble::TroubleCode;

/// Maximum number of attempts to obtain a valid review.
const READINGS: u32 = 2;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let trouble = state.trouble.clone().unwrap_or_default();
    let message = WritingNotice::Trouble { code: trouble.code, message: &trouble.message }.text(state.language);
    work.write(|update| update.errors(vec![message.clone()]).trouble(None));
    let stable = &state.retrieved_context.stable;
    let is_shortest = state.tools_to_use.is_empty();
    if trouble.code.is_critical() || (trouble.code == TroubleCode::TooLong && is_shortest) {
        let metadata = OutputMetadata {
            chapter: state.number(),
            error: true,
            tokens_used: state.tokens_used,
            retry_count: state.retry_count,
            tool_calls_count: state.tool_calls.len(),
            ..OutputMetadata::default()
        };
        // The trouble stays in the state, for the caller of the run.
        let update = work.update.current_step(ERROR_HANDLER.into()).trouble(Some(trouble));
        return Ok(Command::update(update.final_output(message).output_metadata(metadata)).goto([END]));
    }
    work.warn(&WritingNotice::Simpler);
    let fewer = state.max_retries.min(state.retry_count + 1);
    if trouble.code == TroubleCode::NoReview {
        let next = if state.unread_reviews >= READINGS { FINALIZE } else { REVIEW };
        return Ok(Command::update(work.update.max_retries(fewer.max(1))).goto([next]));
    }
    // Without results of the tools, the card holds the outline and the previous chapter.
    let surroundings = state.chapter.as_ref().map(|chapter| chapter.surroundings.clone()).unwrap_or_default();
    let (story, _) = load(&room).await?;
    let found =
        card::CardMaterial { story: Some(story.as_ref()), plan: state.own_plan(), ..card::CardMaterial::default() };
    let chapter = card::chapter(&surroundings, &found, state.config.card_tokens / 2);
    let tokens = estimate::tokens(stable) + estimate::tokens(&chapter);
    let card = ContextCard { stable: stable.clone(), chapter, tokens };
    let update = work.update.tools_to_use(Vec::new()).rag_results(Vec::new()).retrieved_context(card);
    Ok(Command::update(update.max_retries(fewer)).goto([GENERATION]))
}
