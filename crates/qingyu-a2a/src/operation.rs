//! The operations as values: parsed requests and responses of the HTTP bindings.

use a2a::{
    A2AError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest, GetTaskRequest, ListTaskPushNotificationConfigsRequest, ListTasksRequest,
    SendMessageRequest, SubscribeToTaskRequest, TaskPushNotificationConfig, methods,
};
use a2a_pb::protojson_conv::{self, ProtoJsonPayload};
use serde::Serialize;
use serde_json::{Value, json};

use crate::agent::{A2aAgent, TaskUpdateStream};
use crate::error::invalid;

/// An operation with its request.
#[derive(Debug)]
pub(crate) enum A2aOperation {
    SendMessage(SendMessageRequest),
    SendStreamingMessage(SendMessageRequest),
    GetTask(GetTaskRequest),
    ListTasks(ListTasksRequest),
    CancelTask(CancelTaskRequest),
    SubscribeToTask(SubscribeToTaskRequest),
    CreateWebhook(TaskPushNotificationConfig),
    GetWebhook(GetTaskPushNotificationConfigRequest),
    ListWebhooks(ListTaskPushNotificationConfigsRequest),
    DeleteWebhook(DeleteTaskPushNotificationConfigRequest),
    GetExtendedCard,
}

/// The response of an operation.
pub(crate) enum OperationResponse {
    /// A single value.
    Value(Value),
    /// A stream of updates.
    Updates(TaskUpdateStream),
}

impl A2aOperation {
    /// Parses the operation `method` with its parameters in ProtoJSON.
    pub(crate) fn read(method: &str, parameters: Value) -> Result<Self, A2AError> {
        Ok(match method {
            methods::SEND_MESSAGE => Self::SendMessage(message(parameters)?),
            methods::SEND_STREAMING_MESSAGE => Self::SendStreamingMessage(message(parameters)?),
            methods::GET_TASK => Self::GetTask(read(parameters)?),
            methods::LIST_TASKS => Self::ListTasks(list(parameters)?),
            methods::CANCEL_TASK => Self::CancelTask(read(parameters)?),
            methods::SUBSCRIBE_TO_TASK => Self::SubscribeToTask(read(parameters)?),
            methods::CREATE_PUSH_CONFIG => Self::CreateWebhook(read(parameters)?),
            methods::GET_PUSH_CONFIG => Self::GetWebhook(read(parameters)?),
            methods::LIST_PUSH_CONFIGS => Self::ListWebhooks(read(parameters)?),
            methods::DELETE_PUSH_CONFIG => Self::DeleteWebhook(read(parameters)?),
            methods::GET_EXTENDED_AGENT_CARD => {
                read::<GetExtendedAgentCardRequest>(parameters)?;
                Self::GetExtendedCard
            }
            unknown => return Err(A2AError::method_not_found(unknown)),
        })
    }

    /// Runs the operation.
    pub(crate) async fn carry_out(self, agent: &A2aAgent, base: &str) -> Result<OperationResponse, A2AError> {
        match self {
            Self::SendMessage(request) => value(&agent.send_message(request).await?),
            Self::SendStreamingMessage(request) => {
                Ok(OperationResponse::Updates(agent.send_streaming_message(request).await?))
            }
            Self::GetTask(request) => value(&agent.get_task(request).await?),
            Self::ListTasks(request) => value(&agent.list_tasks(request).await?),
            Self::CancelTask(request) => value(&agent.cancel_task(request).await?),
            Self::SubscribeToTask(request) => Ok(OperationResponse::Updates(agent.subscribe_to_task(request).await?)),
            Self::CreateWebhook(webhook) => value(&agent.create_push_config(webhook).await?),
            Self::GetWebhook(request) => value(&agent.get_push_config(request).await?),
            Self::ListWebhooks(request) => value(&agent.list_push_configs(request).await?),
            Self::DeleteWebhook(request) => {
                agent.delete_push_config(request).await?;
                Ok(OperationResponse::Value(json!({})))
            }
            Self::GetExtendedCard => value(&agent.extended_card(base).await?),
        }
    }
}

fn read<T: ProtoJsonPayload>(parameters: Value) -> Result<T, A2AError> {
    let parameters = if parameters.is_null() { json!({}) } else { parameters };
    protojson_conv::from_value(parameters).map_err(|error| invalid(error.to_string()))
}

/// Validates required fields of a message, since protocol buffers make every field optional.
fn message(parameters: Value) -> Result<SendMessageRequest, A2AError> {
    if !parameters.get("message").is_some_and(Value::is_object) {
        return Err(invalid("message is required"));
    }
    read(parameters)
}

/// Parses a request for a list, with its page size as given: the library takes the default for one below 1.
fn list(parameters: Value) -> Result<ListTasksRequest, A2AError> {
    let given = &parameters["pageSize"];
    let given = given.as_i64().or_else(|| given.as_str()?.parse().ok());
    let request: ListTasksRequest = read(parameters)?;
    let page_size = given.and_then(|size| i32::try_from(size).ok()).or(request.page_size);
    Ok(ListTasksRequest { page_size, ..request })
}

fn value<T: Serialize>(answer: &T) -> Result<OperationResponse, A2AError> {
    let failed = |error: serde_json::Error| A2AError::internal(error.to_string());
    serde_json::to_value(answer).map(OperationResponse::Value).map_err(failed)
}
