//! Tool calls as tasks.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CreateTaskResult, ErrorData, InputRequest,
    JsonObject,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{FixtureResult, Fixtures};

/// Maximum duration of a task, in seconds.
const LONGEST: f64 = 120.0;

impl Fixtures {
    /// Starts the task of a call. Fails if the client does not support tasks and the tool only runs as a task.
    pub(super) async fn begin(
        &self,
        tool: &str,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> FixtureResult<CallToolResponse> {
        if !context.client_capabilities().is_some_and(|can| can.supports_tasks()) {
            if tool != "slow_compute" {
                let needed = ClientCapabilities::builder().enable_tasks().build();
                return Err(ErrorData::missing_required_client_capability(needed));
            }
            sleep(seconds(&arguments)).await;
            return Ok(computed(&arguments).into());
        }
        let tool = tool.to_owned();
        let task = self.tasks.spawn(TaskOptions::new().with_poll_interval_ms(100), |task| {
            Box::pin(async move {
                tokio::select! {
                    result = work(&tool, &arguments, &task) => result,
                    () = task.cancelled() => Err(TaskExit::Cancelled),
                }
            })
        });
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }
}

async fn work(tool: &str, arguments: &JsonObject, task: &TaskContext) -> Result<CallToolResult, TaskExit> {
    match tool {
        "failing_job" => {
            sleep(Duration::from_secs(1)).await;
            Ok(CallToolResult::error(vec![ContentBlock::text("the job has failed")]))
        }
        "protocol_error_job" => {
            Err(ErrorData::internal_error("the job ended with an error of the protocol", None).into())
        }
        "confirm_delete" => {
            let answer = task.request_input("confirm", question("Delete the file?")?).await?;
            let is_agreed = answer["action"] == "accept" && answer["content"]["confirm"] == true;
            Ok(says(if is_agreed { "deleted" } else { "kept" }))
        }
        "multi_input" => {
            let (first, second) = (question("The first?")?, question("The second?")?);
            let (first, second) =
                tokio::join!(task.request_input("first", first), task.request_input("second", second));
            Ok(says(&format!("{} and {}", first?["action"], second?["action"])))
        }
        "test_tool_with_task" => Ok(says(&format!("Hello, {}!", word(arguments, "name")))),
        _ => {
            sleep(seconds(arguments)).await;
            Ok(computed(arguments))
        }
    }
}

fn question(message: &str) -> Result<InputRequest, ErrorData> {
    let request = json!({"method": "elicitation/create", "params": {"mode": "form", "message": message,
        "requestedSchema": {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}}});
    serde_json::from_value(request).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn computed(arguments: &JsonObject) -> CallToolResult {
    says(&format!("computed {}", word(arguments, "label")))
}

fn says(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn word<'a>(arguments: &'a JsonObject, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn seconds(arguments: &JsonObject) -> Duration {
    let seconds = arguments.get("seconds").and_then(Value::as_f64).unwrap_or_default();
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST))
}
