//! The answer of a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A stream event of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ChatEvent {
    /// Visible text.
    Text(String),
    /// Thinking, if the provider shows any.
    Reasoning(String),
    /// A fragment of the arguments of the tool call in `slot`.
    ToolDelta {
        /// Index of the call within the answer, from 0.
        slot: usize,
        /// The tool's name, in the first fragment.
        name: Option<String>,
        /// The next fragment of the arguments' JSON text.
        arguments: String,
    },
    /// Usage so far; later counts override earlier counts.
    Usage(Usage),
    /// The complete answer; always the last event.
    Done(Box<Reply>),
}

impl ChatEvent {
    /// Returns whether the event shows a part of the answer, so that a restart of the answer would be visible.
    ///
    /// Thinking does not count: thinking is shown temporarily and not stored.
    pub(crate) fn is_visible(&self) -> bool {
        match self {
            Self::Text(text) => !text.trim().is_empty(),
            Self::ToolDelta { .. } | Self::Done(_) => true,
            Self::Reasoning(_) | Self::Usage(_) => false,
        }
    }
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reply {
    /// The visible text.
    pub text: String,
    /// The thinking, if shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The requested tool calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The reason the answer ended.
    pub finish: FinishReason,
    /// Token usage; as reported by the provider if available.
    pub usage: Usage,
    /// The name of the model that answered.
    pub model: String,
    /// The provider's own blocks, returned to the provider in tool rounds.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
    /// The substitution of the requested model by a fallback, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// Whether the answer was replayed from a recording, without cost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
}

impl Reply {
    /// Returns whether the answer has neither text nor tool calls.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.tool_calls.is_empty()
    }
}

/// A fallback model answered in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Substitution {
    /// The model that was asked for.
    pub wanted: String,
    /// How it failed.
    pub error: String,
}

/// A tool call requested by the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id, or `call_<slot>` as the default.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as received JSON text; defaults to `{}`.
    pub arguments: String,
}

/// The reason an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model finished.
    #[default]
    Stop,
    /// The token limit was reached.
    Length,
    /// The model requests tool calls.
    ToolCalls,
    /// A content filter stopped the answer.
    Filtered,
    /// Any other reason, in the provider's wording.
    Other(String),
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub input: u64,
    /// Of these, read from the provider's cache.
    pub cached: u64,
    /// Of these, written to the provider's cache, where that has a price of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub written: u64,
    /// Tokens of the answer, thinking included.
    pub output: u64,
    /// True when a tokenizer or estimator counted, because the provider did not say.
    pub estimated: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached += other.cached;
        self.written += other.written;
        self.output += other.output;
        self.estimated |= other.estimated;
    }
}
