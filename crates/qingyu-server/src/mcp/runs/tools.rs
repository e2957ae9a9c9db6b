//! The tools for runs.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_studio::llm::structured::schema_of;
use qingyu_studio::{RunAnswer, RunStatus, RunsRequest, Studio};
use qingyu_tools::{Category, Metadata, Permission, Tool, ToolContext, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::arguments::{CancellableWaitArgs, RunToolArgs, WaitArgs};
use super::document::{document, failed};
use super::names::{ANSWER, GET};
use super::start::StartRunArgs;
use crate::mcp::texts;

/// Default number of runs listed.
const RUNS: usize = 20;

/// Returns all tools for runs.
pub(super) fn all(studio: &Studio) -> [Arc<dyn Tool>; 6] {
    [
        RunTool::<StartRunArgs>::over(studio),
        RunTool::<GetRunArgs>::over(studio),
        RunTool::<AnswerRunArgs>::over(studio),
        RunTool::<CancelRunArgs>::over(studio),
        RunTool::<ListRunsArgs>::over(studio),
        RunTool::<ListEventsArgs>::over(studio),
    ]
}

#[derive(Debug)]
struct RunTool<O> {
    studio: Studio,
    metadata: Metadata,
    order: PhantomData<fn() -> O>,
}

impl<O: RunToolArgs> RunTool<O> {
    fn over(studio: &Studio) -> Arc<dyn Tool> {
        let schema = schema_of::<O>().schema;
        let described = Metadata::with_schema(O::NAME, Category::Writing, texts::both(O::NAME), schema);
        let metadata = Metadata { permission: O::PERMISSION, ..described };
        Arc::new(Self { studio: studio.clone(), metadata, order: PhantomData })
    }
}

impl<O: RunToolArgs> Tool for RunTool<O> {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        async move {
            let order: O =
                serde_json::from_value(arguments).map_err(|error| ToolError::invalid("/", error.to_string()))?;
            order.carry_out(&self.studio).await
        }
        .boxed()
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct GetRunArgs {
    /// The run id.
    run_id: String,
    /// Whether to return all results (default: abridged).
    #[serde(default)]
    whole: bool,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    patience: WaitArgs,
}

impl RunToolArgs for GetRunArgs {
    const NAME: &'static str = GET;
    const PERMISSION: Permission = Permission::Read;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let outcome = studio.outcome(&self.run_id).await.map_err(|error| failed(&error))?;
        Ok(document(&outcome, self.whole))
    }
}

/// The answer of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RunAnswerKind {
    /// Accept the material.
    Approve,
    /// Reject the material, with `feedback` for the correction.
    Reject,
    /// Replace the material by `material`.
    Edit,
    /// Answer each question by `answers` and `choices`.
    Decide,
    /// Give a production its next `order`.
    Order,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct AnswerRunArgs {
    /// The run id.
    run_id: String,
    /// The answer (default: resume a stopped or failed run).
    answer: Option<RunAnswerKind>,
    /// reject: the faults and the wanted changes.
    #[serde(default)]
    feedback: String,
    /// edit: any of worldview, outline_nodes, characters, character_relations, timeline_events, plot_nodes, style.
    #[serde(default)]
    material: Option<BTreeMap<String, Value>>,
    /// decide: accept, reject or later, by question id.
    #[serde(default)]
    answers: BTreeMap<String, String>,
    /// decide: the id of the intended candidate, by question id.
    #[serde(default)]
    choices: BTreeMap<String, String>,
    /// order: an object whose `do` is say (with `text`), advance, revisit (with `phase`), make (with `fields` and
    /// `instruction`), make_stale, research (with `question`), simulate or evaluate.
    #[serde(default)]
    order: Option<BTreeMap<String, Value>>,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    waiting: CancellableWaitArgs,
}

impl AnswerRunArgs {
    /// Returns the answer in the studio's type.
    fn said(&self) -> Result<Option<RunAnswer>, ToolError> {
        let Some(answer) = self.answer else { return Ok(None) };
        let Self { feedback, material, answers, choices, order, .. } = self;
        let said = match answer {
            RunAnswerKind::Approve => json!({"answer": answer}),
            RunAnswerKind::Reject => json!({"answer": answer, "feedback": feedback}),
            RunAnswerKind::Edit => json!({"answer": answer, "material": material}),
            RunAnswerKind::Decide => json!({"answer": answer, "answers": answers, "choices": choices}),
            RunAnswerKind::Order => json!({"answer": answer, "order": order}),
        };
        serde_json::from_value(said).map(Some).map_err(|error| ToolError::invalid("/answer", error.to_string()))
    }
}

impl RunToolArgs for AnswerRunArgs {
    const NAME: &'static str = ANSWER;
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let run = studio.resume(&self.run_id, self.said()?).await.map_err(|error| failed(&error))?;
        Ok(json!({"run": run.run(), "project": run.project(), "status": RunStatus::Running}))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct CancelRunArgs {
    /// The run id.
    run_id: String,
}

impl RunToolArgs for CancelRunArgs {
    const NAME: &'static str = "cancel_run";
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let status = studio.cancel(&self.run_id).await.map_err(|error| failed(&error))?;
        Ok(json!({"run": self.run_id, "status": status}))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ListRunsArgs {
    /// Only runs of the given project.
    #[serde(default)]
    project_id: Option<String>,
    /// Maximum number of runs (default: 20).
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

impl RunToolArgs for ListRunsArgs {
    const NAME: &'static str = "list_runs";
    const PERMISSION: Permission = Permission::Read;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let wanted = RunsRequest { project: self.project_id, ..RunsRequest::default() };
        let mut runs = studio.runs_by(&wanted).await.map_err(|error| failed(&error))?;
        let total = runs.len();
        runs.truncate(self.limit.unwrap_or(RUNS));
        Ok(json!({"runs": runs, "total": total}))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ListEventsArgs {
    /// The run id.
    run_id: String,
    /// Only events after the given number in the log.
    #[serde(default)]
    after: u64,
}

impl RunToolArgs for ListEventsArgs {
    const NAME: &'static str = "list_events";
    const PERMISSION: Permission = Permission::Read;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let events = studio.events(&self.run_id, self.after).await.map_err(|error| failed(&error))?;
        let last = events.last().map_or(self.after, |event| event.seq);
        Ok(json!({"events": events, "last": last}))
    }
}
