//! HTTP+JSON: each operation on its own path, with and without the project as tenant.

use std::collections::HashMap;
use std::sync::Arc;

use a2a::{A2AError, methods};
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use bytes::Bytes;
use http::Extensions;
use serde_json::{Map, Value, json};

use super::exchange::{agent, base, check, details, is_json, stream};
use crate::card::HTTP_JSON;
use crate::door::A2aState;
use crate::error::{http_status, invalid, status_name};
use crate::operation::{A2aOperation, OperationResponse};

/// Path or query parameters of a request.
type RequestFields = HashMap<String, String>;

pub(super) fn router(door: &Arc<A2aState>) -> Router {
    let routes = || {
        let webhooks = "/tasks/{task}/pushNotificationConfigs";
        Router::new()
            .route("/message:send", post(handle))
            .route("/message:stream", post(handle))
            .route("/tasks", get(handle))
            .route("/tasks/{task}", get(handle).post(handle))
            .route(webhooks, get(handle).post(handle))
            .route(&format!("{webhooks}/{{id}}"), get(handle).delete(handle))
            .route("/extendedAgentCard", get(handle))
            .with_state(Arc::clone(door))
    };
    Router::new().nest(HTTP_JSON, routes()).nest(&format!("{HTTP_JSON}/{{tenant}}"), routes())
}

#[expect(clippy::too_many_arguments, reason = "they are the parts of a request")]
async fn handle(
    State(door): State<Arc<A2aState>>,
    method: Method,
    uri: Uri,
    Path(path): Path<RequestFields>,
    query: Result<Query<RequestFields>, QueryRejection>,
    headers: HeaderMap,
    extensions: Extensions,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return rejection.into_response(),
    };
    let answered = async {
        let agent = agent(&door, &extensions)?;
        check(&headers, &uri)?;
        if !body.is_empty() && !is_json(&headers) {
            return Err(A2AError::content_type_not_supported());
        }
        let Query(query) = query.map_err(|error| invalid(error.body_text()))?;
        let end = uri.path().rsplit('/').next().unwrap_or_default();
        operation(&method, end, path, query, &body)?.carry_out(&agent, &base(&door, &headers)).await
    };
    match answered.await {
        Ok(OperationResponse::Value(value)) => answer(StatusCode::OK, &value, &headers),
        Ok(OperationResponse::Updates(updates)) => {
            stream(&door, updates, |update| update.unwrap_or_else(|error| failure(&error)))
        }
        Err(error) => answer(http_status(&error), &failure(&error), &headers),
    }
}

/// Returns the operation of a request; `end` is the last segment of its path.
fn operation(
    method: &Method,
    end: &str,
    path: RequestFields,
    query: RequestFields,
    body: &[u8],
) -> Result<A2aOperation, A2AError> {
    let mut fields = match body {
        [] => Map::new(),
        body => match serde_json::from_slice(body).map_err(|error| A2AError::parse_error(error.to_string()))? {
            Value::Object(fields) => fields,
            _ => return Err(invalid("the body must be an object")),
        },
    };
    for (name, value) in query {
        fields.insert(name.clone(), typed(&name, value)?);
    }
    let mut path = path;
    if let Some(tenant) = path.remove("tenant") {
        fields.insert("tenant".into(), tenant.into());
    }
    let (task, webhook) = (path.remove("task"), path.remove("id"));
    let is_post = method == Method::POST;
    let name = match (&task, &webhook) {
        (None, _) => match end {
            "message:send" => methods::SEND_MESSAGE,
            "message:stream" => methods::SEND_STREAMING_MESSAGE,
            "tasks" => methods::LIST_TASKS,
            _ => methods::GET_EXTENDED_AGENT_CARD,
        },
        (Some(_), Some(_)) if method == Method::DELETE => methods::DELETE_PUSH_CONFIG,
        (Some(_), Some(_)) => methods::GET_PUSH_CONFIG,
        (Some(_), None) if end == "pushNotificationConfigs" && is_post => methods::CREATE_PUSH_CONFIG,
        (Some(_), None) if end == "pushNotificationConfigs" => methods::LIST_PUSH_CONFIGS,
        (Some(task), None) => return on_task(is_post, task, fields),
    };
    if let Some(task) = task {
        let given = fields.insert("taskId".into(), task.clone().into());
        if given.as_ref().and_then(Value::as_str).is_some_and(|given| !given.is_empty() && given != task) {
            return Err(invalid("taskId in the body is another one than in the path"));
        }
    }
    if let Some(webhook) = webhook {
        fields.insert("id".into(), webhook.into());
    }
    A2aOperation::read(name, Value::Object(fields))
}

