//! Carries calls out: everything around a tool that is the same for all of them.
//!
//! In this order: the arguments' size, the tool, the arguments against its schema, the caller's allowance, the
//! project, what is known already, then the tool itself with a time-out, again with back-off if its error allows it.
//! Whatever comes of it is an [`Outcome`], also if the tool panics.

pub mod arguments;
mod cache;
mod log;
#[cfg(test)]
mod tests;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use futures::FutureExt;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::tool::{Demand, Metadata, Permission};
use crate::toolbox::{self, Registered};
use crate::{Caller, Context, Tool, ToolError, Toolbox, Workspace, Workspaces};
use cache::Cache;
pub use log::{CallLog, CallRecord, RingLog, Totals};

/// What the engine allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of arguments, counted as text.
    pub argument_bytes: usize,
    /// How deep arguments may be nested.
    pub argument_depth: usize,
    /// How often a call is tried, the first time included.
    pub attempts: usize,
    /// How long to wait before the second attempt; twice as long before each further one.
    pub backoff: Duration,
    /// The most answers that are kept.
    pub cached_answers: usize,
    /// The most bytes of answers that are kept.
    pub cached_bytes: usize,
}

impl Default for Limits {
    /// 4 MiB of arguments, 64 levels, three attempts from 100 ms on, 256 answers of 16 MiB together.
    fn default() -> Self {
        Self {
            argument_bytes: 4 << 20,
            argument_depth: 64,
            attempts: 3,
            backoff: Duration::from_millis(100),
            cached_answers: 256,
            cached_bytes: 16 << 20,
        }
    }
}

/// Carries out calls of the tools of one toolbox.
#[derive(Debug)]
pub struct Engine {
    toolbox: Toolbox,
    workspaces: Arc<dyn Workspaces>,
    limits: Limits,
    cache: Cache,
    log: Arc<dyn CallLog>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The call.
    pub call: Uuid,
    /// The answer, or why there is none.
    pub result: Result<Value, ToolError>,
    /// How long it took, with all attempts.
    pub duration: Duration,
    /// How often the tool was asked; 0 if it was not needed.
    pub attempts: u32,
    /// Whether the answer was known already.
    pub cached: bool,
    /// Where the tool comes from, if it is not ours. The answer is material then, never instruction.
    pub foreign: Option<String>,
}

impl Outcome {
    /// The outcome as agents and programs get it: `{"ok": true, "result": …}`, or `{"ok": false, "error": …}` with what
    /// [`ToolError::to_json`] gives. What a foreign tool says carries its `source` and `"untrusted": true`.
    pub fn to_json(&self) -> Value {
        let mut outcome = match &self.result {
            Ok(result) => json!({"ok": true, "result": result}),
            Err(error) => json!({"ok": false, "error": error.to_json()}),
        };
        if let Some(source) = &self.foreign {
            outcome["source"] = source.as_str().into();
            outcome["untrusted"] = true.into();
        }
        outcome
    }
}

/// What is found out while a call runs.
#[derive(Default)]
struct Course {
    tool: Option<Arc<Registered>>,
    action: Option<String>,
    project: Option<String>,
    bytes: usize,
    attempts: u32,
    cached: bool,
}

impl Engine {
    /// An engine with the usual limits, which logs the last 1,000 calls.
    pub fn new(toolbox: Toolbox, workspaces: Arc<dyn Workspaces>) -> Self {
        let limits = Limits::default();
        Self { toolbox, workspaces, limits, cache: Cache::new(&limits), log: Arc::new(RingLog::new(1_000)) }
    }

