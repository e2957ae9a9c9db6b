//! The events of the protocol, one of which is a frame of the stream.

use serde::Serialize;
use serde_json::Value;

/// One event of AG-UI 1.0.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the protocol says what its fields mean")]
pub enum Event {
    RunStarted {
        thread_id: String,
        run_id: String,
        protocol_version: &'static str,
    },
    RunFinished {
        thread_id: String,
        run_id: String,
        outcome: Outcome,
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
        by: By,
    },
    TextMessageContent {
        message_id: String,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    TextMessageEnd {
        message_id: String,
        #[serde(flatten)]
        by: By,
    },
    TextMessageChunk {
        message_id: String,
        role: &'static str,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    ToolCallStart {
        tool_call_id: String,
        tool_call_name: String,
        #[serde(flatten)]
        by: By,
    },
    ToolCallArgs {
        tool_call_id: String,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    ToolCallEnd {
        tool_call_id: String,
        #[serde(flatten)]
        by: By,
    },
    ToolCallChunk {
        tool_call_id: String,
        tool_call_name: String,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    ToolCallResult {
        message_id: String,
        tool_call_id: String,
        content: String,
        #[serde(flatten)]
        by: By,
    },
    StateSnapshot {
        snapshot: Value,
    },
    StateDelta {
        delta: Vec<Patch>,
    },
    MessagesSnapshot {
        messages: Vec<Value>,
    },
    ActivitySnapshot {
        message_id: String,
        activity_type: String,
        content: Value,
    },
    ActivityDelta {
        message_id: String,
        activity_type: String,
        patch: Vec<Patch>,
    },
    ReasoningStart {
        message_id: String,
        #[serde(flatten)]
        by: By,
    },
    ReasoningMessageStart {
        message_id: String,
        role: &'static str,
        #[serde(flatten)]
        by: By,
    },
    ReasoningMessageContent {
        message_id: String,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    ReasoningMessageEnd {
        message_id: String,
        #[serde(flatten)]
        by: By,
    },
    ReasoningMessageChunk {
        message_id: String,
        delta: String,
        #[serde(flatten)]
        by: By,
    },
    ReasoningEnd {
        message_id: String,
        #[serde(flatten)]
        by: By,
    },
    ReasoningEncryptedValue {
        subtype: &'static str,
        entity_id: String,
        encrypted_value: String,
    },
    SubagentStarted {
        subagent_run_id: String,
        name: String,
        description: String,
    },
    SubagentFinished {
        subagent_run_id: String,
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
    Raw {
        event: Value,
        source: String,
    },
}

/// Which subagent an event belongs to, if it belongs to one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct By {
    /// The subagent's run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_run_id: Option<String>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outcome {
    /// It is done.
    Success,
    /// It waits for a person.
    Interrupt {
        /// What is asked.
        interrupts: Vec<Interrupt>,
    },
    /// It was stopped.
    Cancelled,
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Interrupt {
    /// What the answer names it by.
    pub id: String,
    /// Why it is asked, such as `qingyu:human_review`.
    pub reason: String,
    /// The question in words, if it has any.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// What an answer looks like.
    pub response_schema: Value,
    /// The question whole.
    pub metadata: Value,
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the protocol says what its fields mean")]
pub struct TokenUsage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
    pub cached_input_tokens: u64,
}

/// One change of a JSON document (RFC 6902).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the RFC says what its fields mean")]
pub enum Patch {
    Add { path: String, value: Value },
    Replace { path: String, value: Value },
    Remove { path: String },
}

impl Patch {
    /// What makes `old` into `new`: changes of the smallest fields of objects that differ; lists are replaced whole.
    pub fn between(old: &Value, new: &Value) -> Vec<Self> {
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
        let by = By { subagent_run_id: Some("s".into()) };
        let event = Event::TextMessageContent { message_id: "m".into(), delta: "雨".into(), by };
        let wire = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "雨", "subagentRunId": "s"});
        assert_eq!(serde_json::to_value(event).unwrap(), wire);
        let end = Event::TextMessageEnd { message_id: "m".into(), by: By::default() };
        assert_eq!(serde_json::to_value(end).unwrap(), json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}));
    }
}
