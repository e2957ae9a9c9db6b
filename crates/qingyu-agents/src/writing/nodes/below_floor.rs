//! Asks a person whether a chapter below the floor is to be kept all the same.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::writing::asking::Work;
use crate::writing::questions::{About, AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision};
use crate::writing::state::{Trouble, TroubleCode};
use crate::writing::{BELOW_FLOOR, ERROR_HANDLER, FINALIZE, WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let work = Work::new(&room, &state, &context);
    let chapter = work.chapter();
    let shortfalls = state.review_result.as_ref().map(|verdict| verdict.shortfalls.clone()).unwrap_or_default();
    let reason = shortfalls.iter().map(|shortfall| shortfall.title.as_str()).collect::<Vec<_>>().join("; ");
    let id = format!("q-{}-floor", chapter.number);
    let about = About::BelowFloor { text: state.content_draft.clone(), shortfalls };
    let question = AuthorQuestion { id: id.clone(), chapter: chapter.number, title: chapter.title.clone(), about };
    let questions = AuthorQuestions { questions: vec![question] };
    // Whoever leaves it for later is asked again: the book does not go on without this chapter.
    let mut attempt = 0;
    loop {
        attempt += 1;
        let answers = context.ask::<AuthorAnswers>(&format!("floor/{attempt}"), &questions).await?;
        match answers.answers.get(&id) {
            Some(Decision::Accept) => return Ok(Command::update(work.update).goto([FINALIZE])),
            Some(Decision::Reject) => {
                let trouble =
                    Trouble { node: BELOW_FLOOR.into(), code: TroubleCode::BelowFloor, message: reason.clone() };
                return Ok(Command::update(work.update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
            }
            Some(Decision::Later) | None => {}
        }
    }
}