/// The router cannot match `{id}:cancel`, so the text after the last colon selects the action.
fn on_task(is_post: bool, task: &str, mut fields: Map<String, Value>) -> Result<A2aOperation, A2AError> {
    let (id, verb) = task.rsplit_once(':').unwrap_or((task, ""));
    let name = match (verb, is_post) {
        ("cancel", true) => methods::CANCEL_TASK,
        ("subscribe", _) => methods::SUBSCRIBE_TO_TASK,
        ("", false) => methods::GET_TASK,
        _ => return Err(A2AError::method_not_found(task)),
    };
    fields.insert("id".into(), id.into());
    A2aOperation::read(name, Value::Object(fields))
}

/// Converts a query parameter to its ProtoJSON type.
fn typed(name: &str, value: String) -> Result<Value, A2AError> {
    match name {
        "includeArtifacts" => value.parse().map(Value::Bool).map_err(|_| invalid(format!("{name} is true or false"))),
        "pageSize" | "historyLength" => {
            value.parse::<i32>().map(Value::from).map_err(|_| invalid(format!("{name} is a whole number")))
        }
        _ => Ok(Value::String(value)),
    }
}

fn failure(error: &A2AError) -> Value {
    json!({"error": {
        "code": http_status(error).as_u16(),
        "status": status_name(error),
        "message": error.message,
        "details": details(error),
    }})
}

/// Returns a response in the protocol's media type if accepted by the client, else as plain JSON.
fn answer(status: StatusCode, value: &Value, headers: &HeaderMap) -> Response {
    const OWN: &str = "application/a2a+json";
    let speaks_of =
        |name| headers.get_all(name).iter().any(|value| value.to_str().is_ok_and(|text| text.contains(OWN)));
    let mut response = (status, Json(value)).into_response();
    if speaks_of(header::ACCEPT) || (!headers.contains_key(header::ACCEPT) && speaks_of(header::CONTENT_TYPE)) {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(OWN));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_mean_operations() {
        let fields =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let read = |method: Method, end: &str, path: &[(&str, &str)], query: &[(&str, &str)], body: &str| {
            operation(&method, end, fields(path), fields(query), body.as_bytes())
        };
        let listed =
            read(Method::GET, "tasks", &[("tenant", "p")], &[("pageSize", "3"), ("status", "TASK_STATE_WORKING")], "");
        let Ok(A2aOperation::ListTasks(request)) = listed else { panic!("{listed:?}") };
        assert_eq!((request.tenant.as_deref(), request.page_size), (Some("p"), Some(3)));
        assert_eq!(request.status, Some(a2a::TaskState::Working));
        let canceled = read(Method::POST, "a:b:cancel", &[("task", "a:b:cancel")], &[], "");
        assert!(matches!(canceled, Ok(A2aOperation::CancelTask(request)) if request.id == "a:b"));
        let followed = read(Method::GET, "t:subscribe", &[("task", "t:subscribe")], &[], "");
        assert!(matches!(followed, Ok(A2aOperation::SubscribeToTask(request)) if request.id == "t"));
        let got = read(Method::GET, "t", &[("task", "t")], &[("historyLength", "2")], "");
        assert!(matches!(got, Ok(A2aOperation::GetTask(request)) if request.history_length == Some(2)));
        let path = [("task", "t"), ("id", "w")];
        let deleted = read(Method::DELETE, "w", &path, &[], "");
        assert!(
            matches!(deleted, Ok(A2aOperation::DeleteWebhook(request)) if request.task_id == "t" && request.id == "w")
        );
        let made =
            read(Method::POST, "pushNotificationConfigs", &[("task", "t")], &[], r#"{"url": "https://example.org"}"#);
        assert!(matches!(made, Ok(A2aOperation::CreateWebhook(request)) if request.task_id == "t"));
        for (method, end, path, query, body) in [
            (Method::POST, "t", [("task", "t")].as_slice(), [].as_slice(), ""),
            (Method::GET, "tasks", &[], &[("pageSize", "many")], ""),
            (Method::POST, "message:send", &[], &[], "{}"),
            (Method::POST, "message:send", &[], &[], "{"),
            (
                Method::POST,
                "pushNotificationConfigs",
                &[("task", "t")],
                &[],
                r#"{"taskId": "other", "url": "https://e.org"}"#,
            ),
        ] {
            assert!(read(method, end, path, query, body).is_err(), "{end} {body}");
        }
    }
}
