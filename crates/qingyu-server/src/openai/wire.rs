//! Requests, answers and errors as the clients of this API know them.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use qingyu_studio::llm::Usage;
use qingyu_studio::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat;
use crate::http::{Problem, status};

/// How many characters of what was said before go along with a question.
const EARLIER: usize = 2_000;

/// Asks for a completion. Sampling is the business of the agents' settings; what is said about it is not minded.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) messages: Vec<Message>,
    #[serde(default)]
    pub(super) stream: bool,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(default)]
    n: Option<u32>,
}

/// What a stream has besides its words.
#[derive(Debug, Clone, Default, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

/// One message of a conversation.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Message {
    role: String,
    #[serde(default)]
    content: Value,
}

impl Request {
    /// What is asked: the last message of the user.
    pub(super) fn question(&self) -> Result<String, Failure> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(Failure::wrong("n", "only one answer is given"));
        }
        let asked = self.messages.iter().rfind(|message| message.role == "user");
        let words = asked.map(|message| chat::words(&message.content)).unwrap_or_default();
        if words.trim().is_empty() {
            return Err(Failure::wrong("messages", "there is no message of the user with words"));
        }
        Ok(words)
    }

    /// What was said before the question, oldest first; the newest of it if it is much.
    pub(super) fn earlier(&self) -> String {
        let asked = self.messages.iter().rposition(|message| message.role == "user").unwrap_or_default();
        let line = |message: &Message| format!("{}: {}", message.role, chat::words(&message.content));
        let said: Vec<String> = self.messages[..asked].iter().map(line).collect();
        let said = said.join("\n");
        let left_out = said.chars().count().saturating_sub(EARLIER);
        said.chars().skip(left_out).collect()
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }
}

/// What stands over every answer.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: String,
}

impl Heading {
    /// A whole answer.
    pub(super) fn answer(&self, words: &str, counted: Usage, more: &Value) -> Value {
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": words, "refusal": null},
                         "logprobs": null, "finish_reason": "stop"}],
            "usage": usage(counted),
            "qingyu": more,
        })
    }

    /// A piece of a stream: the role, words, or the end.
    pub(super) fn chunk(&self, delta: &Value, is_last: bool) -> Value {
        let finish = if is_last { json!("stop") } else { Value::Null };
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }

    /// The piece of a stream that says what it cost.
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

/// What went wrong, in the shape of this API.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    code: String,
    message: String,
    param: Option<&'static str>,
}

impl Failure {
    /// A field of the request is wrong.
    pub(super) fn wrong(param: &'static str, message: &str) -> Self {
        let code = "invalid_value".into();
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), param: Some(param) }
    }

    /// There is no such model.
    pub(super) fn no_model(model: &str) -> Self {
        let message = format!("the model `{model}` does not exist");
        Self { status: StatusCode::NOT_FOUND, code: "model_not_found".into(), message, param: Some("model") }
    }

    /// The document of an answer or of a stream.
    pub(super) fn document(&self) -> Value {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::FORBIDDEN => "permission_error",
            StatusCode::TOO_MANY_REQUESTS | StatusCode::PAYMENT_REQUIRED => "rate_limit_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        };
        json!({"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}})
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: status(error.kind()), code: error.code().into(), message: error.to_string(), param: None }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let document = problem.document();
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, code: document.code.clone(), message: document.title.clone(), param: None }
    }
}

impl From<qingyu_studio::Failure> for Failure {
    fn from(failure: qingyu_studio::Failure) -> Self {
        Self {
            status: status(ErrorKind::of_code(&failure.code)),
            code: failure.code,
            message: failure.message,
            param: None,
        }
    }
}

impl IntoResponse for Failure {
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
            let failure = qingyu_studio::Failure { code: code.into(), message: "no".into(), data: Default::default() };
            let failure = Failure::from(failure);
            assert_eq!((failure.status.as_u16(), failure.document()["error"]["type"].as_str()), (status, Some(kind)));
        }
    }

    #[test]
    fn what_was_said_before_goes_along_with_a_limit() {
        let request = |messages: Value| -> Request {
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
}
