//! The events of the protocol; each event is a frame of the stream.

use serde::Serialize;
use serde_json::Value;

/// An event of AG-UI 1.0, of those that the server sends.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub(super) enum AguiEvent {
    RunStarted {
        thread_id: String,
        run_id: String,
        protocol_version: &'static str,
    },
    RunFinished {
        thread_id: String,
        run_id: String,
        outcome: AguiOutcome,
        usage: Vec<TokenUsage>,
    },
    RunError {
        message: String,
        code: String,
    },
    StepStarted {
        step_name: String,
    },
    StepFinished {
        step_name: String,
    },
    TextMessageStart {
        message_id: String,
        role: &'static str,
        #[serde(flatten)]
        by: SubagentRef,
    },
    TextMessageContent {
        message_id: String,
        delta: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    TextMessageEnd {
        message_id: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ToolCallStart {
        tool_call_id: String,
        tool_call_name: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ToolCallEnd {
        tool_call_id: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ToolCallResult {
        message_id: String,
        tool_call_id: String,
        content: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    StateSnapshot {
        snapshot: Value,
    },
    StateDelta {
        delta: Vec<Patch>,
    },
    ReasoningStart {
        message_id: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ReasoningMessageStart {
        message_id: String,
        role: &'static str,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ReasoningMessageContent {
        message_id: String,
        delta: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ReasoningMessageEnd {
        message_id: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    ReasoningEnd {
        message_id: String,
        #[serde(flatten)]
        by: SubagentRef,
    },
    SubagentStarted {
        subagent_run_id: String,
        name: String,
        description: String,
    },
    SubagentFinished {
        subagent_run_id: String,
        #[serde(skip_serializing_if = "Value::is_null")]
        result: Value,
    },
    SubagentError {
        subagent_run_id: String,
        message: String,
    },
    Custom {
        name: String,
        value: Value,
    },
}

/// The subagent of an event, if any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubagentRef {
    /// The run id of the subagent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) subagent_run_id: Option<String>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum AguiOutcome {
    /// The run is done.
    Success,
    /// The run waits for a person.
    Interrupt {
        /// The open questions.
        interrupts: Vec<Interrupt>,
    },
    /// The run was stopped.
    Cancelled,
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Interrupt {
    /// The id named by the answer.
    pub(super) id: String,
    /// The reason, such as `qingyu:human_review`.
    pub(super) reason: String,
    /// The question in words, possibly empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) message: String,
    /// The JSON Schema of an answer.
    pub(super) response_schema: Value,
    /// The complete question.
    pub(super) metadata: Value,
}

/// The token usage of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenUsage {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) total_tokens: u64,
    pub(super) cached_input_tokens: u64,
}

/// An operation of a JSON patch (RFC 6902).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(super) enum Patch {
    Add { path: String, value: Value },
    Replace { path: String, value: Value },
    Remove { path: String },
}

impl Patch {
    /// Returns the patch from `old` to `new`: the smallest differing fields of objects; lists are replaced as a whole.
    pub(super) fn between(old: &Value, new: &Value) -> Vec<Self> {
        let mut changes = Vec::new();
        differ("", old, new, &mut changes);
        changes
    }
}

fn differ(path: &str, old: &Value, new: &Value, changes: &mut Vec<Patch>) {
    let (Value::Object(before), Value::Object(after)) = (old, new) else {
        if old != new {
            changes.push(Patch::Replace { path: path.to_owned(), value: new.clone() });
        }
        return;
    };
    let below = |name: &str| format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        changes.push(Patch::Remove { path: below(name) });
    }
    for (name, value) in after {
        match before.get(name) {
            Some(old) => differ(&below(name), old, value, changes),
            None => changes.push(Patch::Add { path: below(name), value: value.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_name_the_smallest_fields() {
        let old = json!({"story": {"a/b": 1, "cast": [1], "same": {}}, "gone": 1});
        let new = json!({"story": {"a/b": 2, "cast": [1, 2], "same": {}}, "came": null});
        assert_eq!(
            serde_json::to_value(Patch::between(&old, &new)).unwrap(),
            json!([
                {"op": "remove", "path": "/gone"},
                {"op": "add", "path": "/came", "value": null},
                {"op": "replace", "path": "/story/a~1b", "value": 2},
                {"op": "replace", "path": "/story/cast", "value": [1, 2]},
            ])
        );
        assert!(Patch::between(&new, &new).is_empty());
    }

    #[test]
    fn events_are_written_as_the_protocol_names_them() {
        let by = SubagentRef { subagent_run_id: Some("s".into()) };
        let event = AguiEvent::TextMessageContent { message_id: "m".into(), delta: "雨".into(), by };
        let wire = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "雨", "subagentRunId": "s"});
        assert_eq!(serde_json::to_value(event).unwrap(), wire);
        let end = AguiEvent::TextMessageEnd { message_id: "m".into(), by: SubagentRef::default() };
        assert_eq!(serde_json::to_value(end).unwrap(), json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}));
    }
}
