//! The trait every model is behind.

use std::fmt::Debug;

use futures::future::BoxFuture;
use futures::stream::{BoxStream, StreamExt};

use crate::{Error, Event, Reply, Request};

/// The pieces of one answer, in order; the last is [`Event::Done`] unless an error ends it.
pub type EventStream = BoxStream<'static, Result<Event, Error>>;

/// A chat model. Always streams; a whole answer is a drained stream.
///
/// `stream` resolves when the provider has accepted the request: refusals (401, 429, 5xx, an error body under 200)
/// are errors of the call, failures afterwards are items of the stream. Dropping the stream cancels the request.
/// An implementation never retries; the stack around it does.
pub trait ChatModel: Send + Sync + Debug {
    /// The name that prices, budgets and provenance use, such as `deepseek/deepseek-flash`.
    fn name(&self) -> &str;

    /// Starts one answer.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>>;
}

/// Drains a stream to its whole answer.
///
/// Fails with [`Error::Truncated`] if the stream ends without [`Event::Done`].
pub async fn drain(mut stream: EventStream) -> Result<Reply, Error> {
    let mut partial = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            Event::Text(piece) => partial.push_str(&piece),
            Event::Done(reply) => return Ok(*reply),
            Event::Reasoning(_) | Event::ToolDelta { .. } | Event::Usage(_) => {}
        }
    }
    Err(Error::Truncated { partial })
}