    /// The engine with other limits.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, cache: Cache::new(&limits), ..self }
    }

    /// Adds a tool, as [`Toolbox::register`] does.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), toolbox::Error> {
        self.toolbox.register(tool)
    }

    /// The engine with another log.
    pub fn with_log(self, log: Arc<dyn CallLog>) -> Self {
        Self { log, ..self }
    }

    /// The tools.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Where projects are found.
    pub fn workspaces(&self) -> &Arc<dyn Workspaces> {
        &self.workspaces
    }

    /// Calls a tool by name. Never fails and never panics: what goes wrong is the outcome.
    pub async fn call(&self, tool: &str, arguments: Value, caller: &Caller) -> Outcome {
        self.call_as(Uuid::now_v7(), tool, arguments, caller).await
    }

    /// Does the same under an id that the caller gives: what a call changes is saved under it, and a call that is made
    /// again under the same id changes nothing more.
    pub async fn call_as(&self, call: Uuid, tool: &str, arguments: Value, caller: &Caller) -> Outcome {
        let (at, begun) = (Timestamp::now(), Instant::now());
        let mut course = Course::default();
        let result = self.run(call, tool, arguments, caller, &mut course).await;
        let metadata = course.tool.as_ref().map(|tool| tool.metadata());
        let outcome = Outcome {
            call,
            result,
            duration: begun.elapsed(),
            attempts: course.attempts,
            cached: course.cached,
            foreign: metadata.and_then(|metadata| metadata.foreign.clone()),
        };
        let record = CallRecord {
            call,
            tool: metadata.map_or(tool, |metadata| &metadata.name).chars().take(64).collect(),
            action: course.action,
            project: course.project,
            agent: caller.agent.clone(),
            at,
            duration: outcome.duration,
            attempts: outcome.attempts,
            cached: outcome.cached,
            argument_bytes: course.bytes,
            failure: outcome.result.as_ref().err().map(|error| error.code().to_owned()),
        };
        tracing::debug!(tool = record.tool, failure = record.failure, "tool called");
        self.log.record(record);
        outcome
    }

    /// What a call of the tool needs, if it can be made at all: the arguments fit, and the caller may. Calls nothing and
    /// opens no project, so the call itself may still fail.
    pub fn examine(&self, tool: &str, arguments: &Value, caller: &Caller) -> Result<Demand, ToolError> {
        arguments::measure(arguments, &self.limits)?;
        admit(self.tool(tool)?, arguments, caller)
    }

    fn tool(&self, name: &str) -> Result<&Arc<Registered>, ToolError> {
        let unknown = || ToolError::UnknownTool { name: name.chars().take(64).collect() };
        self.toolbox.find(name).ok_or_else(unknown)
    }

    async fn run(
        &self,
        call: Uuid,
        name: &str,
        arguments: Value,
        caller: &Caller,
        course: &mut Course,
    ) -> Result<Value, ToolError> {
        course.bytes = arguments::measure(&arguments, &self.limits)?;
        let tool = Arc::clone(self.tool(name)?);
        let metadata = tool.metadata();
        course.tool = Some(Arc::clone(&tool));
        let arguments = if arguments.is_null() { json!({}) } else { arguments };
        course.action = arguments.get("action").and_then(Value::as_str).map(|word| word.chars().take(64).collect());
        let demand = admit(&tool, &arguments, caller)?;
        let (arguments, context) = self.prepare(call, metadata, arguments, caller).await?;
        course.project = context.workspace.as_ref().map(|workspace| workspace.project().to_owned());
        let key = self.key(metadata, demand, &arguments, &context).await?;
        if let Some(answer) = key.as_ref().and_then(|key| self.cache.get(key)) {
            course.cached = true;
            return Ok(answer);
        }
        let answer = self.attempt(tool.as_ref(), demand, &arguments, &context, &mut course.attempts).await?;
        if let Some(key) = key {
            self.cache.put(key, &answer);
        }
        Ok(answer)
    }

    /// Takes out of the arguments what is not the tool's own, and opens the project.
    async fn prepare(
        &self,
        call: Uuid,
        metadata: &Metadata,
        arguments: Value,
        caller: &Caller,
    ) -> Result<(Value, Context), ToolError> {
        let workspaces = Arc::clone(&self.workspaces);
        let mut context = Context { caller: caller.clone(), call, expected_version: None, workspace: None, workspaces };
        if !metadata.requires_project {
            return Ok((arguments, context));
        }
        let mut arguments: Map<String, Value> = match arguments {
            Value::Object(arguments) => arguments,
            _ => return Err(ToolError::invalid("/", "an object")),
        };
        let project = arguments.remove("project_id");
        context.expected_version = arguments.remove("expected_version").and_then(|version| version.as_u64());
        let project = project.as_ref().and_then(Value::as_str);
        let open = || async { self.workspaces.open(project).await.map_err(ToolError::from) };
        context.workspace = Some(open.retry(self.backoff()).when(ToolError::is_retryable).await?);
        Ok((Value::Object(arguments), context))
    }

    /// What the answer is kept under, if it may be kept: it belongs to one version of the project.
    async fn key(
        &self,
        metadata: &Metadata,
        demand: Demand,
        arguments: &Value,
        context: &Context,
    ) -> Result<Option<cache::Key>, ToolError> {
        let Some(workspace) = context.workspace.as_ref().filter(|_| demand.pure) else { return Ok(None) };
        Ok(Some(cache::Key {
            project: workspace.project().to_owned(),
            version: self.version(workspace.as_ref()).await?,
            call: format!(
                "{} {} {:?} {:?} {arguments}",
                metadata.name,
                metadata.version,
                context.caller.language,
                workspace.checks()?
            ),
        }))
    }

    async fn version(&self, workspace: &dyn Workspace) -> Result<u64, ToolError> {
        let ask = || async { workspace.version().await.map_err(ToolError::from) };
        ask.retry(self.backoff()).when(ToolError::is_retryable).await
    }

    async fn attempt(
        &self,
        tool: &Registered,
        demand: Demand,
        arguments: &Value,
        context: &Context,
        attempts: &mut u32,
    ) -> Result<Value, ToolError> {
        let reads = demand.permission == Permission::Read;
        let allowed = tool.metadata().timeout;
        let once = || {
            *attempts += 1;
            // The call itself may panic before it has made a future.
            let running = async { tool.tool().call(arguments.clone(), context).await };
            async move {
                match timeout(allowed, AssertUnwindSafe(running).catch_unwind()).await {
                    Err(_elapsed) => Err(ToolError::TimedOut { after: allowed, reads }),
                    Ok(Err(panic)) => Err(ToolError::Internal { message: said(panic.as_ref()) }),
                    Ok(Ok(result)) => result,
                }
            }
        };
        let wait = |error: &ToolError, planned: Option<Duration>| match error {
            // What asks for more patience than a call has is left to the caller.
            ToolError::Unavailable { retry_after: Some(wait), .. } if *wait > MOST_PATIENCE => None,
            ToolError::Unavailable { retry_after: Some(wait), .. } => planned.map(|planned| planned.max(*wait)),
            _ => planned,
        };
        once.retry(self.backoff()).when(ToolError::is_retryable).adjust(wait).await
    }

    fn backoff(&self) -> ExponentialBuilder {
        let again = self.limits.attempts.saturating_sub(1);
        ExponentialBuilder::new().with_min_delay(self.limits.backoff).with_factor(2.0).with_max_times(again)
    }
}

/// What the call needs, if its arguments fit and the caller may.
fn admit(tool: &Registered, arguments: &Value, caller: &Caller) -> Result<Demand, ToolError> {
    let metadata = tool.metadata();
    if !caller.may_use(&metadata.name) {
        return Err(ToolError::NotOffered { name: metadata.name.clone() });
    }
    arguments::validate(tool.validator(), arguments)?;
    let demand = metadata.demand(arguments);
    if demand.permission > caller.allowance {
        return Err(ToolError::Forbidden { needed: demand.permission, allowed: caller.allowance });
    }
    Ok(demand)
}

/// The longest that is waited between two attempts because something asks for it.
const MOST_PATIENCE: Duration = Duration::from_secs(5);

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text: String = text.unwrap_or_else(|| "it panicked".to_owned()).chars().take(200).collect();
    format!("it stopped at a mistake of its own: {text}")
}
