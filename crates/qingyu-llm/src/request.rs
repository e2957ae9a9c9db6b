//! Requests to a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Reply, ToolCall};

/// A request. All content is byte-stable for equal input, so that caches and cassettes can use the request as a key.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The purpose of the call, such as `outline.generate`: selects the model, attributes the cost, keys cassettes.
    pub purpose: String,
    /// The messages, oldest first; at most a single leading system message.
    pub messages: Vec<ChatMessage>,
    /// Tools available to the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// The required schema of the answer, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputSchema>,
    /// Between 0 and 2; defaults to the provider's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// Maximum tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Thinking effort; defaults to the model's own. Does not affect replays of a recording and is not recorded.
    #[serde(skip)]
    pub effort: Option<Effort>,
    /// The typed prompt context the messages were rendered from. Used by rule-based models; never sent over a wire.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub context: Value,
    /// Id of the call within its run, stable across repeats; empty by default. Distinguishes equal requests of
    /// concurrent branches during replay. Never sent over a wire.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// Attribution of the cost. Neither sent nor recorded.
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
    /// Returns the index among the providers' levels: none, minimal, low, medium, high, xhigh, max.
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

/// The attribution of a call's cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribution {
    /// The calling agent; empty by default.
    pub agent: String,
    /// The chapter number, if the call is for a chapter.
    pub chapter: Option<u32>,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// The role of the author.
    pub role: MessageRole,
    /// The text; empty in an assistant message with tool calls only.
    pub text: String,
    /// The assistant's tool calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Id of the call answered by a tool message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The provider's own blocks (reasoning, signatures), stored byte for byte and returned in tool rounds.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl ChatMessage {
    /// Returns a system message: the model's instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(MessageRole::System, text)
    }

    /// Returns a user message.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(MessageRole::User, text)
    }

    /// Returns an assistant message with earlier output of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(MessageRole::Assistant, text)
    }

    /// Returns the assistant message of `reply`, with its calls and the provider's blocks, to be followed by the tool
    /// results.
    pub fn answer(reply: &Reply) -> Self {
        let (tool_calls, raw) = (reply.tool_calls.clone(), reply.raw.clone());
        Self { tool_calls, raw, ..Self::new(MessageRole::Assistant, reply.text.clone()) }
    }

    /// Returns the result of the tool call `id`.
    pub fn tool(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { tool_call_id: Some(id.into()), ..Self::new(MessageRole::Tool, text) }
    }

    fn new(role: MessageRole, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), tool_calls: Vec::new(), tool_call_id: None, raw: Value::Null }
    }
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageRole {
    /// The instructions of the conversation.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

/// A tool available to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The name, `[a-zA-Z0-9_-]{1,64}`.
    pub name: String,
    /// Description of the tool for the model.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

/// The schema of a structured answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// A short name, `[a-zA-Z0-9_]{1,64}`.
    pub name: String,
    /// JSON Schema, inlined (no `$ref`).
    pub schema: Value,
}
