//! Scripted answers of the server.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::Semaphore;

use crate::{FinishReason, Reply, ToolCall};

/// A scripted answer of the server.
#[derive(Debug, Clone)]
pub struct Scripted {
    pub(super) wait: Duration,
    pub(super) gate: Option<AnswerGate>,
    pub(super) content: AnswerContent,
}

#[derive(Debug, Clone)]
pub(super) enum AnswerContent {
    /// Rendered in the request's protocol.
    Reply(Box<Reply>),
    /// Sent unchanged.
    Raw(RawAnswer),
}

/// An HTTP answer, byte for byte.
#[derive(Debug, Clone)]
pub struct RawAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The headers, including `content-type`; framing is added.
    pub headers: Vec<(String, String)>,
    /// The body; every part is a packet as far as the system allows.
    pub pieces: Vec<BodyPiece>,
    /// Behaviour after the last part.
    pub ending: BodyEnding,
}

/// A part of a raw body.
#[derive(Debug, Clone)]
pub enum BodyPiece {
    /// Bytes, sent and flushed at once.
    Bytes(Vec<u8>),
    /// A pause.
    Wait(Duration),
    /// A pause until the gate is open.
    Gate(AnswerGate),
}

impl From<&str> for BodyPiece {
    fn from(text: &str) -> Self {
        Self::Bytes(text.as_bytes().to_vec())
    }
}

impl From<String> for BodyPiece {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

impl From<Vec<u8>> for BodyPiece {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// Behaviour after the last part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnding {
    /// The body ends properly.
    Whole,
    /// The connection is closed in the middle of the body.
    Cut,
    /// Nothing: the connection stays open and silent.
    Hang,
}

/// Blocks an answer until opened. Clones share the gate.
#[derive(Debug, Clone)]
pub struct AnswerGate(Arc<Semaphore>);

impl AnswerGate {
    /// Returns a closed gate.
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Opens the gate permanently.
    pub fn open(&self) {
        self.0.close();
    }

    pub(super) async fn pass(&self) {
        // The semaphore never has permits, so the wait ends exactly when the gate is closed.
        let _closed = self.0.acquire().await;
    }
}

impl Default for AnswerGate {
    fn default() -> Self {
        Self::new()
    }
}

impl Scripted {
    /// Returns an answer rendered in the request's protocol: SSE if streaming, a single JSON body otherwise.
    ///
    /// If the request forces a tool (structured output on the Anthropic wire), the text becomes the tool's input. A
    /// usage of zero is replaced by a count of characters.
    pub fn reply(reply: Reply) -> Self {
        Self::from(AnswerContent::Reply(Box::new(reply)))
    }

    /// Returns a text answer.
    pub fn text(text: impl Into<String>) -> Self {
        Self::reply(Reply { text: text.into(), ..Reply::default() })
    }

    /// Returns an answer with `value` as JSON text.
    pub fn json(value: &impl Serialize) -> Self {
        Self::text(serde_json::to_string(value).expect("scripted values are plain data"))
    }

    /// Returns an answer with tool calls: name and arguments (JSON text) of each.
    pub fn tool_calls(calls: &[(&str, &str)]) -> Self {
        let tool_calls = calls.iter().enumerate().map(|(slot, (name, arguments))| ToolCall {
            id: format!("call_server_{slot}"),
            name: (*name).into(),
            arguments: (*arguments).into(),
        });
        Self::reply(Reply { tool_calls: tool_calls.collect(), finish: FinishReason::ToolCalls, ..Reply::default() })
    }

    /// Returns an answer sent unchanged.
    pub fn raw(raw: RawAnswer) -> Self {
        Self::from(AnswerContent::Raw(raw))
    }

    /// Returns a 200 response with an event stream of `pieces`.
    pub fn sse(pieces: impl IntoIterator<Item = impl Into<BodyPiece>>) -> Self {
        Self::raw(RawAnswer {
            status: 200,
            headers: vec![("content-type".into(), "text/event-stream".into())],
            pieces: pieces.into_iter().map(Into::into).collect(),
            ending: BodyEnding::Whole,
        })
    }

    /// Returns a status with a body; JSON if the body looks like JSON, else HTML.
    pub fn status(status: u16, body: &str) -> Self {
        let kind = if body.trim_start().starts_with(['{', '[']) { "application/json" } else { "text/html" };
        Self::raw(RawAnswer {
            status,
            headers: vec![("content-type".into(), kind.into())],
            pieces: vec![body.into()],
            ending: BodyEnding::Whole,
        })
    }

    /// Adds a header to a raw answer.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let AnswerContent::Raw(raw) = &mut self.content {
            raw.headers.push((name.into(), value.into()));
        }
        self
    }

    /// Overrides the ending of a raw answer.
    #[must_use]
    pub fn ending(mut self, ending: BodyEnding) -> Self {
        if let AnswerContent::Raw(raw) = &mut self.content {
            raw.ending = ending;
        }
        self
    }

    /// Delays the status line.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Blocks the whole answer, including the status line, until the gate is open.
    #[must_use]
    pub fn behind(mut self, gate: &AnswerGate) -> Self {
        self.gate = Some(gate.clone());
        self
    }
}

impl From<AnswerContent> for Scripted {
    fn from(content: AnswerContent) -> Self {
        Self { wait: Duration::ZERO, gate: None, content }
    }
}
