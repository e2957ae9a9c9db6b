//! Responses and problems of a workspace.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use qingyu_tools::workspace::Error;
use qingyu_tools::workspace::remote::operation::OperationError;
use qingyu_tools::{Permission, ToolError};
use serde_json::{Value, json};

use crate::http::HttpProblem;

/// Default retry delay of a client, in seconds.
const PATIENCE: u64 = 1;

/// Returns a response with the project version of its data.
pub(super) fn answer(data: &Value, version: u64) -> Response {
    let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("a number and quotes are plain");
    ([(header::ETAG, tag)], Json(json!({"data": data, "version": version}))).into_response()
}

/// Returns a 201 response with the URI of a new item.
pub(super) fn created(data: &Value, version: u64, address: &str) -> Response {
    let mut response = answer(data, version);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// Converts a workspace error.
pub(super) fn workspace(error: Error) -> HttpProblem {
    let title = error.to_string();
    match error {
        Error::UnknownProject { project } => {
            HttpProblem::new(StatusCode::NOT_FOUND, "unknown_project", title).with("given", project)
        }
        Error::NoProject => HttpProblem::new(StatusCode::NOT_FOUND, "unknown_project", title),
        Error::Conflict { expected, found } => conflict(StatusCode::PRECONDITION_FAILED, expected, found),
        Error::Unavailable { retry_after, .. } => {
            let problem = HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", title);
            problem.retry_after(retry_after.map_or(PATIENCE, |wait| wait.as_secs().max(PATIENCE)))
        }
        Error::Refused { .. } => HttpProblem::new(StatusCode::CONFLICT, "refused", title),
        Error::PartlySaved { .. } | Error::Damaged { .. } => {
            HttpProblem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title)
        }
    }
}

/// Converts a tool error.
pub(super) fn tool(error: &ToolError) -> HttpProblem {
    let title = error.to_string();
    let status = match error {
        ToolError::Conflict { expected, found, named } => {
            let status = if *named { StatusCode::PRECONDITION_FAILED } else { StatusCode::CONFLICT };
            return conflict(status, *expected, *found);
        }
        ToolError::NotFound { kind, name, .. } => return unknown(kind, name),
        ToolError::Forbidden { needed, .. } => {
            let needed = if *needed == Permission::Admin { "admin" } else { "write" };
            return HttpProblem::new(StatusCode::FORBIDDEN, "forbidden", title).with("needed", needed);
        }
        ToolError::NotOffered { .. } => StatusCode::FORBIDDEN,
        ToolError::NoProject { .. } => {
            return HttpProblem::new(StatusCode::NOT_FOUND, "unknown_project", title);
        }
        ToolError::Invalid { problems } => {
            let problem = HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), title);
            return problem.with("problems", json!(problems));
        }
        ToolError::Ambiguous { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        ToolError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        ToolError::Refused { .. } => StatusCode::CONFLICT,
        ToolError::Unavailable { retry_after, .. } => {
            let problem = HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, error.code(), title);
            return problem.retry_after(retry_after.map_or(PATIENCE, |wait| wait.as_secs().max(PATIENCE)));
        }
        ToolError::TimedOut { .. } => StatusCode::GATEWAY_TIMEOUT,
        ToolError::UnknownTool { .. } | ToolError::Internal { .. } | ToolError::Failed { .. } => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    HttpProblem::new(status, error.code(), title)
}

/// Converts the refusal of an exact change.
pub(super) fn refusal(refusal: OperationError) -> HttpProblem {
    let title = refusal.to_string();
    match refusal {
        OperationError::NotThere { kind, id } => unknown(&kind, &id),
        OperationError::NoRoute { path, .. } | OperationError::Unfit { path, .. } => {
            HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", title).with("path", path)
        }
        OperationError::Clash { .. } => HttpProblem::new(StatusCode::CONFLICT, "refused", title),
    }
}

/// Returns a 404 problem for an unknown piece.
pub(super) fn unknown(kind: &str, name: &str) -> HttpProblem {
    let problem = HttpProblem::new(StatusCode::NOT_FOUND, "unknown_piece", format!("no {kind} is called '{name}'"));
    problem.with("kind", kind).with("given", name)
}

fn conflict(status: StatusCode, expected: u64, found: u64) -> HttpProblem {
    let title = Error::Conflict { expected, found }.to_string();
    HttpProblem::new(status, "conflict", title).with("expected", expected).with("found", found)
}
