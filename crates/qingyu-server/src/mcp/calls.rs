//! Tool calls: consent, the engine, and progress notifications for long calls.

use std::time::Duration;

use qingyu_studio::workers::off_workers;
use qingyu_tools::{Outcome, ToolCaller, ToolError};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ErrorData, InputRequest, InputRequests, InputRequiredResult,
    ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::time::{Instant, interval_at};

use super::{McpService, consent, runs, texts, to_wire};

/// Delay before the first progress notification, and the interval between notifications.
const NEWS: Duration = Duration::from_secs(2);
/// Timeout for a person's answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// The key of the question, and of its only field.
const CONSENT: &str = "consent";

/// The result of asking for consent.
enum ConsentAnswer {
    Yes,
    No,
    /// The client must ask the person and retry the call.
    Ask(InputRequiredResult),
}

impl McpService {
    pub(crate) async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.engine.toolbox().find(&request.name) else {
            let name: String = request.name.chars().take(64).collect();
            let error = ToolError::UnknownTool { name };
            return Err(ErrorData::invalid_params(error.to_string(), Some(error.to_json())));
        };
        let caller = self.caller_of(context);
        let mut arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        if let Some(project) = &self.project
            && (tool.metadata().requires_project || tool.metadata().name == runs::START)
            && arguments.get("project_id").is_none_or(Value::is_null)
        {
            arguments["project_id"] = project.as_str().into();
        }
        let name = tool.metadata().name.clone();
        let Ok(demand) = self.engine.examine(&name, &arguments, &caller) else {
            // The engine repeats the validation error, and logs the call.
            return Ok(to_wire::outcome(self.engine.call(&name, arguments, &caller).await).into());
        };
        if let Some(runs) = self.runs.as_ref().filter(|_| runs::is_for_runs(&name)) {
            return self.call_run(runs, &name, arguments, &caller, &request, context).await;
        }
        if let Some(question) = consent::question(&name, &arguments, demand, caller.language) {
            match self.ask(&name, &arguments, question, &request, context).await? {
                ConsentAnswer::Yes => {}
                ConsentAnswer::No => {
                    let message = texts::text(caller.language, "declined").to_owned();
                    let declined = ToolError::Failed { code: "declined".into(), message, retryable: false };
                    return Ok(to_wire::failure(&declined).into());
                }
                ConsentAnswer::Ask(question) => return Ok(question.into()),
            }
        }
        Ok(to_wire::outcome(self.carry_out(&name, arguments, &caller, context).await?).into())
    }

    /// Calls the engine. A client's cancellation ends the call.
    pub(super) async fn carry_out(
        &self,
        tool: &str,
        arguments: Value,
        caller: &ToolCaller,
        context: &RequestContext<RoleServer>,
    ) -> Result<Outcome, ErrorData> {
        tokio::select! {
            outcome = off_workers(self.engine.call(tool, arguments, caller)) => Ok(outcome),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
            () = report(tool, caller, context) => unreachable!("news never end"),
        }
    }

    /// Asks the person through the client, as its protocol version requires.
    async fn ask(
        &self,
        tool: &str,
        arguments: &Value,
        question: String,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<ConsentAnswer, ErrorData> {
        if !context.client_capabilities().is_some_and(|can| can_ask(&can)) {
            return Ok(ConsentAnswer::Yes);
        }
        let title = texts::text(self.caller.language, "confirm");
        let schema = json!({"type": "object", "required": [CONSENT],
            "properties": {CONSENT: {"type": "boolean", "title": title}}});
        let schema: ElicitationSchema = serde_json::from_value(schema).expect("a form with one field");
        let form =
            ElicitRequestParams::FormElicitationParams { meta: None, message: question, requested_schema: schema };
        if !is_new(context) {
            let asking = context.peer.create_elicitation_with_timeout(form, Some(PATIENCE));
            let answer = tokio::select! {
                answer = asking => answer,
                () = context.ct.cancelled() => return Ok(ConsentAnswer::No),
            };
            return match answer {
                Ok(answer) => Ok(if is_yes(&answer) { ConsentAnswer::Yes } else { ConsentAnswer::No }),
                Err(error) => Err(ErrorData::internal_error(format!("the client did not ask: {error}"), None)),
            };
        }
        let Some(state) = &request.request_state else {
            let question = InputRequest::Elicitation(ElicitRequest::new(form));
            let questions = InputRequests::from([(CONSENT.to_owned(), question)]);
            let state = self.asked.ask(tool, arguments);
            return Ok(ConsentAnswer::Ask(InputRequiredResult::new(Some(questions), Some(state))));
        };
        if !self.asked.close(state, tool, arguments) {
            return Err(ErrorData::invalid_params("the request state belongs to no open question", None));
        }
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(CONSENT));
        let answer = answer.and_then(|answer| serde_json::from_value(answer.clone()).ok());
        Ok(if answer.as_ref().is_some_and(is_yes) { ConsentAnswer::Yes } else { ConsentAnswer::No })
    }

    /// Returns the caller: our caller's name with the client's name appended.
    pub(crate) fn caller_of(&self, context: &RequestContext<RoleServer>) -> ToolCaller {
        let mut caller = self.caller.clone();
        if let Some(client) = context.client_info() {
            let name: String = client.name.chars().filter(|c| !c.is_control()).take(64).collect();
            caller.agent = format!("{}:{name}", caller.agent);
        }
        caller
    }
}

/// Returns whether the request uses the protocol without handshakes, where questions are part of the response.
pub(super) fn is_new(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Returns whether the client can show a form to a person.
pub(super) fn can_ask(can: &ClientCapabilities) -> bool {
    can.elicitation.as_ref().is_some_and(|can| can.form.is_some() || can.url.is_none())
}

fn is_yes(answer: &ElicitResult) -> bool {
    let agreed = answer.content.as_ref().and_then(|content| content.get(CONSENT));
    answer.action == ElicitationAction::Accept && agreed == Some(&Value::Bool(true))
}

/// Sends the elapsed time of a call to a client that requested progress. Never returns.
async fn report(tool: &str, caller: &ToolCaller, context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
    let begun = Instant::now();
    let mut ticks = interval_at(begun + NEWS, NEWS);
    loop {
        ticks.tick().await;
        let seconds = begun.elapsed().as_secs();
        let words = [("tool", tool), ("seconds", &seconds.to_string())];
        let message = texts::filled(caller.language, "working", &words);
        let news = ProgressNotificationParam::new(token.clone(), begun.elapsed().as_secs_f64()).with_message(message);
        if let Err(error) = context.peer.notify_progress(news).await {
            tracing::debug!(%error, "failed to send a message to the client");
        }
    }
}
