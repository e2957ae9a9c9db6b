//! The node that plans a chapter and divides it into scenes.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};

use crate::context::ChapterPlanContext;
use crate::progress::ChapterStep;
use crate::prompts::PromptName;
use crate::writing::asking::{ChapterCallSpec, ChapterWork, trouble_of};
use crate::writing::names::{ERROR_HANDLER, RAG_RETRIEVAL, UNDERSTAND, WRITER};
use crate::writing::notice::WritingNotice;
use crate::writing::plan::ChapterPlan;
use crate::writing::resources::WritingResources;
use crate::writing::review::Verdict;
use crate::writing::state::WritingState;
use crate::writing::trouble::TroubleCode;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let chapter = work.chapter();
    let understanding = ChapterPlanContext {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        of: chapter.of,
        words: chapter.words,
        stable: state.retrieved_context.stable.clone(),
        surroundings: chapter.surroundings.clone(),
        findings: state.review_result.iter().flat_map(Verdict::open).cloned().collect(),
    };
    let asked = ChapterCallSpec {
        agent: WRITER,
        purpose: "chapter.understand",
        part: String::new(),
        names: [PromptName::CHAPTER_SYSTEM, PromptName::CHAPTER_UNDERSTAND],
        temperature: 0.3,
    };
    let language = work.language();
    let check = move |plan: &ChapterPlan| plan.problems(language);
    let called = work.call(asked, &understanding)?.ask(Some(&check)).await;
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
    // Without a valid plan from the model, the fallback from the outline is already in the state.
    let (plan, fallback) = match plan {
        Some(plan) => (plan.bounded(chapter.words), None),
        None => {
            let notice = WritingNotice::PlanMissing { error: &error };
            work.warn(&notice);
            (state.plan.clone(), Some(notice.text(state.language)))
        }
    };
    let scenes: Vec<String> = plan.scenes.iter().map(|scene| scene.title.clone()).collect();
    work.reason(&WritingNotice::Understood { scenes: scenes.len() });
    work.tell(ChapterStep::Planned { scenes, fallback: fallback.clone() });
    work.write(|update| update.reasoning(plan.reasoning.clone()).plan_fallback(fallback).plan(plan));
    Ok(Command::update(work.update).goto([RAG_RETRIEVAL]))
}
