//! Runs as tasks of the protocol's extension: by the id of the run, for as long as there is the run.

use qingyu_story::Language;
use qingyu_studio::{Outcome, RunStatus};
use rmcp::model::{
    ClientCapabilities, DetailedTask, ElicitRequest, ElicitResult, ErrorData, InputRequest, InputRequests,
    InputResponses, Task, TaskPayload, TaskStatus,
};
use serde_json::Value;

use super::{Log, Runs, document, failed, line, question};
use crate::mcp::calls::can_ask;
use crate::mcp::to_wire;

/// How often a client is told to ask, in milliseconds.
const POLL: u64 = 1_000;

/// A run as a task.
pub(in crate::mcp) struct RunTask {
    outcome: Outcome,
    log: Log,
}

impl Runs {
    /// The run of that very id.
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
    /// The task without what it has come to.
    pub(in crate::mcp) fn seed(&self) -> Task {
        let at = |event: &Option<qingyu_studio::StudioEvent>| event.as_ref().map(|event| event.at).unwrap_or_default();
        let (created, updated) = (at(&self.log.first).to_string(), at(&self.log.last).to_string());
        let task = Task::new(&self.outcome.run, TaskStatus::Working, created, updated).with_poll_interval_ms(POLL);
        match &self.log.last {
            Some(event) => task.with_status_message(line(&event.kind)),
            None => task,
        }
    }

    /// The task as `tasks/get` tells it. A run that asks is one that wants input, if the client can ask a person;
    /// otherwise it has come to its question.
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

    /// The name of the question, by the place of the event that asked it: no two of a run have the same.
    pub(in crate::mcp) fn key(&self) -> String {
        format!("question-{}", self.log.end())
    }

    /// What was said to the question that is open; none if it was not answered.
    pub(in crate::mcp) fn answer(&self, responses: &InputResponses) -> Option<qingyu_studio::HumanAnswer> {
        let asked = self.outcome.question.as_ref().filter(|_| self.outcome.status == RunStatus::Waiting)?;
        let given: Value = responses.get(&self.key())?.clone();
        let given: ElicitResult = serde_json::from_value(given).ok()?;
        question::answer(asked, &given)
    }

    /// The run as it stands.
    pub(in crate::mcp) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The place of its last event.
    pub(in crate::mcp) fn end(&self) -> u64 {
        self.log.end()
    }
}
