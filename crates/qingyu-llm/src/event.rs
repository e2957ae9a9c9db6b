//! What a model answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Visible text.
    Text(String),
    /// Thinking, when the provider shows it.
    Reasoning(String),
    /// A piece of the arguments of the tool call in `slot`.
    ToolDelta {
        /// Which call of this answer, from 0.
        slot: usize,
        /// The tool's name, in the first piece.
        name: Option<String>,
        /// The next piece of its arguments' JSON text.
        arguments: String,
    },
    /// What has been counted so far; later counts replace earlier ones.
    Usage(Usage),
    /// The whole answer; always the last event.
    Done(Box<Reply>),
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reply {
    /// The visible text.
    pub text: String,
    /// The thinking, if shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The tools it wants called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: Finish,
    /// What was counted; the provider's figures if it gave any.
    pub usage: Usage,
    /// The name of the model that answered.
    pub model: String,
    /// The provider's own blocks, to be sent back in tool rounds.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
    /// Why another model answered than was asked for, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// Whether it came from a recording and was not paid for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
}

impl Reply {
    /// Whether it has neither text nor tool calls.
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

/// A tool call the model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id, or `call_<slot>` where it gives none.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as JSON text, as received; `{}` when there were none.
    pub arguments: String,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done.
    #[default]
    Stop,
    /// The token limit cut it.
    Length,
    /// It wants tools called.
    ToolCalls,
    /// A content filter ended it.
    Filtered,
    /// Any other reason, as the provider words it.
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
