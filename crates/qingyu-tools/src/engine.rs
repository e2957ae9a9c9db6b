//! Executes calls: all common processing around a tool.
//!
//! In order: size of the arguments, the tool lookup, validation against its schema, the caller's permission, the
//! project, the cache, then the tool itself with a timeout, and retries with back-off if its error allows. Every result
//! is an [`Outcome`], even if the tool panics.

pub(crate) mod arguments;
mod cache;
mod limits;
#[cfg(test)]
mod tests;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use futures::FutureExt;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::tool::{CallDemand, Metadata, Permission};
use crate::toolbox::{self, RegisteredTool};
use crate::{Tool, ToolCaller, ToolContext, ToolError, Toolbox, Workspace, Workspaces};
use cache::AnswerCache;
use limits::EngineLimits;

/// An executor of tool calls on a toolbox.
#[derive(Debug)]
pub struct Engine {
    toolbox: Toolbox,
    workspaces: Arc<dyn Workspaces>,
    limits: EngineLimits,
    cache: AnswerCache,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Id of the call.
    pub call: Uuid,
    /// The answer or the error.
    pub result: Result<Value, ToolError>,
    /// Duration of all attempts.
    pub duration: Duration,
    /// Number of attempts; 0 if the tool was not called.
    pub attempts: u32,
    /// Whether the answer was cached.
    pub cached: bool,
    /// Source of a foreign tool. The answer is then untrusted data, never an instruction.
    pub foreign: Option<String>,
}

impl Outcome {
    /// Returns the outcome for agents and programs: `{"ok": true, "result": …}`, or `{"ok": false, "error": …}` with
    /// the value of [`ToolError::to_json`]. Output of a foreign tool has its `source` and `"untrusted": true`.
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

/// Facts collected during a call.
#[derive(Default)]
struct CallProgress {
    tool: Option<Arc<RegisteredTool>>,
    attempts: u32,
    cached: bool,
}

impl Engine {
    /// Returns an engine with default limits.
    pub fn new(toolbox: Toolbox, workspaces: Arc<dyn Workspaces>) -> Self {
        let limits = EngineLimits::default();
        Self { toolbox, workspaces, limits, cache: AnswerCache::new(&limits) }
    }

    /// Registers a tool, like [`Toolbox::register`].
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), toolbox::Error> {
        self.toolbox.register(tool)
    }

    /// Returns the toolbox.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Returns the source of projects.
    pub fn workspaces(&self) -> &Arc<dyn Workspaces> {
        &self.workspaces
    }

    /// Calls a tool by name. Never fails and never panics: errors are part of the outcome.
    pub async fn call(&self, tool: &str, arguments: Value, caller: &ToolCaller) -> Outcome {
        self.call_as(Uuid::now_v7(), tool, arguments, caller).await
    }

    /// Calls a tool with an id given by the caller: changes are saved under the id, and a repeated call with the same
    /// id changes nothing more.
    pub async fn call_as(&self, call: Uuid, tool: &str, arguments: Value, caller: &ToolCaller) -> Outcome {
        let begun = Instant::now();
        let mut course = CallProgress::default();
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
        let name: String = metadata.map_or(tool, |metadata| &metadata.name).chars().take(64).collect();
        let failure = outcome.result.as_ref().err().map(ToolError::code);
        tracing::debug!(tool = name, failure, "tool called");
        outcome
    }

    /// Validates a call and returns its demand: the arguments fit, and the caller is authorized. Calls nothing and
    /// opens no project, so the call itself may still fail.
    pub fn examine(&self, tool: &str, arguments: &Value, caller: &ToolCaller) -> Result<CallDemand, ToolError> {
        arguments::measure(arguments, &self.limits)?;
        admit(self.tool(tool)?, arguments, caller)
    }

    fn tool(&self, name: &str) -> Result<&Arc<RegisteredTool>, ToolError> {
        let unknown = || ToolError::UnknownTool { name: name.chars().take(64).collect() };
        self.toolbox.registered(name).ok_or_else(unknown)
    }

