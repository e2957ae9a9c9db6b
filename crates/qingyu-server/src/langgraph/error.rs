//! Errors in the format of the API.

use std::io;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use qingyu_studio::Error;
use serde_json::{Value, json};

use crate::http::{HttpProblem, status};

/// An error as `{"detail": "code: message"}`.
#[derive(Debug)]
pub(super) struct LangGraphError {
    status: StatusCode,
    pub(super) detail: String,
}

impl LangGraphError {
    pub(super) fn new(status: StatusCode, code: &str, message: impl AsRef<str>) -> Self {
        Self { status, detail: detail(code, message.as_ref()) }
    }

    /// Returns a 422 error about the request as a whole.
    pub(super) fn unprocessable(message: impl AsRef<str>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", message)
    }

    /// Returns a 422 error: the value of a field is invalid.
    pub(super) fn invalid(field: &str, message: &str) -> Self {
        Self::unprocessable(format!("`{field}`: {message}"))
    }

    /// Returns a 422 error: a field cannot be followed. `advice` says what to do instead.
    pub(super) fn unsupported(field: &str, advice: &str) -> Self {
        let message = format!("`{field}` is not supported: {advice}");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported_field", message)
    }

    /// Returns a 404 error.
    pub(super) fn missing(message: impl AsRef<str>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Returns a 409 error.
    pub(super) fn conflict(message: impl AsRef<str>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message)
    }

    /// Returns whether the named thread or run does not exist.
    pub(super) fn is_missing(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }
}

/// Returns the text of an error.
fn detail(code: &str, message: &str) -> String {
    format!("{code}: {message}")
}

/// Returns an error in the format of the API.
pub(crate) fn error(code: &str, message: &str) -> Value {
    json!({"detail": detail(code, message)})
}

impl From<Error> for LangGraphError {
    fn from(error: Error) -> Self {
        Self::new(status(error.kind()), error.code(), error.to_string())
    }
}

impl From<HttpProblem> for LangGraphError {
    fn from(problem: HttpProblem) -> Self {
        let document = problem.document();
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(status, &document.code, &document.title)
    }
}

impl From<io::Error> for LangGraphError {
    /// The notes of threads could not be read or written.
    fn from(error: io::Error) -> Self {
        tracing::error!(%error, "thread notes not accessible");
        let message = "the thread's metadata cannot be read or written; see the log of the server";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "storage", message)
    }
}

impl IntoResponse for LangGraphError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"detail": self.detail}))).into_response()
    }
}
