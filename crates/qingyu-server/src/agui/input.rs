//! The client's request.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::chat::{self, ChatKind};
use crate::http::HttpProblem;

/// A `RunAgentInput`. Frontend tools and context are ignored.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AguiInput {
    pub(super) thread_id: String,
    pub(super) run_id: String,
    #[serde(default)]
    state: Value,
    #[serde(default)]
    messages: Vec<Value>,
    #[serde(default)]
    forwarded_props: Value,
    #[serde(default)]
    pub(super) resume: Option<Vec<InterruptResponse>>,
}

/// A person's answer to a question.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InterruptResponse {
    pub(super) interrupt_id: String,
    pub(super) status: Resolution,
    #[serde(default)]
    pub(super) payload: Value,
}

/// Whether the question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Resolution {
    Resolved,
    Cancelled,
}

impl AguiInput {
    /// Returns the text of the last user message.
    pub(super) fn words(&self) -> String {
        let last = self.messages.iter().rfind(|message| message["role"] == "user");
        last.map(|message| chat::words(&message["content"])).unwrap_or_default()
    }

    /// Returns the project named by the input, which must exist.
    pub(super) fn project(&self) -> Option<&str> {
        let given = self.forwarded_props["qingyu"]["project"].as_str();
        given.or_else(|| self.state["project"].as_str()).filter(|project| !project.is_empty())
    }

    /// Returns the kind of work to start; the default depends on whether there is a project.
    pub(super) fn kind(&self, has_project: bool) -> Result<ChatKind, HttpProblem> {
        let unknown = |name: &Value| {
            let problem =
                HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_kind", "there is no such kind of run");
            problem.with("kind", name.clone())
        };
        match &self.forwarded_props["qingyu"]["kind"] {
            Value::Null if has_project => Ok(ChatKind::Task),
            Value::Null => Ok(ChatKind::Create),
            name => name.as_str().and_then(ChatKind::named).ok_or_else(|| unknown(name)),
        }
    }

    /// Returns additional fields of the studio's request.
    pub(super) fn more(&self) -> Map<String, Value> {
        let mut more = self.forwarded_props["qingyu"].as_object().cloned().unwrap_or_default();
        more.remove("project");
        more
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_input_says_what_is_meant() {
        let input = |more: Value| -> AguiInput {
            let mut input = json!({"threadId": "t", "runId": "r", "messages": [
                {"id": "1", "role": "user", "content": "旧"}, {"id": "2", "role": "assistant", "content": "答"},
                {"id": "3", "role": "user", "content": [{"type": "text", "text": "新"}]}]});
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value(input).unwrap()
        };
        let plain = input(json!({}));
        assert_eq!((plain.words().as_str(), plain.project()), ("新", None));
        assert_eq!((plain.kind(false).unwrap(), plain.kind(true).unwrap()), (ChatKind::Create, ChatKind::Task));
        assert_eq!(input(json!({"state": {"project": "p"}})).project(), Some("p"));
        let props = json!({"state": {"project": "p"}, "forwardedProps": {"qingyu": {"project": "q", "kind": "ask"}}});
        assert_eq!((input(props.clone()).project(), input(props).kind(false).unwrap()), (Some("q"), ChatKind::Ask));
        let wrong = input(json!({"forwardedProps": {"qingyu": {"kind": "dance"}}})).kind(false).unwrap_err();
        assert_eq!(wrong.document().code, "unknown_kind");
    }
}
