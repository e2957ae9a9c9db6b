//! Runs that write the book: chapters are drafted, corrected, rewritten, settled.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::writing::state::Constraints;
use qingyu_agents::writing::{AuthorAnswers, AuthorQuestions, Decision, KEEP};
use qingyu_agents::{CallRecord, WritingRoom, WritingState, WritingTask, writing};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_llm::Models;
use qingyu_store::Run;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Beginning;
use super::config::RunConfig;
use super::kind::{Equipment, Kind, RunKind};
use super::look::Looking;
use crate::chapter_names::refuse_ambiguous;
use crate::command::with_model;
use crate::outcome::{BookMade, Made, Question, Told};
use crate::studio::Studio;
use crate::{Error, HumanAnswer, RunHandle, WriteRequest};

/// A run of the writing.
pub(crate) struct Write;

/// What such a run is to do, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Order {
    task: WritingTask,
    constraints: Constraints,
    brief_only: bool,
}

impl Studio {
    /// Writes, corrects, rewrites or settles chapters of a project. Returns once the run is on disk and works.
    ///
    /// With the offline model as the writer a draft ends with briefs instead of prose. Fails as [`create`](Self::create)
    /// does.
    pub async fn write(&self, request: WriteRequest) -> Result<RunHandle, Error> {
        let project = self.find_project(&request.project).await?;
        if !request.task.chapters().is_empty() {
            refuse_ambiguous(&self.kept_story(&project.id).await?.1.story, request.task.chapters())?;
        }
        let overrides = with_model(request.overrides, request.model.as_deref());
        let constraints = Constraints { words: request.words, style_sample: request.style_sample };
        let order = Order { task: request.task, constraints, brief_only: request.brief_only };
        self.begin_as::<Write>(Beginning {
            requirement: summary(&order.task),
            order: serde_json::json!(order),
            language: Some(project.language),
            project: Some(project),
            title: None,
            overrides,
        })
        .await
    }
}

/// What is to be done, in a line: `draft 1, 2, 3`.
fn summary(task: &WritingTask) -> String {
    let chapters: Vec<String> = task.chapters().iter().map(ToString::to_string).collect();
    let what = format!("{} {}", task.kind(), chapters.join(", "));
    match task {
        WritingTask::Rewrite { instruction, .. } => format!("{what}: {instruction}"),
        _ => what.trim_end().to_owned(),
    }
}

impl Kind for Write {
    type State = WritingState;
    type Answer = AuthorAnswers;

    const KIND: RunKind = RunKind::Write;

    fn looking(looking: &Looking) -> &CompiledGraph<WritingState> {
        &looking.write
    }

    fn graph(equipment: Equipment) -> Result<CompiledGraph<WritingState>, qingyu_graph::Error> {
        let Equipment { workshop, workspace, engine, .. } = equipment;
        writing(WritingRoom { workshop, workspace, tools: engine })
    }

    fn order(mut order: Value, models: &Models) -> Value {
        // Whoever is to write prose may be the offline model, which does not.
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
            let order: Order = serde_json::from_value(config.order.clone())
                .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })?;
            let mut limits = config.writing.clone();
            limits.brief_only |= order.brief_only;
            let input = WritingState::input(order.task, config.language, limits)
                .golden_context(studio.golden_context(&run.project).await?)
                .constraints(order.constraints)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone());
            Ok(match config.pipeline.preferences {
                true => input.preferences(studio.preferences(&run.project, config.language).await?),
                false => input,
            })
        }
        .boxed()
    }

    fn calls(state: &WritingState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: WritingState) -> (Made, Told) {
        let made = BookMade {
            task: state.task,
            chapters: state.accepted,
            briefs: state.briefs,
            answer: state.final_output,
            has_failed: state.output_metadata.error,
        };
        let told = Told { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (Made::Book(Box::new(made)), told)
    }

    fn retry(state: &WritingState) -> Option<(<WritingState as State>::Update, &'static str)> {
        let is_unfinished = state.output_metadata.error || state.accepted.iter().any(|row| state.lacks_reading(row));
        is_unfinished.then(|| (state.retried(), KEEP))
    }

    fn question(snapshot: &Snapshot<WritingState>) -> Option<Question> {
        asked(snapshot).map(Question::Chapters)
    }

    fn answer(_: &Run, snapshot: &Snapshot<WritingState>, answer: HumanAnswer) -> Result<AuthorAnswers, Error> {
        let all = |decision: Decision| {
            let questions = asked(snapshot).unwrap_or_default().questions;
            let answers = questions.into_iter().map(|question| (question.id, decision)).collect();
            AuthorAnswers { answers, ..AuthorAnswers::default() }
        };
        match answer {
            HumanAnswer::Approve => Ok(all(Decision::Accept)),
            HumanAnswer::Reject { .. } => Ok(all(Decision::Reject)),
            HumanAnswer::Decide { answers, choices } => Ok(AuthorAnswers { answers, choices }),
            HumanAnswer::Edit { .. } | HumanAnswer::Order { .. } | HumanAnswer::Direct { .. } => {
                let message = "this run asks about what chapters say, not for material".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// How many chapters one run may write.
const CHAPTERS: u32 = 10_000;

/// What the author is asked, if the thread asks.
fn asked(snapshot: &Snapshot<WritingState>) -> Option<AuthorQuestions> {
    let question = snapshot.questions.first()?;
    serde_json::from_value(question.payload.clone()).ok()
}
