//! An agent's access to the outside: model calls, tools, the story.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qingyu_graph::{Context, NodeError};
use qingyu_llm::structured;
use qingyu_production::GoldenContext;
use qingyu_story::{Language, Story};
use qingyu_tools::{Engine, Permission, ToolCaller, Workspace};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::{AgentHalt, Failure};
use super::proposal::Proposal;
use super::task::{Task, ToolUse};
use super::yardstick::Yardstick;
use crate::call::{CallContext, CallRecord, CallResult, CallSpec, NodeCall, WrittenProse, emit};
use crate::progress::Progress;
use crate::prompts::{PromptFolder, PromptName};
use crate::tool_use::{AgentTools, Limits, LoopError, read, used};
use crate::workshop::PipelineResources;

/// The environment of an agent's task. All external data passes through here, is paid for once and stored.
#[derive(Debug)]
pub(crate) struct AgentWork<'a> {
    access: AgentAccess<'a>,
    context: &'a Context,
    task: &'a Task,
    caller: ToolCaller,
    run: &'a str,
    golden: &'a GoldenContext,
    pending: Vec<Proposal>,
    log: Mutex<WorkLog>,
}

/// The log of an agent.
#[derive(Debug, Default)]
struct WorkLog {
    calls: Vec<CallRecord>,
    tools: Vec<ToolUse>,
    warnings: Vec<String>,
}

/// One agent, with the resources of the service for it.
#[derive(Debug)]
pub(crate) struct AgentAccess<'a> {
    /// Name of the agent.
    pub(crate) agent: &'static str,
    /// Prompts of the agent.
    pub(crate) folder: Option<&'static PromptFolder>,
    /// Names of the tools it may call.
    pub(crate) allowed: &'static [&'static str],
    /// Models, prompts, prices and rules.
    pub(crate) workshop: &'a PipelineResources,
    /// The tools, with access to projects.
    pub(crate) tools: &'a Engine,
    /// Lists and rules for counting and review.
    pub(crate) yardstick: &'a Yardstick,
}

/// The run and permissions of an agent.
#[derive(Debug)]
pub(crate) struct WorkOrder<'a> {
    /// Id of the run.
    pub(crate) run: &'a str,
    /// Project facts for every model.
    pub(crate) golden: &'a GoldenContext,
    /// Maximum permission of tool calls.
    pub(crate) allowance: Permission,
    /// Proposals of other agents, not yet in the project.
    pub(crate) pending: Vec<Proposal>,
}

/// A request to a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelQuestion<'a> {
    /// Name of the prompt file in the agent's folder; with the agent's name also the purpose, such as `creative.plot`.
    pub(crate) act: &'static str,
    /// Distinguishes several requests with one purpose.
    pub(crate) part: &'a str,
    /// Sampling temperature; `None` uses the provider's default.
    pub(crate) temperature: Option<f32>,
}

impl<'a> ModelQuestion<'a> {
    /// Returns the only request for a purpose.
    pub(crate) fn once(act: &'static str) -> Self {
        Self { act, part: "", temperature: None }
    }
}

impl<'a> AgentWork<'a> {
    /// Returns the environment of the agent with `access` for `task`.
    pub(crate) fn new(access: AgentAccess<'a>, context: &'a Context, task: &'a Task, order: WorkOrder<'a>) -> Self {
        let caller = ToolCaller {
            tools: Some(access.allowed.iter().map(|tool| (*tool).to_owned()).collect()),
            language: task.language,
            run: Some(order.run.to_owned()),
            ..ToolCaller::new(access.agent, order.allowance)
        };
        let (run, golden, pending) = (order.run, order.golden, order.pending);
        Self { access, context, task, caller, run, golden, pending, log: Mutex::default() }
    }

    /// Returns the engine's context of the current node.
    pub(crate) fn context(&self) -> &Context {
        self.context
    }

    /// Returns the language of the task.
    pub(crate) fn language(&self) -> Language {
        self.task.language
    }

    /// Returns the configuration of the checker's rules.
    pub(crate) fn rules(&self) -> &qingyu_story::Config {
        &self.access.workshop.rules
    }

