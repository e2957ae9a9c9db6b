//! Requests, responses and errors in the format of the API.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use qingyu_studio::llm::Usage;
use qingyu_studio::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::unsupported;
use crate::chat;
use crate::http::{HttpProblem, status};

/// Maximum characters of earlier messages passed along with a question.
const EARLIER: usize = 2_000;

/// A completion request. Sampling options are ignored in favour of the agents' settings; fields that would change the
/// answer otherwise are refused.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CompletionRequest {
    pub(super) model: String,
    pub(super) messages: Vec<ConversationMessage>,
    #[serde(default)]
    pub(super) stream: bool,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// Additional contents of a stream.
#[derive(Debug, Clone, Default, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

/// A message of a conversation.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ConversationMessage {
    role: String,
    #[serde(default)]
    content: Value,
}

impl CompletionRequest {
    /// Returns the question: the last user message.
    ///
    /// Fails if a field of the request cannot be followed, or if the message has no words or more than words.
    pub(super) fn question(&self) -> Result<String, OpenAiError> {
        if let Some((field, advice)) = unsupported::find(&self.more) {
            return Err(OpenAiError::unsupported(field, advice));
        }
        let asked = self.messages.iter().rfind(|message| message.role == "user");
        if asked.is_some_and(|message| has_more_than_words(&message.content)) {
            return Err(OpenAiError::unsupported(
                "messages",
                "only text is understood: leave out images, audio and files",
            ));
        }
        let words = asked.map(|message| chat::words(&message.content)).unwrap_or_default();
        if words.trim().is_empty() {
            return Err(OpenAiError::wrong("messages", "there is no message of the user with words"));
        }
        Ok(words)
    }

    /// Returns the messages before the question, oldest first; the oldest are dropped beyond the limit.
    pub(super) fn earlier(&self) -> String {
        let asked = self.messages.iter().rposition(|message| message.role == "user").unwrap_or_default();
        let line = |message: &ConversationMessage| format!("{}: {}", message.role, chat::words(&message.content));
        let said: Vec<String> = self.messages[..asked].iter().map(line).collect();
        let said = said.join("\n");
        let left_out = said.chars().count().saturating_sub(EARLIER);
        said.chars().skip(left_out).collect()
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }
}

/// Returns whether a message's content has parts other than text.
fn has_more_than_words(content: &Value) -> bool {
    let mut parts = content.as_array().into_iter().flatten();
    parts.any(|part| part["type"].as_str().is_some_and(|kind| kind != "text") && !part["text"].is_string())
}

/// The common fields of every response.
#[derive(Debug, Clone)]
pub(super) struct CompletionHeader {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: String,
}

impl CompletionHeader {
    /// Returns a complete response; `annotations` are the sources, `more` the fields of ours.
    pub(super) fn answer(&self, words: &str, annotations: &[Value], counted: Usage, more: &Value) -> Value {
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": words, "refusal": null,
                                                 "annotations": annotations},
                         "logprobs": null, "finish_reason": "stop"}],
            "usage": usage(counted),
            "qingyu": more,
        })
    }

    /// Returns a chunk of a stream: the role, words, or the end.
    pub(super) fn chunk(&self, delta: &Value, is_last: bool) -> Value {
        let finish = if is_last { json!("stop") } else { Value::Null };
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }

    /// Returns the chunk with the token usage.
    pub(super) fn counted(&self, counted: Usage) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [], "usage": usage(counted),
        })
    }
}

fn usage(counted: Usage) -> Value {
    json!({
        "prompt_tokens": counted.input,
        "completion_tokens": counted.output,
        "total_tokens": counted.input + counted.output,
        "prompt_tokens_details": {"cached_tokens": counted.cached},
    })
}

/// An error in the format of the API.
#[derive(Debug)]
pub(super) struct OpenAiError {
    status: StatusCode,
    code: String,
    message: String,
    param: Option<&'static str>,
}

