//! The node that asks a person whether to keep a chapter below the floor.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::writing::asking::{ChapterWork, ask_author};
use crate::writing::names::{BELOW_FLOOR, ERROR_HANDLER, FINALIZE};
use crate::writing::questions::{About, AuthorQuestion};
use crate::writing::resources::WritingResources;
use crate::writing::state::WritingState;
use crate::writing::trouble::{Trouble, TroubleCode};

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let work = ChapterWork::new(&room, &state, &context);
    let chapter = work.chapter();
    let shortfalls = state.review_result.as_ref().map(|verdict| verdict.shortfalls.clone()).unwrap_or_default();
    let reason = shortfalls.iter().map(|shortfall| shortfall.title.as_str()).collect::<Vec<_>>().join("; ");
    let id = format!("q-{}-floor", chapter.number);
    let about = About::BelowFloor { text: state.content_draft.clone(), shortfalls };
    let question = AuthorQuestion { id, chapter: chapter.number, title: chapter.title.clone(), about };
    // The book cannot continue without this chapter.
    if ask_author(&context, "floor", question).await? {
        return Ok(Command::update(work.update).goto([FINALIZE]));
    }
    let trouble = Trouble { node: BELOW_FLOOR.into(), code: TroubleCode::BelowFloor, message: reason };
    Ok(Command::update(work.update.trouble(Some(trouble))).goto([ERROR_HANDLER]))
}