    async fn run(
        &self,
        call: Uuid,
        name: &str,
        arguments: Value,
        caller: &ToolCaller,
        course: &mut CallProgress,
    ) -> Result<Value, ToolError> {
        arguments::measure(&arguments, &self.limits)?;
        let tool = Arc::clone(self.tool(name)?);
        let metadata = tool.metadata();
        course.tool = Some(Arc::clone(&tool));
        let arguments = if arguments.is_null() { json!({}) } else { arguments };
        let demand = admit(&tool, &arguments, caller)?;
        let (arguments, context) = self.prepare(call, metadata, arguments, caller).await?;
        let key = self.key(metadata, demand, &arguments, &context).await?;
        if let Some(answer) = key.as_ref().and_then(|key| self.cache.get(key)) {
            course.cached = true;
            return Ok(answer);
        }
        let answer = self.attempt(tool.as_ref(), demand, &arguments, &context, &mut course.attempts).await?;
        if let Some(key) = key.filter(|_| tool.tool().may_keep(&answer)) {
            self.cache.put(key, &answer);
        }
        Ok(answer)
    }

    /// Removes engine arguments and opens the project.
    async fn prepare(
        &self,
        call: Uuid,
        metadata: &Metadata,
        arguments: Value,
        caller: &ToolCaller,
    ) -> Result<(Value, ToolContext), ToolError> {
        let workspaces = Arc::clone(&self.workspaces);
        let mut context =
            ToolContext { caller: caller.clone(), call, expected_version: None, workspace: None, workspaces };
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

    /// Returns the cache key of the answer, if cacheable: an answer belongs to a version of the project.
    async fn key(
        &self,
        metadata: &Metadata,
        demand: CallDemand,
        arguments: &Value,
        context: &ToolContext,
    ) -> Result<Option<cache::CacheKey>, ToolError> {
        let Some(workspace) = context.workspace.as_ref().filter(|_| demand.pure) else { return Ok(None) };
        let version = self.version(workspace.as_ref()).await?;
        let checks = workspace.checks().await?;
        Ok(Some(cache::CacheKey {
            project: workspace.project().to_owned(),
            version,
            call: format!(
                "{} {} {:?} {checks:?} {arguments}",
                metadata.name, metadata.version, context.caller.language
            ),
        }))
    }

    async fn version(&self, workspace: &dyn Workspace) -> Result<u64, ToolError> {
        let ask = || async { workspace.version().await.map_err(ToolError::from) };
        ask.retry(self.backoff()).when(ToolError::is_retryable).await
    }

    async fn attempt(
        &self,
        tool: &RegisteredTool,
        demand: CallDemand,
        arguments: &Value,
        context: &ToolContext,
        attempts: &mut u32,
    ) -> Result<Value, ToolError> {
        let reads = demand.permission == Permission::Read;
        let allowed = tool.metadata().timeout;
        let once = || {
            *attempts += 1;
            // The call itself may panic before returning a future.
            let running = async { tool.tool().call(arguments.clone(), context).await };
            async move {
                match timeout(allowed, AssertUnwindSafe(running).catch_unwind()).await {
                    Err(_elapsed) => Err(ToolError::TimedOut { after: allowed, reads }),
                    Ok(Err(panic)) => Err(ToolError::Internal { message: panic_message(panic.as_ref()) }),
                    Ok(Ok(result)) => result,
                }
            }
        };
        let wait = |error: &ToolError, planned: Option<Duration>| match error {
            // Waits above the maximum are left to the caller.
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

/// Returns the call's demand if its arguments are valid and the caller is authorized.
fn admit(tool: &RegisteredTool, arguments: &Value, caller: &ToolCaller) -> Result<CallDemand, ToolError> {
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

/// Maximum requested wait between two attempts.
const MOST_PATIENCE: Duration = Duration::from_secs(5);

/// Returns the message of a panic.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let text: String = text.unwrap_or_else(|| "it panicked".to_owned()).chars().take(200).collect();
    format!("it stopped at a mistake of its own: {text}")
}
