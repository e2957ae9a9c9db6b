//! Understands what a chapter must do, and divides it into scenes.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::context::ChapterUnderstanding;
use crate::progress::ChapterStep;
use crate::prompts::Name;
use crate::writing::asking::{Asked, Work, trouble_of};
use crate::writing::notice::Notice;
use crate::writing::plan::ChapterPlan;
use crate::writing::state::TroubleCode;
use crate::writing::{ERROR_HANDLER, RAG_RETRIEVAL, UNDERSTAND, WRITER, WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let chapter = work.chapter();
    let understanding = ChapterUnderstanding {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        of: chapter.of,
        words: chapter.words,
        stable: state.retrieved_context.stable.clone(),
        surroundings: chapter.surroundings.clone(),
        findings: state.review_result.iter().flat_map(|verdict| verdict.findings.clone()).collect(),
    };
    let asked = Asked {
        agent: WRITER,
        purpose: "chapter.understand",
        part: String::new(),
        names: [Name::CHAPTER_SYSTEM, Name::CHAPTER_UNDERSTAND],
        temperature: 0.3,
    };
    let called = work.call(asked, &understanding)?.ask(Some(&ChapterPlan::problems)).await;
    let (plan, error) = match called {
        Ok(called) => {
            work.count(&called.record);
            let error = called.error();
            (called.value, error)
        }
        Err(error) => {
            let trouble = trouble_of(error, UNDERSTAND)?;
            if trouble.code == TroubleCode::CannotWrite && !state.config.brief_only {
                return Ok(Command::update(work.update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
            }
            (None, trouble.message)
        }
    };
    // Without a plan of the model's, the one that stands in the state already is used: the outline gave it.
    let (plan, fallback) = match plan {
        Some(plan) => (plan.bounded(chapter.words), None),
        None => {
            let notice = Notice::PlanMissing { error: &error };
            work.warn(&notice);
            (state.plan.clone(), Some(notice.text(state.language)))
        }
    };
    let scenes: Vec<String> = plan.scenes.iter().map(|scene| scene.title.clone()).collect();
    work.reason(&Notice::Understood { scenes: scenes.len() });
    work.tell(ChapterStep::Planned { scenes, fallback: fallback.clone() });
    work.write(|update| update.reasoning(plan.reasoning.clone()).plan_fallback(fallback).plan(plan));
    Ok(Command::update(work.update).goto([RAG_RETRIEVAL]))
}
