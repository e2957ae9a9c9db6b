//! Runs writing the book: chapters are drafted, corrected, rewritten, settled.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::notice::RunNotice;
use qingyu_agents::writing::book::NumberedBook;
use qingyu_agents::writing::state::Constraints;
use qingyu_agents::writing::{AcceptedChapter, AuthorAnswers, AuthorQuestions, Decision, KEEP};
use qingyu_agents::{CallRecord, WritingState, WritingTask};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_llm::ModelRoutes;
use qingyu_store::Run;
use qingyu_story::Story;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs, write_graph};
use crate::runs::kind::RunKind;
use crate::runs::output::{BookOutput, RunMessages, RunOutput};
use crate::runs::question::{RunQuestion, pending_question};
use crate::runs::requests::RunAnswer;
use crate::runs::run_type::RunType;
use crate::studio::Studio;

/// A run of the writing graph.
pub(crate) struct Write;

/// The stored input of a writing run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WriteOrder {
    pub(crate) task: WritingTask,
    pub(crate) constraints: Constraints,
    pub(crate) brief_only: bool,
}

impl RunType for Write {
    type State = WritingState;
    type Answer = AuthorAnswers;

    const KIND: RunKind = RunKind::Write;
    const CLOSED: &'static [&'static str] = &["config"];

    fn looking(looking: &RunGraphs) -> &CompiledGraph<WritingState> {
        &looking.write
    }

    fn graph(equipment: RunEquipment) -> Result<CompiledGraph<WritingState>, qingyu_graph::Error> {
        write_graph(equipment)
    }

    fn order(mut order: Value, models: &ModelRoutes) -> Value {
        // The writer may be the offline model, which writes no prose.
        let is_draft = order["task"]["kind"] == "draft";
        if is_draft && models.for_purpose("chapter.generate").name() == qingyu_offline::NAME {
            order["brief_only"] = true.into();
        }
        order
    }

    fn recursion_limit(config: &RunConfig) -> u32 {
        config.writing.supersteps(CHAPTERS)
    }

    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<WritingState as State>::Update, Error>> {
        async move {
            let order: WriteOrder = config.order_of(run)?;
            let mut limits = config.writing.clone();
            limits.brief_only |= order.brief_only;
            let warnings: Vec<String> = match config.overridden("writing", "words") {
                Some(asked) => {
                    let story = studio.kept_story(&run.project).await?.1.story;
                    let notice = unused_length(&order, &asked.to_string(), &story);
                    notice.iter().map(|notice| notice.text(config.language)).collect()
                }
                None => Vec::new(),
            };
            Ok(WritingState::input(order.task, config.language, limits)
                .golden_context(studio.golden_context(&run.project).await?)
                .constraints(order.constraints)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone())
                .preferences(studio.preferences(&run.project, config).await?)
                .warnings(warnings))
        }
        .boxed()
    }

    fn calls(state: &WritingState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: WritingState) -> (RunOutput, RunMessages) {
        let made = BookOutput {
            has_failed: state.has_failed(),
            task: state.task,
            chapters: AcceptedChapter::latest(state.accepted),
            briefs: state.briefs,
            answer: state.final_output,
        };
        let told = RunMessages { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (RunOutput::Book(Box::new(made)), told)
    }

    fn retry(state: &WritingState) -> Option<(<WritingState as State>::Update, &'static str)> {
        let is_unfinished = state.has_failed() || state.accepted.iter().any(|row| state.lacks_reading(row));
        is_unfinished.then(|| (state.retried(), KEEP))
    }

    fn question(snapshot: &Snapshot<WritingState>) -> Option<RunQuestion> {
        pending_questions(snapshot).map(RunQuestion::Chapters)
    }

    fn answer(_: &Run, snapshot: &Snapshot<WritingState>, answer: RunAnswer) -> Result<AuthorAnswers, Error> {
        let asked = || pending_questions(snapshot).unwrap_or_default();
        match answer {
            RunAnswer::Approve => Ok(asked().all(Decision::Accept)),
            RunAnswer::Reject { feedback } => Ok(asked().rejected(&feedback)),
            RunAnswer::Decide { answers, choices } => {
                Ok(AuthorAnswers { answers, choices, ..AuthorAnswers::default() })
            }
            RunAnswer::Edit { .. } | RunAnswer::Order { .. } | RunAnswer::Direct { .. } => {
                let message = "this run has questions about chapters: approve, reject or decide each".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// The maximum number of chapters per run.
const CHAPTERS: u32 = 10_000;

/// Returns the questions for the author, if the thread is waiting for an answer.
fn pending_questions(snapshot: &Snapshot<WritingState>) -> Option<AuthorQuestions> {
    pending_question(snapshot)
}

/// Returns a notice if the usual length `asked` for by the request does not apply to chapters to be written, because the
/// outline gives them a length of their own.
fn unused_length(order: &WriteOrder, asked: &str, story: &Story) -> Option<RunNotice> {
    let WritingTask::Draft { chapters: named } = &order.task else { return None };
    if order.constraints.words.is_some() {
        return None;
    }
    let book = NumberedBook::of(story);
    let Ok(named) = book.numbers(named) else { return None };
    let is_wanted =
        |number: &u32| if named.is_empty() { book.document(*number).is_none() } else { named.contains(number) };
    let has_length = |number: &u32| book.node(*number).and_then(|node| node.words).is_some_and(|words| words > 0);
    let chapters = (1..=book.len()).filter(is_wanted).filter(has_length).count();
    (chapters > 0).then(|| RunNotice::OutlineLengths { asked: asked.to_owned(), chapters })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_usual_length_that_the_outline_overrides_is_reported() {
        let story: Story = serde_json::from_value(json!({
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1, "words": 3000}, {"id": "o-2", "name": "第二章", "order": 2}],
        }))
        .unwrap();
        let order = |task| WriteOrder { task: serde_json::from_value(task).unwrap(), ..WriteOrder::default() };
        let all = order(json!({"kind": "draft"}));
        let expected = RunNotice::OutlineLengths { asked: "900".into(), chapters: 1 };
        assert_eq!(unused_length(&all, "900", &story), Some(expected));
        assert_eq!(unused_length(&order(json!({"kind": "draft", "chapters": 2})), "900", &story), None);
        let told = WriteOrder { constraints: Constraints { words: Some(900), ..Constraints::default() }, ..all };
        assert_eq!(unused_length(&told, "900", &story), None, "--words wins over the outline");
    }
}
