//! Calls waiting for a run.

use std::time::Duration;

use futures::StreamExt;
use qingyu_studio::{RunStatus, Studio};
use qingyu_tools::{Permission, ToolCaller, ToolError};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CreateTaskResult, ElicitRequest, ErrorData, InputRequest, InputRequests,
    InputRequiredResult, ProgressNotificationParam,
};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::arguments::CancellableWaitArgs;
use super::document::{document, failed, line};
use super::names::{ANSWER, GET, START};
use super::tasks::RunTask;
use super::{McpRuns, question};
use crate::mcp::calls::{PATIENCE, can_ask, is_new};
use crate::mcp::{McpService, to_wire};

/// Maximum wait of a call, in seconds.
const LONGEST: u32 = 3_600;

/// A waiting call.
struct WaitingCall<'a> {
    runs: &'a McpRuns,
    caller: &'a ToolCaller,
    context: &'a RequestContext<RoleServer>,
    waiting: CancellableWaitArgs,
    /// Whether the response contains all results of the run.
    is_whole: bool,
    begun: Instant,
}

/// The result of asking the person.
enum AskOutcome {
    /// Answered; the run continues.
    Answered,
    /// No answer was given.
    Nothing,
    /// The client must ask the person and retry the call.
    Ask(InputRequiredResult),
}

impl McpService {
    /// Calls a tool for runs, then applies the protocol's features for long work.
    ///
    /// A call retried with a person's answer to a run's question answers the question instead of calling the tool. The
    /// returned state only names a run and its question, both of which the caller could name anyway.
    pub(in crate::mcp) async fn call_run(
        &self,
        runs: &McpRuns,
        tool: &str,
        arguments: Value,
        caller: &ToolCaller,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = WaitingCall {
            runs,
            caller,
            context,
            waiting: serde_json::from_value(arguments.clone()).unwrap_or_default(),
            is_whole: arguments["whole"] == true,
            begun: Instant::now(),
        };
        if let Some(state) = &request.request_state {
            let foreign = || ErrorData::invalid_params("the request state belongs to no open question", None);
            let (run, key) = state.split_once('/').ok_or_else(foreign)?;
            let task = runs.task(run).await?;
            if task.key() != key || caller.allowance < Permission::Write {
                return Err(foreign());
            }
            let Some(answer) = task.answer(request.input_responses.as_ref().unwrap_or(&Default::default())) else {
                return Ok(call.answer(&task));
            };
            return match runs.studio.answer(task.outcome(), answer).await {
                Ok(_) => call.follow(run, task.end()).await,
                Err(error) => Ok(to_wire::failure(&failed(&error)).into()),
            };
        }
        let before = match (tool, arguments["run_id"].as_str()) {
            (ANSWER | GET, Some(run)) if call.waits() => runs.look(run).await.map_or(0, |(_, log)| log.end()),
            _ => 0,
        };
        let outcome = self.carry_out(tool, arguments, caller, context).await?;
        let Some(run) = outcome.result.as_ref().ok().and_then(|answer| answer["run"].as_str()).map(str::to_owned)
        else {
            return Ok(to_wire::outcome(outcome).into());
        };
        // Clients of the older protocol cannot distinguish a task from a result.
        let knows_tasks = is_new(context) && context.client_capabilities().is_some_and(|can| can.supports_tasks());
        if knows_tasks && matches!(tool, START | ANSWER) {
            return Ok(CallToolResponse::Task(CreateTaskResult::new(runs.task(&run).await?.seed())));
        }
        if call.waits() && matches!(tool, START | ANSWER | GET) {
            return call.follow(&run, before).await;
        }
        Ok(to_wire::outcome(outcome).into())
    }
}

