//! An agent's hands while it works.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qingyu_graph::{Context, NodeError};
use qingyu_llm::structured;
use qingyu_production::GoldenContext;
use qingyu_story::{Language, Story};
use qingyu_tools::{Caller, Permission, Workspace};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Failure, Halt, Proposal, Service, Task, ToolUse, Yardstick};
use crate::call::{Asked, Call, CallRecord, Called, Seat, Written, emit};
use crate::progress::Progress;
use crate::prompts::{Folder, Name};
use crate::tool_use::{Broken, Hands, Limits, read, used};

/// What an agent does a task with. All that comes from outside passes through it, is paid for once and kept.
#[derive(Debug)]
pub struct Work<'a> {
    service: &'a Service,
    context: &'a Context,
    task: &'a Task,
    agent: &'static str,
    folder: Option<&'static Folder>,
    caller: Caller,
    run: &'a str,
    golden: &'a GoldenContext,
    pending: Vec<Proposal>,
    log: Mutex<Log>,
}

/// What an agent did.
#[derive(Debug, Default)]
struct Log {
    calls: Vec<CallRecord>,
    tools: Vec<ToolUse>,
    warnings: Vec<String>,
}

/// In whose name an agent works.
#[derive(Debug)]
pub struct Order<'a> {
    /// The run.
    pub run: &'a str,
    /// What every model is told of the project.
    pub golden: &'a GoldenContext,
    /// The most its calls of tools may do.
    pub allowance: Permission,
    /// Changes that others proposed and that are not in the project.
    pub pending: Vec<Proposal>,
}

/// A question to a model.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// What for: the file in the agent's folder, and with its name the purpose, such as `creative.plot`.
    pub act: &'static str,
    /// Tells apart questions for the same purpose.
    pub part: &'a str,
    /// How freely to answer; the provider's default when absent.
    pub temperature: Option<f32>,
}

impl<'a> Asking<'a> {
    /// The only question for its purpose.
    pub fn once(act: &'static str) -> Self {
        Self { act, part: "", temperature: None }
    }
}

impl<'a> Work<'a> {
    /// The hands of `agent` for `task`.
    pub fn new(
        service: &'a Service,
        context: &'a Context,
        agent: &dyn super::Agent,
        task: &'a Task,
        order: Order<'a>,
    ) -> Self {
        let caller = Caller {
            tools: Some(agent.tools().iter().map(|tool| (*tool).to_owned()).collect()),
            language: task.language,
            run: Some(order.run.to_owned()),
            ..Caller::new(agent.name(), order.allowance)
        };
        Self {
            service,
            context,
            task,
            agent: agent.name(),
            folder: agent.prompts(),
            caller,
            run: order.run,
            golden: order.golden,
            pending: order.pending,
            log: Mutex::default(),
        }
    }

    /// The engine, as the node that the agent works in sees it.
    pub fn context(&self) -> &Context {
        self.context
    }

    /// The language to speak in.
    pub fn language(&self) -> Language {
        self.task.language
    }

    /// Which rules of the checker run.
    pub fn rules(&self) -> &qingyu_story::Config {
        &self.service.workshop.rules
    }

    /// What texts are counted and reviewed by.
    pub fn yardstick(&self) -> &Yardstick {
        match &self.service.yardstick {
            Some(given) => given,
            None => Yardstick::builtin(),
        }
    }

    /// Says what went on in a simpler way.
    pub fn warn(&self, message: impl Into<String>) {
        let message = message.into();
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.log().warnings.push(message);
    }

