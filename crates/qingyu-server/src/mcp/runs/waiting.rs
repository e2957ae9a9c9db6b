//! Calls that wait for a run.

use std::time::Duration;

use futures::StreamExt;
use qingyu_studio::{RunStatus, Studio};
use qingyu_tools::{Caller, Permission, ToolError};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CreateTaskResult, ElicitRequest, ErrorData, InputRequest, InputRequests,
    InputRequiredResult, ProgressNotificationParam,
};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::tasks::RunTask;
use super::tools::Waiting;
use super::{ANSWER, GET, Runs, START, document, failed, line, question};
use crate::mcp::calls::{PATIENCE, can_ask, is_new};
use crate::mcp::{Server, to_wire};

/// The longest that a call waits, whatever it asks for.
const LONGEST: u32 = 3_600;

/// A call that waits.
struct Call<'a> {
    runs: &'a Runs,
    caller: &'a Caller,
    context: &'a RequestContext<RoleServer>,
    waiting: Waiting,
    /// Whether all that the run made comes with the answer.
    is_whole: bool,
    begun: Instant,
}

/// What became of asking.
enum Asked {
    /// The run works on.
    Answered,
    /// Nothing was said.
    Nothing,
    /// The client shall ask, and call again.
    Ask(InputRequiredResult),
}

impl Server {
    /// A call of a tool for runs: first the tool, then what the protocol has for work that takes long.
    ///
    /// A call that comes back with what a person said to a run's question answers the question instead. What comes back
    /// is the name of a run and of its question, which names nothing that the caller could not name itself.
    pub(in crate::mcp) async fn call_run(
        &self,
        runs: &Runs,
        tool: &str,
        arguments: Value,
        caller: &Caller,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = Call {
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
        // Clients of the older protocol cannot tell a task from a result.
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

impl Call<'_> {
    fn waits(&self) -> bool {
        self.waiting.patience.wait_seconds.is_some_and(|seconds| seconds > 0)
    }

    /// Waits until the run has ended, or asks what nobody here answers, or it took too long.
    async fn follow(&self, run: &str, mut after: u64) -> Result<CallToolResponse, ErrorData> {
        let must = self.waiting.cancel_with_call && self.caller.allowance >= Permission::Write;
        let cancels = Cancels::new(self.runs.studio.clone(), run, must);
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
                Asked::Answered => {
                    after = task.end();
                    // How long the person thought is not how long the run took.
                    deadline += asking.elapsed();
                }
                Asked::Nothing => {
                    cancels.let_be();
                    return Ok(self.answer(&task));
                }
                Asked::Ask(question) => {
                    cancels.let_be();
                    return Ok(question.into());
                }
            }
        }
    }

    /// Tells the client what happens, until nothing more does or `deadline`.
    async fn watch(&self, run: &str, after: u64, deadline: Instant) {
        let events = match self.runs.studio.watch(run, after).await {
            Ok(events) => events,
            Err(error) => return tracing::warn!(%error, run, "the run cannot be followed"),
        };
        let mut events = std::pin::pin!(events);
        let token = self.context.meta.get_progress_token();
        while let Ok(Some(event)) = timeout_at(deadline, events.next()).await {
            let event = match event {
                Ok(event) => event,
                Err(error) => return tracing::warn!(%error, run, "the run cannot be followed further"),
            };
            if event.is_kept()
                && let Some(token) = &token
            {
                let news = ProgressNotificationParam::new(token.clone(), self.begun.elapsed().as_secs_f64());
                let news = news.with_message(line(&event.kind));
                if let Err(error) = self.context.peer.notify_progress(news).await {
                    tracing::debug!(%error, "the client cannot be told");
                }
            }
            if event.kind.is_last() {
                return;
            }
        }
    }

    /// Asks the person in front of the client what the run asks, if there is a question, and a client that can ask for
    /// a caller who may answer.
    async fn ask(&self, task: &RunTask) -> Result<Asked, ErrorData> {
        let can = self.context.client_capabilities().is_some_and(|can| can_ask(&can));
        let outcome = task.outcome();
        let asked = outcome.question.as_ref().filter(|_| outcome.status == RunStatus::Waiting);
        let Some(asked) = asked.filter(|_| can && self.caller.allowance >= Permission::Write) else {
            return Ok(Asked::Nothing);
        };
        let form = question::form(asked, self.caller.language);
        if is_new(self.context) {
            let request = InputRequest::Elicitation(ElicitRequest::new(form));
            let state = format!("{}/{}", outcome.run, task.key());
            let requests = InputRequests::from([(task.key(), request)]);
            return Ok(Asked::Ask(InputRequiredResult::new(Some(requests), Some(state))));
        }
        let asking = self.context.peer.create_elicitation_with_timeout(form, Some(PATIENCE));
        let given = tokio::select! {
            given = asking => given,
            () = self.context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        let answer = match given {
            Ok(given) => question::answer(asked, &given),
            Err(error) => {
                tracing::debug!(%error, "the client did not ask");
                None
            }
        };
        match answer {
            Some(answer) => match self.runs.studio.answer(outcome, answer).await {
                Ok(_) => Ok(Asked::Answered),
                // Somebody else has answered meanwhile, or the answer does not fit; the run says how it stands.
                Err(error) => {
                    tracing::debug!(%error, "the answer was not taken");
                    Ok(Asked::Nothing)
                }
            },
            None => Ok(Asked::Nothing),
        }
    }

    fn answer(&self, task: &RunTask) -> CallToolResponse {
        let outcome = task.outcome();
        to_wire::run(document(outcome, self.is_whole), outcome.status == RunStatus::Failed).into()
    }
}

/// Stops a run if the call that waits for it goes away before it was answered.
struct Cancels(Option<(Studio, String)>);

impl Cancels {
    fn new(studio: Studio, run: &str, must: bool) -> Self {
        Self(must.then(|| (studio, run.to_owned())))
    }

    fn let_be(mut self) {
        self.0 = None;
    }
}

impl Drop for Cancels {
    fn drop(&mut self) {
        if let Some((studio, run)) = self.0.take() {
            tokio::spawn(async move {
                if let Err(error) = studio.cancel(&run).await {
                    tracing::warn!(%error, run, "the run could not be stopped with its call");
                }
            });
        }
    }
}

/// What a caller without the right to change anything is told.
pub(in crate::mcp) fn may_change(caller: &Caller) -> Result<(), ErrorData> {
    if caller.allowance >= Permission::Write {
        return Ok(());
    }
    let error = ToolError::Forbidden { needed: Permission::Write, allowed: caller.allowance };
    Err(ErrorData::invalid_request(error.to_string(), Some(error.to_json())))
}
