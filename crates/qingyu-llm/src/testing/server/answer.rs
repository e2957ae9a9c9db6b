//! What the server answers.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::Semaphore;

use crate::{Finish, Reply, ToolCall};

/// One scripted answer of the server.
#[derive(Debug, Clone)]
pub struct Scripted {
    pub(super) wait: Duration,
    pub(super) gate: Option<Gate>,
    pub(super) content: Content,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Put into the protocol that the request speaks.
    Reply(Box<Reply>),
    /// Sent as it is.
    Raw(Raw),
}

/// An HTTP answer, byte for byte.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The status.
    pub status: u16,
    /// The headers, `content-type` among them; framing is added.
    pub headers: Vec<(String, String)>,
    /// The body; every piece is one packet as far as the system allows.
    pub pieces: Vec<Piece>,
    /// What comes after the last piece.
    pub ending: Ending,
}

/// A piece of a raw body.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Bytes, sent and flushed at once.
    Bytes(Vec<u8>),
    /// A pause.
    Wait(Duration),
    /// A pause until the gate is opened.
    Gate(Gate),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::Bytes(text.as_bytes().to_vec())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

impl From<Vec<u8>> for Piece {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// What comes after the last piece of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The body is ended properly.
    Whole,
    /// The connection is closed in the middle of the body.
    Cut,
    /// Nothing: the connection stays open and silent.
    Hang,
}

/// Holds an answer back until it is opened. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Lets everything pass from now on.
    pub fn open(&self) {
        self.0.close();
    }

    pub(super) async fn pass(&self) {
        // The semaphore never has permits, so this ends exactly when it is closed.
        let _closed = self.0.acquire().await;
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Scripted {
    /// An answer put into the protocol of the request: SSE if it streams, one JSON body if not.
    ///
    /// Where the request forces a tool (structured output on the Anthropic wire), the text becomes its input.
    /// A usage of zero is replaced by a count of characters.
    pub fn reply(reply: Reply) -> Self {
        Self::from(Content::Reply(Box::new(reply)))
    }

    /// An answer of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::reply(Reply { text: text.into(), ..Reply::default() })
    }

    /// An answer whose text is `value` as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        Self::text(serde_json::to_string(value).expect("scripted values are plain data"))
    }

    /// An answer that calls tools: name and arguments (JSON text) of each.
    pub fn tool_calls(calls: &[(&str, &str)]) -> Self {
        let tool_calls = calls.iter().enumerate().map(|(slot, (name, arguments))| ToolCall {
            id: format!("call_server_{slot}"),
            name: (*name).into(),
            arguments: (*arguments).into(),
        });
        Self::reply(Reply { tool_calls: tool_calls.collect(), finish: Finish::ToolCalls, ..Reply::default() })
    }

    /// An answer sent as it is.
    pub fn raw(raw: Raw) -> Self {
        Self::from(Content::Raw(raw))
    }

    /// A 200 with an event stream of these pieces.
    pub fn sse(pieces: impl IntoIterator<Item = impl Into<Piece>>) -> Self {
        Self::raw(Raw {
            status: 200,
            headers: vec![("content-type".into(), "text/event-stream".into())],
            pieces: pieces.into_iter().map(Into::into).collect(),
            ending: Ending::Whole,
        })
    }

    /// A status with a body; JSON if the body looks like it, else HTML.
    pub fn status(status: u16, body: &str) -> Self {
        let kind = if body.trim_start().starts_with(['{', '[']) { "application/json" } else { "text/html" };
        Self::raw(Raw {
            status,
            headers: vec![("content-type".into(), kind.into())],
            pieces: vec![body.into()],
            ending: Ending::Whole,
        })
    }

    /// Adds a header to a raw answer.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Content::Raw(raw) = &mut self.content {
            raw.headers.push((name.into(), value.into()));
        }
        self
    }

    /// Ends a raw answer otherwise than properly.
    #[must_use]
    pub fn ending(mut self, ending: Ending) -> Self {
        if let Content::Raw(raw) = &mut self.content {
            raw.ending = ending;
        }
        self
    }

    /// Waits before the status line.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sends nothing, not even the status line, before the gate is opened.
    #[must_use]
    pub fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }
}

impl From<Content> for Scripted {
    fn from(content: Content) -> Self {
        Self { wait: Duration::ZERO, gate: None, content }
    }
}