    /// Asks a model for a `T`, filling the prompt from `context`, which must be an object.
    ///
    /// Gives the failure if the model answered, but never with anything that can be used. Fails if the model cannot be
    /// reached.
    pub async fn ask<T>(
        &self,
        asking: Asking<'_>,
        context: &(impl Serialize + Sync),
        check: &structured::Check<'_, T>,
    ) -> Result<Result<T, Failure>, Halt>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        self.ask_with(asking, context, context, check).await
    }

    /// Does the same with a prompt that is filled from something else than the typed context.
    pub async fn ask_with<T>(
        &self,
        asking: Asking<'_>,
        prompt: &(impl Serialize + Sync),
        context: &(impl Serialize + Sync),
        check: &structured::Check<'_, T>,
    ) -> Result<Result<T, Failure>, Halt>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        let called = self.call(asking, prompt, context)?.ask(Some(check)).await;
        self.counted(called)
    }

    /// Asks a model for prose; as [`ask`](Self::ask).
    pub(crate) async fn write(
        &self,
        asking: Asking<'_>,
        context: &(impl Serialize + Sync),
    ) -> Result<Result<Written, Failure>, Halt> {
        let called = self.call(asking, context, context)?.write().await;
        self.counted(called)
    }

    /// Has a model call the tools that the agent may use until it answers in words; as [`ask`](Self::ask).
    pub(crate) async fn act(
        &self,
        asking: Asking<'_>,
        context: &(impl Serialize + Sync),
        limits: Limits,
    ) -> Result<Result<String, Failure>, Halt> {
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
            Err(Broken::Model(error)) => Ok(Err(Failure::Model { message: error.to_string() })),
            Err(Broken::Run(error)) => Ok(Err(refusal(error)?)),
        }
    }

    /// What a call came to. A model that says that it cannot do such a thing fails the task, not the run; that is not
    /// kept, so that another model may be asked later.
    fn counted<T>(&self, called: Result<Called<T>, NodeError>) -> Result<Result<T, Failure>, Halt> {
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
        asking: Asking<'_>,
        prompt: &impl Serialize,
        context: &impl Serialize,
    ) -> Result<Call<'_>, NodeError> {
        let workshop = &self.service.workshop;
        let folder = self.folder.expect("an agent that asks a model has prompts");
        let names = [Name::of(folder, "system"), Name::of(folder, asking.act)];
        let language = self.task.language;
        let part = match asking.part {
            "" => self.task.task_id.clone(),
            part => format!("{}/{part}", self.task.task_id),
        };
        let asked = Asked {
            agent: self.agent,
            purpose: format!("{}.{}", self.agent, asking.act),
            part,
            chapter: self.task.chapter.as_deref().and_then(|chapter| chapter.trim().parse().ok()),
            names,
            temperature: asking.temperature,
            essential: false,
        };
        let seat = Seat { workshop, context: self.context, language, golden: self.golden };
        Ok(seat.call(asked, prompt, context)?)
    }

    /// Calls tools that the agent may use: reads side by side, writes in their order. What fails is data.
    ///
    /// `name` tells these calls apart from others of the same work.
    pub async fn tools(&self, name: &str, calls: &[(&str, Value)]) -> Result<Vec<ToolUse>, Halt> {
        let used = self.hands().together(name, calls).await?;
        self.log().tools.extend(used.iter().cloned());
        Ok(used)
    }

    /// Calls one tool, as [`tools`](Self::tools) does.
    pub async fn tool(&self, name: &str, tool: &str, arguments: Value) -> Result<ToolUse, Halt> {
        let used = self.tools(name, &[(tool, arguments)]).await?;
        Ok(used.into_iter().next().unwrap_or_default())
    }

    pub(crate) fn hands(&self) -> Hands<'_> {
        Hands {
            engine: &self.service.tools,
            caller: self.caller.clone(),
            context: self.context,
            agent: self.agent,
            project: self.task.project.as_deref(),
            key: format!("{}/{}", self.run, self.task.task_id),
        }
    }

    /// Looks something up in the story of the project, once: `look` sees what earlier tasks propose to change as if it
    /// were done. `name` tells it apart from other look-ups of the same work; what `look` gives is kept.
    ///
    /// Fails with [`Failure::NoProject`] if the project cannot be opened.
    pub async fn read<T>(&self, name: &str, look: impl FnOnce(&Story) -> T + Send) -> Result<T, Halt>
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
        let workspace = self.service.tools.workspaces().open(self.task.project.as_deref()).await.map_err(failed)?;
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

    /// The calls of tools and the warnings so far.
    pub(super) fn told(&self) -> (Vec<ToolUse>, Vec<String>) {
        let log = self.log();
        (log.tools.clone(), log.warnings.clone())
    }

    /// The calls of models and tools and the warnings, at the end.
    pub(crate) fn into_log(self) -> (Vec<CallRecord>, Vec<ToolUse>, Vec<String>) {
        let log = self.log.into_inner().unwrap_or_else(PoisonError::into_inner);
        (log.calls, log.tools, log.warnings)
    }

    /// Changes that earlier tasks propose and that are not in the project.
    pub fn pending(&self) -> &[Proposal] {
        &self.pending
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The failure that a model's refusal is; any other error stays what it is.
fn refusal(error: NodeError) -> Result<Failure, Halt> {
    match error {
        NodeError::Failed { retryable, source } => match source.downcast::<crate::Error>() {
            Ok(error) => match *error {
                crate::Error::Model { source: qingyu_llm::Error::Unsupported { model, purpose, hint }, .. } => {
                    Ok(Failure::Unsupported { model, purpose, hint })
                }
                error => Err(Halt::Run(error.into())),
            },
            Err(source) => Err(Halt::Run(NodeError::Failed { retryable, source })),
        },
        error => Err(Halt::Run(error)),
    }
}
