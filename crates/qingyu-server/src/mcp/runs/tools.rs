//! The tools for runs.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_studio::llm::structured::schema_of;
use qingyu_studio::{HumanAnswer, RunStatus, RunsRequest, Studio};
use qingyu_tools::{Category, Context, Metadata, Permission, Tool, ToolError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::start::Start;
use super::{ANSWER, GET, document, failed};
use crate::mcp::texts;

/// How many runs are listed if nothing is said.
const RUNS: usize = 20;

/// All of them.
pub(super) fn all(studio: &Studio) -> [Arc<dyn Tool>; 6] {
    [
        OnRuns::<Start>::over(studio),
        OnRuns::<Get>::over(studio),
        OnRuns::<Answer>::over(studio),
        OnRuns::<Cancel>::over(studio),
        OnRuns::<List>::over(studio),
        OnRuns::<Events>::over(studio),
    ]
}

/// What one of the tools is asked for.
pub(super) trait Order: DeserializeOwned + JsonSchema + Debug + Send + Sync + 'static {
    const NAME: &'static str;
    const PERMISSION: Permission;

    /// Does it.
    fn carry_out(self, studio: &Studio) -> impl Future<Output = Result<Value, ToolError>> + Send;
}

#[derive(Debug)]
struct OnRuns<O> {
    studio: Studio,
    metadata: Metadata,
    order: PhantomData<fn() -> O>,
}

impl<O: Order> OnRuns<O> {
    fn over(studio: &Studio) -> Arc<dyn Tool> {
        let schema = schema_of::<O>().schema;
        let described = Metadata::with_schema(O::NAME, Category::Writing, texts::both(O::NAME), schema);
        let metadata = Metadata { permission: O::PERMISSION, ..described };
        Arc::new(Self { studio: studio.clone(), metadata, order: PhantomData })
    }
}

impl<O: Order> Tool for OnRuns<O> {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        async move {
            let order: O =
                serde_json::from_value(arguments).map_err(|error| ToolError::invalid("/", error.to_string()))?;
            order.carry_out(&self.studio).await
        }
        .boxed()
    }
}

// How long a call waits for a run. Read where calls wait, around the tools: what is written here as a doc comment is read
// by models.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Patience {
    /// How many seconds the call may wait for the run to end or ask, with news on the way; without it the answer comes at
    /// once.
    #[schemars(range(max = 3600))]
    pub(super) wait_seconds: Option<u32>,
}

// The same of calls that let a run work.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Waiting {
    #[serde(flatten)]
    pub(super) patience: Patience,
    /// Whether the run is stopped if this call is cancelled while it waits; without it the run works on.
    pub(super) cancel_with_call: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Get {
    /// The run.
    run_id: String,
    /// Whether all that it made comes with it; in short without it.
    #[serde(default)]
    whole: bool,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    patience: Patience,
}

impl Order for Get {
    const NAME: &'static str = GET;
    const PERMISSION: Permission = Permission::Read;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let outcome = studio.outcome(&self.run_id).await.map_err(|error| failed(&error))?;
        Ok(document(&outcome, self.whole))
    }
}

/// What a person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Said {
    /// It may stand.
    Approve,
    /// It is to be mended, minding `feedback`.
    Reject,
    /// `material` takes its place.
    Edit,
    /// `answers` and `choices` say to each question whether it is so.
    Decide,
    /// `order` says what a production does next.
    Order,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Answer {
    /// The run.
    run_id: String,
    /// What is said. Left out, a run that was stopped or has failed goes on.
    answer: Option<Said>,
    /// reject: what is wrong and what is wanted.
    #[serde(default)]
    feedback: String,
    /// edit: any of worldview, outline_nodes, characters, character_relations, timeline_events, plot_nodes, style.
    #[serde(default)]
    material: Option<BTreeMap<String, Value>>,
    /// decide: by the id of a question, accept, reject or later.
    #[serde(default)]
    answers: BTreeMap<String, String>,
    /// decide: by the id of a question, the id of who or what is meant.
    #[serde(default)]
    choices: BTreeMap<String, String>,
    /// order: an object whose `do` is say (with `text`), advance, revisit (with `phase`), make (with `fields` and
    /// `instruction`), make_stale, research (with `question`), simulate or evaluate.
    #[serde(default)]
    order: Option<BTreeMap<String, Value>>,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    waiting: Waiting,
}

impl Answer {
    /// What is said, as the studio takes it.
    fn said(&self) -> Result<Option<HumanAnswer>, ToolError> {
        let Some(answer) = self.answer else { return Ok(None) };
        let Self { feedback, material, answers, choices, order, .. } = self;
        let said = match answer {
            Said::Approve => json!({"answer": answer}),
            Said::Reject => json!({"answer": answer, "feedback": feedback}),
            Said::Edit => json!({"answer": answer, "material": material}),
            Said::Decide => json!({"answer": answer, "answers": answers, "choices": choices}),
            Said::Order => json!({"answer": answer, "order": order}),
        };
        serde_json::from_value(said).map(Some).map_err(|error| ToolError::invalid("/answer", error.to_string()))
    }
}

impl Order for Answer {
    const NAME: &'static str = ANSWER;
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let run = studio.resume(&self.run_id, self.said()?).await.map_err(|error| failed(&error))?;
        Ok(json!({"run": run.run(), "project": run.project(), "status": RunStatus::Running}))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Cancel {
    /// The run.
    run_id: String,
}

impl Order for Cancel {
    const NAME: &'static str = "cancel_run";
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let status = studio.cancel(&self.run_id).await.map_err(|error| failed(&error))?;
        Ok(json!({"run": self.run_id, "status": status}))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct List {
    /// Only those of this project.
    #[serde(default)]
    project_id: Option<String>,
    /// The most runs; 20 without it.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

impl Order for List {
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
struct Events {
    /// The run.
    run_id: String,
    /// Only those after this place in its log.
    #[serde(default)]
    after: u64,
}

impl Order for Events {
    const NAME: &'static str = "list_events";
    const PERMISSION: Permission = Permission::Read;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let events = studio.events(&self.run_id, self.after).await.map_err(|error| failed(&error))?;
        let last = events.last().map_or(self.after, |event| event.seq);
        Ok(json!({"events": events, "last": last}))
    }
}