    /// Returns the lists and rules for counting and review.
    pub(crate) fn yardstick(&self) -> &Yardstick {
        self.access.yardstick
    }

    /// Emits and logs a warning about a fallback.
    pub(crate) fn warn(&self, message: impl Into<String>) {
        let message = message.into();
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.log().warnings.push(message);
    }

    /// Asks a model for a `T`, with the prompt rendered from `context`, which must serialize to an object.
    ///
    /// Returns the failure for an unusable answer. Returns an error if the model cannot be reached.
    pub(crate) async fn ask<T>(
        &self,
        asking: ModelQuestion<'_>,
        context: &(impl Serialize + Sync),
        check: &structured::AnswerCheck<'_, T>,
    ) -> Result<Result<T, Failure>, AgentHalt>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        self.ask_with(asking, context, context, check).await
    }

    /// Asks with a prompt rendered from another value than the typed context.
    pub(crate) async fn ask_with<T>(
        &self,
        asking: ModelQuestion<'_>,
        prompt: &(impl Serialize + Sync),
        context: &(impl Serialize + Sync),
        check: &structured::AnswerCheck<'_, T>,
    ) -> Result<Result<T, Failure>, AgentHalt>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        let called = self.call(asking, prompt, context)?.ask(Some(check)).await;
        self.counted(called)
    }

    /// Asks a model for prose; errors are the same as for [`ask`](Self::ask).
    pub(crate) async fn write(
        &self,
        asking: ModelQuestion<'_>,
        context: &(impl Serialize + Sync),
    ) -> Result<Result<WrittenProse, Failure>, AgentHalt> {
        let called = self.call(asking, context, context)?.write().await;
        self.counted(called)
    }

    /// Runs a tool loop with the agent's tools until the model answers in text; errors are the same as for
    /// [`ask`](Self::ask).
    pub(crate) async fn act(
        &self,
        asking: ModelQuestion<'_>,
        context: &(impl Serialize + Sync),
        limits: Limits,
    ) -> Result<Result<String, Failure>, AgentHalt> {
        let call = self.call(asking, context, context)?;
        let (answered, records) = self.hands().converse(&call, limits).await;
        self.log().calls.extend(records);
        match answered {
            Ok(answered) => {
                let calls = answered.calls.into_iter();
                let used =
                    calls.filter_map(|called| Some(used(&called.tool, read(&called.arguments), &called.answer?)));
                self.log().tools.extend(used);
                Ok(Ok(answered.text))
            }
            Err(LoopError::Model(error)) => Ok(Err(Failure::Model { message: error.to_string() })),
            Err(LoopError::Run(error)) => Ok(Err(refusal(error)?)),
        }
    }

    /// Logs a call and returns its value. A model without support for the request fails the task, not the run; the
    /// failure is not cached, so that another model may be called later.
    fn counted<T>(&self, called: Result<CallResult<T>, NodeError>) -> Result<Result<T, Failure>, AgentHalt> {
        let called = match called {
            Ok(called) => called,
            Err(error) => return Ok(Err(refusal(error)?)),
        };
        let message = called.error();
        self.log().calls.push(called.record);
        Ok(called.value.ok_or(Failure::Model { message }))
    }

    fn call(
        &self,
        asking: ModelQuestion<'_>,
        prompt: &impl Serialize,
        context: &impl Serialize,
    ) -> Result<NodeCall<'_>, NodeError> {
        let (workshop, agent) = (self.access.workshop, self.access.agent);
        let folder = self.access.folder.expect("an agent that asks a model has prompts");
        let names = [PromptName::of(folder, "system"), PromptName::of(folder, asking.act)];
        let language = self.task.language;
        let part = match asking.part {
            "" => self.task.task_id.clone(),
            part => format!("{}/{part}", self.task.task_id),
        };
        let asked = CallSpec {
            agent,
            purpose: format!("{agent}.{}", asking.act),
            part,
            chapter: self.task.chapter.as_deref().and_then(|chapter| chapter.trim().parse().ok()),
            names,
            temperature: asking.temperature,
            essential: false,
        };
        let seat = CallContext { workshop, context: self.context, language, golden: self.golden };
        Ok(seat.call(asked, prompt, context)?)
    }

    /// Calls tools allowed for the agent: reads concurrently, writes in order. A failed call is data.
    ///
    /// `name` distinguishes these calls from others of the same task.
    pub(crate) async fn tools(&self, name: &str, calls: &[(&str, Value)]) -> Result<Vec<ToolUse>, AgentHalt> {
        let used = self.hands().together(name, calls).await?;
        self.log().tools.extend(used.iter().cloned());
        Ok(used)
    }

    /// Calls one tool, as [`tools`](Self::tools) does.
    pub(crate) async fn tool(&self, name: &str, tool: &str, arguments: Value) -> Result<ToolUse, AgentHalt> {
        let used = self.tools(name, &[(tool, arguments)]).await?;
        Ok(used.into_iter().next().unwrap_or_default())
    }

    pub(crate) fn hands(&self) -> AgentTools<'_> {
        AgentTools {
            engine: self.access.tools,
            caller: self.caller.clone(),
            context: self.context,
            agent: self.access.agent,
            project: self.task.project.as_deref(),
            key: format!("{}/{}", self.run, self.task.task_id),
        }
    }

    /// Reads from the project's story with `look`, as a stored step. The story includes pending proposals of earlier
    /// tasks. `name` distinguishes this read from others of the same task.
    ///
    /// Returns [`Failure::NoProject`] if the project cannot be opened.
    pub(crate) async fn read<T>(&self, name: &str, look: impl FnOnce(&Story) -> T + Send) -> Result<T, AgentHalt>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let key = format!("read/{}/{name}", self.task.task_id);
        let looked: Result<T, Failure> = self
            .context
            .step(&key, &self.task.project, || async {
                let story = match self.story().await {
                    Ok(story) => story,
                    Err(failure) => return Ok::<_, NodeError>(Err(failure)),
                };
                Ok(Ok(look(&story)))
            })
            .await?;
        Ok(looked?)
    }

    async fn story(&self) -> Result<Arc<Story>, Failure> {
        let failed = |error: qingyu_tools::workspace::Error| Failure::NoProject { message: error.to_string() };
        let workspace = self.access.tools.workspaces().open(self.task.project.as_deref()).await.map_err(failed)?;
        let mut story = Workspace::load(&workspace).await.map_err(failed)?.story;
        for proposal in &self.pending {
            let known = proposal.document.as_ref();
            let known = known.and_then(|id| story.documents.iter().position(|document| document.id == *id));
            if let Some(position) = known.filter(|position| proposal.fits(&story.documents[*position].text)) {
                Arc::make_mut(&mut story).documents[position].text.clone_from(&proposal.text);
            }
        }
        Ok(story)
    }

    /// Returns tool calls and warnings so far.
    pub(super) fn told(&self) -> (Vec<ToolUse>, Vec<String>) {
        let log = self.log();
        (log.tools.clone(), log.warnings.clone())
    }

    /// Returns all model calls, tool calls and warnings.
    pub(crate) fn into_log(self) -> (Vec<CallRecord>, Vec<ToolUse>, Vec<String>) {
        let log = self.log.into_inner().unwrap_or_else(PoisonError::into_inner);
        (log.calls, log.tools, log.warnings)
    }

    fn log(&self) -> MutexGuard<'_, WorkLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts a model's refusal into a failure; returns any other error unchanged.
fn refusal(error: NodeError) -> Result<Failure, AgentHalt> {
    match error {
        NodeError::Failed { retryable, source } => match source.downcast::<crate::Error>() {
            Ok(error) => match *error {
                crate::Error::Model { source: qingyu_llm::Error::Unsupported { model, purpose, hint }, .. } => {
                    Ok(Failure::Unsupported { model, purpose, hint })
                }
                error => Err(AgentHalt::Run(error.into())),
            },
            Err(source) => Err(AgentHalt::Run(NodeError::Failed { retryable, source })),
        },
        error => Err(AgentHalt::Run(error)),
    }
}
