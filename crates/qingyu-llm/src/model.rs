//! The trait of all chat models.

use std::fmt::Debug;

use futures::future::BoxFuture;
use futures::stream::{BoxStream, StreamExt};

use crate::{ChatEvent, ChatRequest, Error, Reply};

/// The events of an answer, in order; the last is [`ChatEvent::Done`] unless an error ends the stream.
pub type EventStream = BoxStream<'static, Result<ChatEvent, Error>>;

/// A chat model. Always streams; a complete answer is a drained stream.
///
/// `stream` resolves once the provider has accepted the request: refusals (401, 429, 5xx, an error body under 200) are
/// errors of the call, later failures are items of the stream. Dropping the stream cancels the request. An
/// implementation never retries; the surrounding stack does.
pub trait ChatModel: Send + Sync + Debug {
    /// Returns the name used by prices, budgets and provenance, such as `deepseek/deepseek-flash`.
    fn name(&self) -> &str;

    /// Starts an answer and returns its stream.
    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>>;
}

/// Drains a stream and returns the complete answer.
///
/// Fails with [`Error::Truncated`] if the stream ends without [`ChatEvent::Done`].
pub async fn drain(mut stream: EventStream) -> Result<Reply, Error> {
    let mut partial = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Text(piece) => partial.push_str(&piece),
            ChatEvent::Done(reply) => return Ok(*reply),
            ChatEvent::Reasoning(_) | ChatEvent::ToolDelta { .. } | ChatEvent::Usage(_) => {}
        }
    }
    Err(Error::Truncated { partial })
}