impl WaitingCall<'_> {
    fn waits(&self) -> bool {
        self.waiting.patience.wait_seconds.is_some_and(|seconds| seconds > 0)
    }

    /// Waits until the run ends, asks a question that this caller cannot answer, or the timeout expires.
    async fn follow(&self, run: &str, mut after: u64) -> Result<CallToolResponse, ErrorData> {
        let must = self.waiting.cancel_with_call && self.caller.allowance >= Permission::Write;
        let cancels = CancelOnDrop::new(self.runs.studio.clone(), run, must);
        let seconds = self.waiting.patience.wait_seconds.unwrap_or_default().min(LONGEST);
        let mut deadline = self.begun + Duration::from_secs(seconds.into());
        loop {
            if self.runs.task(run).await?.outcome().status == RunStatus::Running {
                tokio::select! {
                    () = self.watch(run, after, deadline) => {}
                    () = self.context.ct.cancelled() => {
                        return Err(ErrorData::internal_error("the call was cancelled", None));
                    }
                }
            }
            let task = self.runs.task(run).await?;
            let asking = Instant::now();
            match self.ask(&task).await? {
                AskOutcome::Answered => {
                    after = task.end();
                    // The person's thinking time does not count towards the timeout.
                    deadline += asking.elapsed();
                }
                AskOutcome::Nothing => {
                    cancels.let_be();
                    return Ok(self.answer(&task));
                }
                AskOutcome::Ask(question) => {
                    cancels.let_be();
                    return Ok(question.into());
                }
            }
        }
    }

    /// Sends the run's events to the client, until the run ends or waits, or until `deadline`.
    async fn watch(&self, run: &str, after: u64, deadline: Instant) {
        let events = match self.runs.studio.watch(run, after).await {
            Ok(events) => events,
            Err(error) => return tracing::warn!(%error, run, "failed to follow the run"),
        };
        let mut events = std::pin::pin!(events);
        let token = self.context.meta.get_progress_token();
        while let Ok(Some(event)) = timeout_at(deadline, events.next()).await {
            let event = match event {
                Ok(event) => event,
                Err(error) => return tracing::warn!(%error, run, "failed to follow the run to its end"),
            };
            if event.is_kept()
                && let Some(token) = &token
            {
                let news = ProgressNotificationParam::new(token.clone(), self.begun.elapsed().as_secs_f64());
                let news = news.with_message(line(&event.kind));
                if let Err(error) = self.context.peer.notify_progress(news).await {
                    tracing::debug!(%error, "failed to send a message to the client");
                }
            }
            if event.kind.is_last() {
                return;
            }
        }
    }

    /// Asks the person using the client the run's open question, if the client can ask and the caller may answer.
    async fn ask(&self, task: &RunTask) -> Result<AskOutcome, ErrorData> {
        let can = self.context.client_capabilities().is_some_and(|can| can_ask(&can));
        let outcome = task.outcome();
        let asked = outcome.question.as_ref().filter(|_| outcome.status == RunStatus::Waiting);
        let Some(asked) = asked.filter(|_| can && self.caller.allowance >= Permission::Write) else {
            return Ok(AskOutcome::Nothing);
        };
        let form = question::form(asked, self.caller.language);
        if is_new(self.context) {
            let request = InputRequest::Elicitation(ElicitRequest::new(form));
            let state = format!("{}/{}", outcome.run, task.key());
            let requests = InputRequests::from([(task.key(), request)]);
            return Ok(AskOutcome::Ask(InputRequiredResult::new(Some(requests), Some(state))));
        }
        let asking = self.context.peer.create_elicitation_with_timeout(form, Some(PATIENCE));
        let given = tokio::select! {
            given = asking => given,
            () = self.context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        let answer = match given {
            Ok(given) => question::answer(asked, &given),
            Err(error) => {
                tracing::debug!(%error, "failed to ask the user through the client");
                None
            }
        };
        match answer {
            Some(answer) => match self.runs.studio.answer(outcome, answer).await {
                Ok(_) => Ok(AskOutcome::Answered),
                // The question was answered concurrently, or the answer is invalid; the run shows its current state.
                Err(error) => {
                    tracing::debug!(%error, "failed to answer the run");
                    Ok(AskOutcome::Nothing)
                }
            },
            None => Ok(AskOutcome::Nothing),
        }
    }

    fn answer(&self, task: &RunTask) -> CallToolResponse {
        let outcome = task.outcome();
        to_wire::run(document(outcome, self.is_whole), outcome.status == RunStatus::Failed).into()
    }
}

/// A guard stopping a run if its waiting call is dropped before returning.
struct CancelOnDrop(Option<(Studio, String)>);

impl CancelOnDrop {
    fn new(studio: Studio, run: &str, must: bool) -> Self {
        Self(must.then(|| (studio, run.to_owned())))
    }

    fn let_be(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some((studio, run)) = self.0.take() {
            tokio::spawn(async move {
                if let Err(error) = studio.cancel(&run).await {
                    tracing::warn!(%error, run, "failed to cancel the run of a cancelled call");
                }
            });
        }
    }
}

/// Fails unless the caller may change projects.
pub(in crate::mcp) fn may_change(caller: &ToolCaller) -> Result<(), ErrorData> {
    if caller.allowance >= Permission::Write {
        return Ok(());
    }
    let error = ToolError::Forbidden { needed: Permission::Write, allowed: caller.allowance };
    Err(ErrorData::invalid_request(error.to_string(), Some(error.to_json())))
}
