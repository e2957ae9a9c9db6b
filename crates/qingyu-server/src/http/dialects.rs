//! Errors in the formats that the clients of other protocols expect, whichever layer made them.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Collected, Limited};
use serde_json::Value;

use crate::{langgraph, openai};

/// Maximum size in bytes of an error to be translated.
const LARGEST: usize = 64 << 10;
/// Maximum characters of a message taken from plain text.
const LONGEST: usize = 500;

/// A protocol with its own format of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenAi,
    LangGraph,
}

impl Dialect {
    /// Returns the dialect of the errors at a path; `None` for problem documents.
    pub(super) fn of(path: &str) -> Option<Self> {
        match path.trim_start_matches('/').split('/').next() {
            Some("v1") => Some(Self::OpenAi),
            Some("langgraph") => Some(Self::LangGraph),
            _ => None,
        }
    }

    /// Translates an error that is a problem document or plain text; returns other responses unchanged.
    pub(super) async fn translate(self, response: Response) -> Response {
        let status = response.status();
        let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let is_translated = kind.starts_with(b"application/json");
        if is_translated || !(status.is_client_error() || status.is_server_error()) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let bytes = Limited::new(body, LARGEST).collect().await.map(Collected::to_bytes).unwrap_or_default();
        let body = self.body(status, &bytes);
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.remove(header::CONTENT_TYPE);
        let mut translated = Json(body).into_response();
        *translated.status_mut() = status;
        let kind = translated.headers_mut().remove(header::CONTENT_TYPE);
        *translated.headers_mut() = parts.headers;
        if let Some(kind) = kind {
            translated.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        translated
    }

    fn body(self, status: StatusCode, told: &[u8]) -> Value {
        let document: Value = serde_json::from_slice(told).unwrap_or_default();
        let code = document["code"].as_str().unwrap_or_else(|| code_of(status));
        let text: String = String::from_utf8_lossy(told).trim().chars().take(LONGEST).collect();
        let reason = status.canonical_reason().unwrap_or("error");
        let text = if text.is_empty() { reason } else { &text };
        let message = document["title"].as_str().unwrap_or(text);
        match self {
            Self::OpenAi => openai::error(status, code, message, document["data"]["path"].as_str()),
            Self::LangGraph => langgraph::error(code, message),
        }
    }
}

/// Returns the code of an error without a problem document.
fn code_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "unauthorized",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::NOT_FOUND => "unknown_route",
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "bad_media_type",
        StatusCode::TOO_MANY_REQUESTS => "limit",
        status if status.is_server_error() => "internal",
        _ => "bad_request",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::HttpProblem;

    async fn told(path: &str, response: Response) -> (String, Value) {
        let translated = Dialect::of(path).unwrap().translate(response).await;
        let kind = translated.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        let body = translated.into_body().collect().await.unwrap().to_bytes();
        (kind, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn problems_and_plain_words_are_told_as_each_client_expects_them() {
        let unknown = || HttpProblem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs a key").into_response();
        let (kind, body) = told("/v1/models", unknown()).await;
        assert_eq!(kind, "application/json");
        let (message, code) = ("this needs a key", "unauthorized");
        let error = json!({"message": message, "type": "authentication_error", "param": null, "code": code});
        assert_eq!(body["error"], error);
        let (_, body) = told("/langgraph/threads", unknown()).await;
        assert_eq!(body["detail"], "unauthorized: this needs a key");

        let large = (StatusCode::PAYLOAD_TOO_LARGE, "length limit exceeded").into_response();
        let (_, body) = told("/langgraph/runs", large).await;
        assert_eq!(body["detail"], "too_large: length limit exceeded");
        let (_, body) = told("/v1/x", StatusCode::METHOD_NOT_ALLOWED.into_response()).await;
        assert_eq!(body["error"]["message"], "Method Not Allowed");
    }

    #[tokio::test]
    async fn headers_stay_and_what_is_no_error_is_left_alone() {
        let mut busy =
            HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", "busy").retry_after(7).into_response();
        busy.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        let busy = Dialect::OpenAi.translate(busy).await;
        assert_eq!(busy.headers()[header::RETRY_AFTER], "7");
        assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(busy.headers().contains_key(header::WWW_AUTHENTICATE));
        let fine = Dialect::OpenAi.translate("words".into_response()).await;
        assert_eq!(fine.headers()[header::CONTENT_TYPE], "text/plain; charset=utf-8");
        assert_eq!((Dialect::of("/api/v1/projects"), Dialect::of("/v1x")), (None, None));
    }
}
