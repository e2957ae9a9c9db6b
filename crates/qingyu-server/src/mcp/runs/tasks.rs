//! Runs as tasks of the protocol's extension: a task has the run's id and exists as long as the run.

use qingyu_story::Language;
use qingyu_studio::{Outcome, RunStatus};
use rmcp::model::{
    ClientCapabilities, DetailedTask, ElicitRequest, ElicitResult, ErrorData, InputRequest, InputRequests,
    InputResponses, Task, TaskPayload, TaskStatus,
};
use serde_json::Value;

use super::document::{document, failed, line};
use super::{McpRuns, RunLogBounds, question};
use crate::mcp::calls::can_ask;
use crate::mcp::to_wire;

/// Recommended polling interval of a client, in milliseconds.
const POLL: u64 = 1_000;

/// A run as a task of the protocol.
pub(in crate::mcp) struct RunTask {
    outcome: Outcome,
    log: RunLogBounds,
}

impl McpRuns {
    /// Returns the run with an exact id.
    pub(in crate::mcp) async fn task(&self, id: &str) -> Result<RunTask, ErrorData> {
        let unknown = || ErrorData::invalid_params(format!("unknown task: {id}"), None);
        match self.look(id).await {
            Ok((outcome, log)) if outcome.run == id => Ok(RunTask { outcome, log }),
            Ok(_) => Err(unknown()),
            Err(error) if matches!(error.code(), "unknown_run" | "ambiguous_id") => Err(unknown()),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), Some(failed(&error).to_json()))),
        }
    }
}

impl RunTask {
    /// Returns the task without its result.
    pub(in crate::mcp) fn seed(&self) -> Task {
        let at = |event: &Option<qingyu_studio::StudioEvent>| event.as_ref().map(|event| event.at).unwrap_or_default();
        let (created, updated) = (at(&self.log.first).to_string(), at(&self.log.last).to_string());
        let task = Task::new(&self.outcome.run, TaskStatus::Working, created, updated).with_poll_interval_ms(POLL);
        match &self.log.last {
            Some(event) => task.with_status_message(line(&event.kind)),
            None => task,
        }
    }

    /// Returns the task in the format of `tasks/get`. A run with a question is a task requiring input, if the client
    /// can ask a person; otherwise the question is the result.
    pub(in crate::mcp) fn detailed(&self, can: &ClientCapabilities, language: Language) -> DetailedTask {
        let result = |is_error: bool| {
            let result = to_wire::run(document(&self.outcome, false), is_error);
            let result = serde_json::to_value(result).ok().and_then(|result| result.as_object().cloned());
            TaskPayload::Completed { result: result.unwrap_or_default() }
        };
        let payload = match (self.outcome.status, &self.outcome.question) {
            (RunStatus::Running, _) => TaskPayload::Working,
            (RunStatus::Waiting, Some(asked)) if can_ask(can) => {
                let form = ElicitRequest::new(question::form(asked, language));
                let requests = InputRequests::from([(self.key(), InputRequest::Elicitation(form))]);
                TaskPayload::InputRequired { input_requests: requests }
            }
            (RunStatus::Waiting | RunStatus::Done, _) => result(false),
            (RunStatus::Failed, _) => result(true),
            (RunStatus::Interrupted, _) => TaskPayload::Cancelled,
        };
        DetailedTask::new(self.seed(), payload)
    }

    /// Returns the unique name of the question, from the number of the event with the question.
    pub(in crate::mcp) fn key(&self) -> String {
        format!("question-{}", self.log.end())
    }

    /// Parses the answer to the open question; `None` if unanswered.
    pub(in crate::mcp) fn answer(&self, responses: &InputResponses) -> Option<qingyu_studio::RunAnswer> {
        let asked = self.outcome.question.as_ref().filter(|_| self.outcome.status == RunStatus::Waiting)?;
        let given: Value = responses.get(&self.key())?.clone();
        let given: ElicitResult = serde_json::from_value(given).ok()?;
        question::answer(asked, &given)
    }

    /// Returns the outcome of the run.
    pub(in crate::mcp) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the number of the last event.
    pub(in crate::mcp) fn end(&self) -> u64 {
        self.log.end()
    }
}
