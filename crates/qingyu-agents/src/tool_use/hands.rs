//! Tools in a run of the engine: every round and every call is a step that is kept.

use qingyu_graph::{Context, NodeError};
use qingyu_llm::{Reply, Request};
use qingyu_tools::{Caller, Engine};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Answered, Limits, Rounds, ToolAnswer, converse, together};
use crate::call::{Call, CallRecord, emit};
use crate::progress::Progress;
use crate::service::ToolUse;

/// The tools of one agent at work.
pub(crate) struct Hands<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) caller: Caller,
    pub(crate) context: &'a Context,
    pub(crate) agent: &'a str,
    /// The project of calls that name none.
    pub(crate) project: Option<&'a str>,
    /// Names the work for ever, across runs: what is written is written under it.
    pub(crate) key: String,
}

/// What ended a loop.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The model gave nothing that can be used.
    Model(qingyu_llm::Error),
    /// The run stops.
    Run(NodeError),
}

impl From<qingyu_llm::Error> for Broken {
    fn from(error: qingyu_llm::Error) -> Self {
        Self::Model(error)
    }
}

impl Hands<'_> {
    /// Calls tools of the agent's own choice. `name` tells them apart from others of the same work.
    pub(crate) async fn together(&self, name: &str, calls: &[(&str, Value)]) -> Result<Vec<ToolUse>, NodeError> {
        let steps = Steps { hands: self, name, call: None, records: std::sync::Mutex::default() };
        let asked = calls.iter().map(|(tool, arguments)| (*tool, self.complete(tool, arguments.clone()))).collect();
        let answers = together(&steps, self.engine, &self.caller, 0, asked).await;
        let answers = answers.map_err(|broken| match broken {
            Broken::Run(error) => error,
            Broken::Model(error) => error.into(),
        })?;
        Ok(calls
            .iter()
            .zip(answers)
            .map(|((tool, arguments), answer)| used(tool, arguments.clone(), &answer))
            .collect())
    }

    /// Has a model call tools until it answers in words; `call` is the question. Beside it the records of all rounds.
    pub(crate) async fn converse(
        &self,
        call: &Call<'_>,
        limits: Limits,
    ) -> (Result<Answered, Broken>, Vec<CallRecord>) {
        let steps = Steps { hands: self, name: &call.part, call: Some(call), records: std::sync::Mutex::default() };
        let answered = converse(&steps, self.engine, &self.caller, call.request(), limits).await;
        (answered, steps.records.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// The arguments with the project, where the tool wants one and none is named.
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

/// One loop, or one bundle of calls, as steps.
struct Steps<'a> {
    hands: &'a Hands<'a>,
    name: &'a str,
    call: Option<&'a Call<'a>>,
    records: std::sync::Mutex<Vec<CallRecord>>,
}

impl Rounds for Steps<'_> {
    type Error = Broken;

    async fn ask(&self, round: usize, request: &Request) -> Result<Reply, Broken> {
        let call = self.call.expect("only a loop has rounds");
        let called = call.round(round, request).await.map_err(Broken::Run)?;
        let message = called.error();
        let purpose = called.record.purpose.clone();
        self.records.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(called.record);
        called.value.ok_or_else(|| {
            let problems = vec![message];
            Broken::Model(qingyu_llm::Error::BadOutput { purpose, attempts: 1, raw: String::new(), problems })
        })
    }

    async fn carry_out(
        &self,
        (round, number): (usize, usize),
        tool: &str,
        arguments: Value,
    ) -> Result<ToolAnswer, Broken> {
        let step = format!("{}/{round}/{number}", self.name);
        self.hands.carry_out(&step, tool, arguments).await.map_err(Broken::Run)
    }
}

/// A call as the result of an agent shows it.
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

/// An id that is the same whenever it is made of the same name.
pub(crate) fn named(name: &str) -> Uuid {
    let digest = Sha256::digest(name);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
