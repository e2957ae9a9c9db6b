//! Tool calls with computed results.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    CreateMessageRequestParams, ElicitRequestParams, ErrorData, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, SamplingMessage,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::data::DATA;
use super::rounds::Round;
use super::{FixtureChange, FixtureResult, Fixtures};
use crate::mcp::calls::is_new;

/// Interval between two progress notifications.
const PAUSE: Duration = Duration::from_millis(50);

impl Fixtures {
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> FixtureResult<CallToolResponse> {
        let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let mut arguments = arguments.unwrap_or_default();
        if let Some(answer) = DATA.answers.get(&*name) {
            return Ok(answer.clone().into());
        }
        if DATA.rounds.contains_key(&*name) {
            let answers = input_responses.unwrap_or_default();
            match self.rounds.next(&name, request_state.as_deref(), &answers, context)? {
                Round::Ask(question) => return Ok(question.into()),
                Round::Done(given) => arguments.extend(given),
            }
        }
        let word = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let text = match &*name {
            "greet" | "test_input_required_result_elicitation" => format!("Hello, {}!", word("name")),
            "test_custom_header" => word("region"),
            "test_tool_with_logging" | "test_logging_tool" => {
                log(context).await;
                "Logging test completed".to_owned()
            }
            "test_tool_with_progress" => {
                progress(context).await;
                "Progress test completed".to_owned()
            }
            "test_sampling" => sample(&word("prompt"), context).await?,
            name if DATA.forms.contains_key(name) => ask(name, &word("message"), context).await?,
            "test_missing_capability" => {
                let needed = ClientCapabilities::builder().enable_sampling().build();
                if context.client_capabilities().is_none_or(|can| can.sampling.is_none()) {
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
                "the client has a model".to_owned()
            }
            "test_trigger_tool_change" => self.tell(FixtureChange::Tools),
            "test_trigger_prompt_change" => self.tell(FixtureChange::Prompts),
            "slow_compute"
            | "failing_job"
            | "protocol_error_job"
            | "confirm_delete"
            | "multi_input"
            | "test_tool_with_task" => return self.begin(&name, arguments, context).await,
            name if name.starts_with("test_input_required_result_") => Value::Object(arguments).to_string(),
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }

    fn tell(&self, change: FixtureChange) -> String {
        let listeners = self.changes.send(change).unwrap_or_default();
        format!("{listeners} listeners were told")
    }
}

/// Sends log messages if the client wants them; clients of the newer protocol set a log level per request.
async fn log(context: &RequestContext<RoleServer>) {
    if is_new(context) && context.meta.log_level().is_none() {
        return;
    }
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let line = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
        if let Err(error) = context.peer.notify_logging_message(line).await {
            tracing::debug!(%error, "failed to send a message to the client");
        }
        sleep(PAUSE).await;
    }
}

async fn progress(context: &RequestContext<RoleServer>) {
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let news = ProgressNotificationParam::new(token, progress).with_total(100.0);
            if let Err(error) = context.peer.notify_progress(news).await {
                tracing::debug!(%error, "failed to send a message to the client");
            }
        }
        sleep(PAUSE).await;
    }
}

async fn sample(prompt: &str, context: &RequestContext<RoleServer>) -> FixtureResult<String> {
    let request = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    let answer = context.peer.create_message(request).await.map_err(refused)?;
    let answer = serde_json::to_value(answer).map_err(refused)?;
    let text = answer["content"]["text"].as_str().or_else(|| answer["content"][0]["text"].as_str());
    Ok(format!("LLM response: {}", text.unwrap_or_default()))
}

async fn ask(tool: &str, message: &str, context: &RequestContext<RoleServer>) -> FixtureResult<String> {
    let message = if message.is_empty() { "Please fill in the form." } else { message };
    let requested_schema = serde_json::from_value(DATA.forms[tool].clone()).map_err(refused)?;
    let form = ElicitRequestParams::FormElicitationParams { meta: None, message: message.to_owned(), requested_schema };
    let answer = context.peer.create_elicitation(form).await.map_err(refused)?;
    let answer = serde_json::to_value(answer).map_err(refused)?;
    let action = answer["action"].as_str().unwrap_or_default();
    let first = if tool == "test_elicitation" { "User response" } else { "Elicitation completed" };
    Ok(format!("{first}: action={action}, content={}", answer["content"]))
}

fn refused(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
