//! JSON-RPC: every operation on a single path.

use std::sync::Arc;

use a2a::{A2AError, JsonRpcId, JsonRpcRequest, error_code};
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use bytes::Bytes;
use http::Extensions;
use serde_json::{Value, json};

use super::exchange::{agent, base, check, details, is_json, stream};
use crate::card::JSON_RPC;
use crate::door::A2aState;
use crate::error::{EXHAUSTED, FORBIDDEN, UNAUTHENTICATED, http_status};
use crate::operation::{A2aOperation, OperationResponse};

pub(super) fn router(door: &Arc<A2aState>) -> Router {
    // Some clients post to the path with a trailing slash.
    let both = [JSON_RPC.to_owned(), format!("{JSON_RPC}/")];
    both.iter().fold(Router::new(), |router, path| router.route(path, post(call))).with_state(Arc::clone(door))
}

async fn call(
    State(door): State<Arc<A2aState>>,
    uri: Uri,
    headers: HeaderMap,
    extensions: Extensions,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let request = match body {
        Ok(_) if !is_json(&headers) => Err((JsonRpcId::Null, A2AError::content_type_not_supported())),
        Ok(body) => read(&body),
        Err(rejection) => return rejection.into_response(),
    };
    let (id, method, parameters) = match request {
        Ok(JsonRpcRequest { id, method, params, .. }) => (id, method, params.unwrap_or_default()),
        Err((id, error)) => return refused(&id, &error),
    };
    let answered = async {
        let agent = agent(&door, &extensions)?;
        check(&headers, &uri)?;
        A2aOperation::read(&method, parameters)?.carry_out(&agent, &base(&door, &headers)).await
    };
    match answered.await {
        Ok(OperationResponse::Value(result)) => {
            Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
        }
        Ok(OperationResponse::Updates(updates)) => stream(&door, updates, move |update| match update {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => failure(&id, &error),
        }),
        Err(error) => refused(&id, &error),
    }
}

/// Parses the request in the body. JSON with an invalid request returns an error with the request's id, if any.
fn read(body: &[u8]) -> Result<JsonRpcRequest, (JsonRpcId, A2AError)> {
    let unread = |error: serde_json::Error| (JsonRpcId::Null, A2AError::parse_error(error.to_string()));
    let body: Value = serde_json::from_slice(body).map_err(unread)?;
    let id = body.get("id").cloned().and_then(|id| serde_json::from_value(id).ok()).unwrap_or(JsonRpcId::Null);
    let request: JsonRpcRequest =
        serde_json::from_value(body).map_err(|error| (id.clone(), A2AError::invalid_request(error.to_string())))?;
    if request.jsonrpc != "2.0" {
        return Err((id, A2AError::invalid_request("jsonrpc must be 2.0")));
    }
    match request.params {
        None | Some(Value::Object(_) | Value::Null) => Ok(request),
        Some(_) => Err((id, A2AError::new(error_code::INVALID_PARAMS, "params must be an object"))),
    }
}

fn failure(id: &JsonRpcId, error: &A2AError) -> Value {
    let told = json!({"code": error.code, "message": error.message, "data": details(error)});
    json!({"jsonrpc": "2.0", "id": id, "error": told})
}

/// Returns an error response: status 200 for protocol errors, the matching HTTP status for authentication, permission
/// and limit errors.
fn refused(id: &JsonRpcId, error: &A2AError) -> Response {
    let answer = Json(failure(id, error));
    match error.code {
        UNAUTHENTICATED | FORBIDDEN | EXHAUSTED => (http_status(error), answer).into_response(),
        _ => answer.into_response(),
    }
}
