//! Failures as RFC 9457 problem documents, with the stable codes of the studio.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use qingyu_client::ProblemDocument;
use qingyu_studio::{Error, ErrorKind};

/// Maximum characters of a text in a problem: request content is quoted, never echoed as a whole.
const LONGEST: usize = 500;
/// Maximum entries of a list in a problem.
const MOST: usize = 20;

/// A failure as an HTTP response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HttpProblem(Box<ProblemDocument>);

impl HttpProblem {
    /// Creates a problem of the HTTP layer.
    pub(crate) fn new(status: StatusCode, code: &str, title: impl Into<String>) -> Self {
        Self(Box::new(ProblemDocument {
            kind: format!("urn:qingyu:error:{code}"),
            status: status.as_u16(),
            title: cut(&title.into()),
            code: code.to_owned(),
            data: serde_json::Map::new(),
            retry_after: None,
            request_id: None,
        }))
    }

    /// Adds a retry delay in seconds.
    #[must_use]
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// Adds a data field.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.0.data.insert(name.to_owned(), cut_value(value.into()));
        self
    }

    /// Adds the request id used in the logs.
    #[must_use]
    pub(crate) fn of_request(mut self, id: &str) -> Self {
        self.0.request_id = Some(id.to_owned());
        self
    }

    /// Returns the problem document.
    pub(crate) fn document(&self) -> &ProblemDocument {
        &self.0
    }
}

impl From<Error> for HttpProblem {
    fn from(error: Error) -> Self {
        let data = error.data();
        let retry_after = data.get("retry_after").and_then(serde_json::Value::as_u64);
        let mut problem = Self::new(status(error.kind()), error.code(), error.to_string());
        let data = data.into_iter().map(|(name, value)| (name, cut_value(value)));
        (problem.0.data, problem.0.retry_after) = (data.collect(), retry_after);
        problem
    }
}

/// Truncates a text, marking the omission.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn cut_value(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::String(text) => cut(&text).into(),
        Value::Array(values) => values.into_iter().take(MOST).map(cut_value).collect(),
        Value::Object(fields) => {
            fields.into_iter().take(MOST).map(|(name, value)| (cut(&name), cut_value(value))).collect()
        }
        value => value,
    }
}

impl From<QueryRejection> for HttpProblem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", rejection.body_text())
    }
}

impl From<PathRejection> for HttpProblem {
    fn from(rejection: PathRejection) -> Self {
        Self::new(rejection.status(), "bad_request", rejection.body_text())
    }
}

/// Returns the HTTP status of an error kind: 4xx for errors the caller can fix, 502 for failures of a model's provider,
/// other 5xx for our own.
pub fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Budget => StatusCode::PAYMENT_REQUIRED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict | ErrorKind::State => StatusCode::CONFLICT,
        ErrorKind::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::Input | ErrorKind::Setup | ErrorKind::Refused | ErrorKind::Step => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Limit => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Storage | ErrorKind::Damaged | ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorKind::Provider | ErrorKind::Account => StatusCode::BAD_GATEWAY,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
    }
}

impl IntoResponse for HttpProblem {
    fn into_response(self) -> Response {
        let Self(document) = self;
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = document.retry_after;
        let mut response = (status, Json(document)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_said_is_not_sent_back_whole() {
        let long = "长".repeat(70_000);
        let problem = HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", long.clone())
            .with("path", long.clone())
            .with("matches", vec![long.clone(); 100]);
        let mut given = std::collections::BTreeMap::from([("given".to_owned(), serde_json::json!({"a": long}))]);
        given.insert("n".to_owned(), 7.into());
        let failure = qingyu_studio::FailureRecord { code: "unknown_project".into(), message: long, data: given };
        let of_studio = HttpProblem::from(Error::Remote(failure));
        for problem in [problem, of_studio] {
            let text = serde_json::to_string(problem.document()).unwrap();
            assert!(text.len() < 64 << 10, "{} bytes", text.len());
            assert!(text.contains('…'));
        }
    }
}
