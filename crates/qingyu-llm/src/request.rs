//! What is asked of a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Reply, ToolCall};

/// One request. Everything in it is byte-stable for equal input, so that caches and cassettes can key on it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Request {
    /// Why the model is called, such as `outline.generate`: picks the model, attributes the cost, keys cassettes.
    pub purpose: String,
    /// The conversation, oldest first; at most one leading system message.
    pub messages: Vec<Message>,
    /// Tools the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// The shape the answer must have, if it must have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputSchema>,
    /// Between 0 and 2; the provider's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// The most tokens the answer may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// How hard the model is to think before it answers; as it is used to when absent. It changes no answer of a recording, and
    /// is not recorded.
    #[serde(skip)]
    pub effort: Option<Effort>,
    /// The typed prompt context the messages were rendered from. Rule-based models answer from it; wires never send it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub context: Value,
    /// Which call of its run this is, the same when it is made again; empty if nobody says. It tells equal requests of
    /// parallel branches apart when they are replayed. Wires never send it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// Who is charged for it. Neither sent nor recorded.
    #[serde(skip)]
    pub attribution: Attribution,
}

/// How hard a model is to think before it answers. A model that has no such level takes the nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Not at all, where it can be kept from it; else as little as it can.
    Off,
    /// A little.
    Low,
    /// As much as usual.
    Medium,
    /// Much.
    High,
    /// As much as it can.
    Max,
}

impl Effort {
    /// Its place among the levels that providers have: none, minimal, low, medium, high, xhigh, max.
    pub(crate) fn rank(self) -> usize {
        match self {
            Self::Off => 0,
            Self::Low => 2,
            Self::Medium => 3,
            Self::High => 4,
            Self::Max => 6,
        }
    }
}

/// Who is charged for a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribution {
    /// The agent that asks; empty if nobody says.
    pub agent: String,
    /// The chapter it is for, if it is for one.
    pub chapter: Option<u32>,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text; empty in an assistant message that only calls tools.
    pub text: String,
    /// Calls the assistant made in this message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The call that a tool message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The provider's own blocks (reasoning, signatures), kept byte for byte and sent back in tool rounds.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl Message {
    /// What the model is and must obey.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    /// What is asked.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// What the model said before.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// What the model answered, with its calls and its provider's blocks, to be followed by the results of the calls.
    pub fn answer(reply: &Reply) -> Self {
        let (tool_calls, raw) = (reply.tool_calls.clone(), reply.raw.clone());
        Self { tool_calls, raw, ..Self::new(Role::Assistant, reply.text.clone()) }
    }

    /// The result of the tool call `id`.
    pub fn tool(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { tool_call_id: Some(id.into()), ..Self::new(Role::Tool, text) }
    }

    fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), tool_calls: Vec::new(), tool_call_id: None, raw: Value::Null }
    }
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The rules of the conversation.
    System,
    /// The asking side.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

/// A tool the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name, `[a-zA-Z0-9_-]{1,64}`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

/// The shape a structured answer must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// A short name, `[a-zA-Z0-9_]{1,64}`.
    pub name: String,
    /// JSON Schema, inlined (no `$ref`).
    pub schema: Value,
}
