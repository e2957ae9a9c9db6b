//! Tool loops inside a run of the engine: every round and call is a stored step.

use qingyu_graph::{Context, NodeError};
use qingyu_llm::{ChatRequest, Reply};
use qingyu_story::digest::prefix;
use qingyu_tools::{Engine, ToolCaller};
use serde_json::{Value, json};
use uuid::Uuid;

use super::tool_loop::{Limits, ToolAnswer, ToolLoop, ToolLoopAnswer, converse, together};
use crate::call::{CallRecord, NodeCall, emit};
use crate::progress::Progress;
use crate::service::task::ToolUse;

/// The tools of one agent, for one task.
pub(crate) struct AgentTools<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) caller: ToolCaller,
    pub(crate) context: &'a Context,
    pub(crate) agent: &'a str,
    /// Default project of tool calls.
    pub(crate) project: Option<&'a str>,
    /// Key of the task, unique across runs; also the key of its writes.
    pub(crate) key: String,
}

/// The error that ended a loop.
#[derive(Debug)]
pub(crate) enum LoopError {
    /// The model gave no usable answer.
    Model(qingyu_llm::Error),
    /// The run stops.
    Run(NodeError),
}

impl From<qingyu_llm::Error> for LoopError {
    fn from(error: qingyu_llm::Error) -> Self {
        Self::Model(error)
    }
}

impl AgentTools<'_> {
    /// Executes tool calls chosen by the agent. `name` distinguishes them from others of the same task.
    pub(crate) async fn together(&self, name: &str, calls: &[(&str, Value)]) -> Result<Vec<ToolUse>, NodeError> {
        let steps = StoredLoop { hands: self, name, call: None, records: std::sync::Mutex::default() };
        let asked = calls.iter().map(|(tool, arguments)| (*tool, self.complete(tool, arguments.clone()))).collect();
        let answers = together(&steps, self.engine, &self.caller, 0, asked).await;
        let answers = answers.map_err(|broken| match broken {
            LoopError::Run(error) => error,
            LoopError::Model(error) => error.into(),
        })?;
        Ok(calls
            .iter()
            .zip(answers)
            .map(|((tool, arguments), answer)| used(tool, arguments.clone(), &answer))
            .collect())
    }

    /// Runs a tool loop from the request `call`; also returns the records of all rounds.
    pub(crate) async fn converse(
        &self,
        call: &NodeCall<'_>,
        limits: Limits,
    ) -> (Result<ToolLoopAnswer, LoopError>, Vec<CallRecord>) {
        let steps =
            StoredLoop { hands: self, name: &call.part, call: Some(call), records: std::sync::Mutex::default() };
        let answered = converse(&steps, self.engine, &self.caller, call.request(), limits).await;
        (answered, steps.records.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Inserts the default project into the arguments, if the tool requires a project and none is given.
    fn complete(&self, tool: &str, mut arguments: Value) -> Value {
        let wants = self.engine.toolbox().find(tool).is_some_and(|tool| tool.metadata().requires_project);
        if let (true, Some(project), Some(fields)) = (wants, self.project, arguments.as_object_mut())
            && fields.get("project_id").is_none_or(Value::is_null)
        {
            fields.insert("project_id".into(), json!(project));
        }
        arguments
    }

    async fn carry_out(&self, step: &str, tool: &str, arguments: Value) -> Result<ToolAnswer, NodeError> {
        let arguments = self.complete(tool, arguments);
        let step = format!("tool/{step}");
        let id = named(&format!("{}/{step}", self.key));
        let answer: ToolAnswer = self
            .context
            .step(&step, &(tool, &arguments), || async {
                Ok::<_, NodeError>(self.engine.call_as(id, tool, arguments.clone(), &self.caller).await.into())
            })
            .await?;
        let told = Progress::ToolCalled {
            agent: self.agent.into(),
            tool: tool.into(),
            success: answer.is_ok(),
            millis: answer.duration_ms,
        };
        emit(self.context, &told);
        Ok(answer)
    }
}

/// A loop, or a batch of calls, executed as stored steps.
struct StoredLoop<'a> {
    hands: &'a AgentTools<'a>,
    name: &'a str,
    call: Option<&'a NodeCall<'a>>,
    records: std::sync::Mutex<Vec<CallRecord>>,
}

impl ToolLoop for StoredLoop<'_> {
    type Error = LoopError;

    async fn ask(&self, round: usize, request: &ChatRequest) -> Result<Reply, LoopError> {
        let call = self.call.expect("only a loop has rounds");
        let called = call.round(round, request).await.map_err(LoopError::Run)?;
        let message = called.error();
        let purpose = called.record.purpose.clone();
        self.records.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(called.record);
        called.value.ok_or_else(|| {
            let problems = vec![message];
            LoopError::Model(qingyu_llm::Error::BadOutput { purpose, attempts: 1, raw: String::new(), problems })
        })
    }

    async fn carry_out(
        &self,
        (round, number): (usize, usize),
        tool: &str,
        arguments: Value,
    ) -> Result<ToolAnswer, LoopError> {
        let step = format!("{}/{round}/{number}", self.name);
        self.hands.carry_out(&step, tool, arguments).await.map_err(LoopError::Run)
    }
}

/// Returns a call in the form used in an agent's result.
pub(crate) fn used(tool: &str, parameters: Value, answer: &ToolAnswer) -> ToolUse {
    ToolUse {
        tool_name: tool.to_owned(),
        parameters,
        duration_ms: answer.duration_ms,
        success: answer.is_ok(),
        error: answer.error(),
        result: answer.result().clone(),
    }
}

/// Returns an id derived from `name`; equal names give equal ids.
pub(crate) fn named(name: &str) -> Uuid {
    uuid::Builder::from_custom_bytes(prefix(name.as_bytes())).into_uuid()
}
