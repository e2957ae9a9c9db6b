//! Runs writing the book: chapters are drafted, corrected, rewritten, settled.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::writing::state::Constraints;
use qingyu_agents::writing::{AuthorAnswers, AuthorQuestions, Decision, KEEP};
use qingyu_agents::{CallRecord, WritingState, WritingTask};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_llm::ModelRoutes;
use qingyu_store::Run;
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
            Ok(WritingState::input(order.task, config.language, limits)
                .golden_context(studio.golden_context(&run.project).await?)
                .constraints(order.constraints)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone())
                .preferences(studio.preferences(&run.project, config).await?))
        }
        .boxed()
    }

    fn calls(state: &WritingState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: WritingState) -> (RunOutput, RunMessages) {
        let made = BookOutput {
            task: state.task,
            chapters: state.accepted,
            briefs: state.briefs,
            answer: state.final_output,
            has_failed: state.output_metadata.error,
        };
        let told = RunMessages { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (RunOutput::Book(Box::new(made)), told)
    }

    fn retry(state: &WritingState) -> Option<(<WritingState as State>::Update, &'static str)> {
        let is_unfinished = state.output_metadata.error || state.accepted.iter().any(|row| state.lacks_reading(row));
        is_unfinished.then(|| (state.retried(), KEEP))
    }

    fn question(snapshot: &Snapshot<WritingState>) -> Option<RunQuestion> {
        asked(snapshot).map(RunQuestion::Chapters)
    }

    fn answer(_: &Run, snapshot: &Snapshot<WritingState>, answer: RunAnswer) -> Result<AuthorAnswers, Error> {
        let all = |decision: Decision| {
            let questions = asked(snapshot).unwrap_or_default().questions;
            let answers = questions.into_iter().map(|question| (question.id, decision)).collect();
            AuthorAnswers { answers, ..AuthorAnswers::default() }
        };
        match answer {
            RunAnswer::Approve => Ok(all(Decision::Accept)),
            RunAnswer::Reject { .. } => Ok(all(Decision::Reject)),
            RunAnswer::Decide { answers, choices } => Ok(AuthorAnswers { answers, choices }),
            RunAnswer::Edit { .. } | RunAnswer::Order { .. } | RunAnswer::Direct { .. } => {
                let message = "this run asks about what chapters say, not for material".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// The maximum number of chapters per run.
const CHAPTERS: u32 = 10_000;

/// Returns the questions for the author, if the thread is waiting for an answer.
fn asked(snapshot: &Snapshot<WritingState>) -> Option<AuthorQuestions> {
    pending_question(snapshot)
}