impl OpenAiError {
    /// Returns an error about an invalid field.
    pub(super) fn wrong(param: &'static str, message: &str) -> Self {
        let code = "invalid_value".into();
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), param: Some(param) }
    }

    /// Returns an error about a field that cannot be followed.
    pub(super) fn unsupported(param: &'static str, message: &str) -> Self {
        Self { code: "unsupported_parameter".into(), ..Self::wrong(param, message) }
    }

    /// Returns an error about a request that is no JSON, too large, or of another shape.
    pub(super) fn unread(rejection: &JsonRejection) -> Self {
        let (status, message) = (rejection.status(), rejection.body_text());
        let wrong = Self::wrong("messages", &message);
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Self { status, code: "too_large".into(), param: None, ..wrong },
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self { status, code: "bad_media_type".into(), param: None, ..wrong },
            _ => wrong,
        }
    }

    /// Returns an error about an unknown model.
    pub(super) fn no_model(model: &str) -> Self {
        let message = format!("the model `{model}` does not exist");
        Self { status: StatusCode::NOT_FOUND, code: "model_not_found".into(), message, param: Some("model") }
    }

    /// Returns the error as JSON, for a response or a stream.
    pub(super) fn document(&self) -> Value {
        error(self.status, &self.code, &self.message, self.param)
    }
}

/// Returns an error in the format of the API; `param` is the invalid field, if any.
pub(crate) fn error(status: StatusCode, code: &str, message: &str, param: Option<&str>) -> Value {
    let kind = match status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::TOO_MANY_REQUESTS | StatusCode::PAYMENT_REQUIRED => "rate_limit_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    };
    json!({"error": {"message": message, "type": kind, "param": param, "code": code}})
}

impl From<Error> for OpenAiError {
    fn from(error: Error) -> Self {
        Self { status: status(error.kind()), code: error.code().into(), message: error.to_string(), param: None }
    }
}

impl From<HttpProblem> for OpenAiError {
    fn from(problem: HttpProblem) -> Self {
        let document = problem.document();
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, code: document.code.clone(), message: document.title.clone(), param: None }
    }
}

impl From<qingyu_studio::FailureRecord> for OpenAiError {
    fn from(failure: qingyu_studio::FailureRecord) -> Self {
        Self {
            status: status(ErrorKind::of_code(&failure.code)),
            code: failure.code,
            message: failure.message,
            param: None,
        }
    }
}

impl IntoResponse for OpenAiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.document())).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_have_the_types_that_clients_look_for() {
        for (code, status, kind) in [
            ("unauthorized", 401, "authentication_error"),
            ("forbidden", 403, "permission_error"),
            ("unknown_project", 404, "invalid_request_error"),
            ("provider_busy", 429, "rate_limit_error"),
            ("budget", 402, "rate_limit_error"),
            ("internal", 500, "server_error"),
        ] {
            let failure =
                qingyu_studio::FailureRecord { code: code.into(), message: "no".into(), data: Default::default() };
            let failure = OpenAiError::from(failure);
            assert_eq!((failure.status.as_u16(), failure.document()["error"]["type"].as_str()), (status, Some(kind)));
        }
    }

    #[test]
    fn what_was_said_before_goes_along_with_a_limit() {
        let request = |messages: Value| -> CompletionRequest {
            serde_json::from_value(json!({"model": "qingyu", "messages": messages})).unwrap()
        };
        let asked = request(json!([
            {"role": "system", "content": "短"},
            {"role": "user", "content": "谁"},
            {"role": "assistant", "content": "林青"},
            {"role": "user", "content": [{"type": "text", "text": "他在哪"}]},
        ]));
        assert_eq!(asked.question().unwrap(), "他在哪");
        assert_eq!(asked.earlier(), "system: 短\nuser: 谁\nassistant: 林青");
        let long =
            request(json!([{"role": "user", "content": "雨".repeat(EARLIER)}, {"role": "user", "content": "?"}]));
        assert!(long.earlier().chars().count() == EARLIER && long.earlier().ends_with('雨'));
        assert!(request(json!([{"role": "assistant", "content": "x"}])).question().is_err());
    }

    #[test]
    fn what_cannot_be_followed_is_refused_by_its_name() {
        let asked = |more: Value| {
            let mut request = json!({"model": "qingyu", "messages": [{"role": "user", "content": "谁"}]});
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value::<CompletionRequest>(request).unwrap().question()
        };
        let refused = asked(json!({"tools": [{"type": "function"}]})).unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.param), (400, Some("tools")));
        assert_eq!(asked(json!({"temperature": 0.2, "n": 1, "tools": []})).unwrap(), "谁");
        let picture = json!([{"type": "text", "text": "谁"}, {"type": "image_url", "image_url": {"url": "x"}}]);
        let picture = asked(json!({"messages": [{"role": "user", "content": picture}]})).unwrap_err();
        assert_eq!(picture.param, Some("messages"));
    }
}
