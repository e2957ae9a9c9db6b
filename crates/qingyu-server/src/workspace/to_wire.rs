//! Answers and problems of a workspace.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use qingyu_tools::workspace::Error;
use qingyu_tools::workspace::remote::operation::Refusal;
use qingyu_tools::{Permission, ToolError};
use serde_json::{Value, json};

use crate::http::Problem;

/// How long a client waits before it asks again, if nobody says how long, in seconds.
const PATIENCE: u64 = 1;

/// An answer with the version of the project that it is of.
pub(super) fn answer(data: &Value, version: u64) -> Response {
    let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("a number and quotes are plain");
    ([(header::ETAG, tag)], Json(json!({"data": data, "version": version}))).into_response()
}

/// The same for something new, with its address.
pub(super) fn created(data: &Value, version: u64, address: &str) -> Response {
    let mut response = answer(data, version);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// Why a workspace does not do what is asked.
pub(super) fn workspace(error: Error) -> Problem {
    let title = error.to_string();
    match error {
        Error::UnknownProject { project } => {
            Problem::new(StatusCode::NOT_FOUND, "unknown_project", title).with("given", project)
        }
        Error::NoProject => Problem::new(StatusCode::NOT_FOUND, "unknown_project", title),
        Error::Conflict { expected, found } => conflict(StatusCode::PRECONDITION_FAILED, expected, found),
        Error::Unavailable { retry_after, .. } => {
            let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", title);
            problem.retry_after(retry_after.map_or(PATIENCE, |wait| wait.as_secs().max(PATIENCE)))
        }
        Error::Refused { .. } => Problem::new(StatusCode::CONFLICT, "refused", title),
        Error::PartlySaved { .. } | Error::Damaged { .. } => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title)
        }
    }
}

/// Why a tool does not.
pub(super) fn tool(error: &ToolError) -> Problem {
    let title = error.to_string();
    let status = match error {
        ToolError::Conflict { expected, found, named } => {
            let status = if *named { StatusCode::PRECONDITION_FAILED } else { StatusCode::CONFLICT };
            return conflict(status, *expected, *found);
        }
        ToolError::NotFound { kind, name, .. } => return unknown(kind, name),
        ToolError::Forbidden { needed, .. } => {
            let needed = if *needed == Permission::Admin { "admin" } else { "write" };
            return Problem::new(StatusCode::FORBIDDEN, "forbidden", title).with("needed", needed);
        }
        ToolError::NotOffered { .. } => StatusCode::FORBIDDEN,
        ToolError::NoProject { .. } => {
            return Problem::new(StatusCode::NOT_FOUND, "unknown_project", title);
        }
        ToolError::Invalid { problems } => {
            let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), title);
            return problem.with("problems", json!(problems));
        }
        ToolError::Ambiguous { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        ToolError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        ToolError::Refused { .. } => StatusCode::CONFLICT,
        ToolError::Unavailable { retry_after, .. } => {
            let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.code(), title);
            return problem.retry_after(retry_after.map_or(PATIENCE, |wait| wait.as_secs().max(PATIENCE)));
        }
        ToolError::TimedOut { .. } => StatusCode::GATEWAY_TIMEOUT,
        ToolError::UnknownTool { .. } | ToolError::Internal { .. } | ToolError::Failed { .. } => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    Problem::new(status, error.code(), title)
}

/// Why an exact change is not made.
pub(super) fn refusal(refusal: Refusal) -> Problem {
    let title = refusal.to_string();
    match refusal {
        Refusal::NotThere { kind, id } => unknown(&kind, &id),
        Refusal::NoRoute { path, .. } | Refusal::Unfit { path, .. } => {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", title).with("path", path)
        }
        Refusal::Clash { .. } => Problem::new(StatusCode::CONFLICT, "refused", title),
    }
}

/// A piece that is not there.
pub(super) fn unknown(kind: &str, name: &str) -> Problem {
    let problem = Problem::new(StatusCode::NOT_FOUND, "unknown_piece", format!("no {kind} is called '{name}'"));
    problem.with("kind", kind).with("given", name)
}

fn conflict(status: StatusCode, expected: u64, found: u64) -> Problem {
    let title = Error::Conflict { expected, found }.to_string();
    Problem::new(status, "conflict", title).with("expected", expected).with("found", found)
}
