//! Drives a decoder with the bytes of an answer.

use serde_json::Value;

use super::http::{Body, Endpoint, shorten};
use super::sse::{self, Frame};
use crate::{Error, Event, EventStream, Reply};

/// Reads the events of one protocol. Awaits nothing.
pub(super) trait Decoder: Send + 'static {
    /// Takes one event of the stream.
    fn frame(&mut self, frame: &Frame, events: &mut Vec<Event>) -> Result<(), Error>;

    /// Takes an answer that came as one document although a stream was asked for.
    fn document(&mut self, document: &Value, events: &mut Vec<Event>) -> Result<(), Error>;

    /// Whether nothing more will come.
    fn is_over(&self) -> bool;

    /// Whether the answer is whole if nothing more comes.
    fn is_whole(&self) -> bool;

    /// The visible text so far.
    fn partial(&self) -> String;

    /// The whole answer; what was held back until now goes to `events`.
    fn reply(&mut self, events: &mut Vec<Event>) -> Result<Reply, Error>;
}

/// Sends `body` and returns the answer's events. Resolves when it is clear that the answer is one.
pub(super) async fn open(endpoint: &Endpoint, body: &Value, mut decoder: impl Decoder) -> Result<EventStream, Error> {
    let mut body = endpoint.post(body).await?;
    let mut begun = Vec::new();
    while begin(&begun).is_none() {
        match body.chunk().await.map_err(|why| why.into_error(&endpoint.name, String::new()))? {
            Some(chunk) => begun.extend_from_slice(&chunk),
            None => return Err(Error::Truncated { partial: String::new() }),
        }
    }
    // Servers label errors as event streams and event streams as JSON, so the first character decides.
    match begin(&begun) {
        Some(b'{' | b'[') => {
            let document = endpoint.read_json(&mut body, begun).await?;
            let mut events = Vec::new();
            decoder.document(&document, &mut events)?;
            if !decoder.is_whole() {
                let message = format!("not an answer: {}", shorten(&document.to_string()));
                return Err(Error::Provider { model: endpoint.name.clone(), message });
            }
            let reply = decoder.reply(&mut events)?;
            events.push(Event::Done(Box::new(reply)));
            Ok(Box::pin(futures::stream::iter(events.into_iter().map(Ok))))
        }
        Some(b'<') => Err(endpoint.read_json(&mut body, begun).await.expect_err("a page is not JSON")),
        _ => Ok(events(endpoint.name.clone(), body, begun, decoder)),
    }
}

/// The first byte that is not white space or a byte order mark.
fn begin(bytes: &[u8]) -> Option<u8> {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn events(model: String, mut body: Body, begun: Vec<u8>, mut decoder: impl Decoder) -> EventStream {
    Box::pin(async_stream::try_stream! {
        let mut frames = sse::Decoder::default();
        let mut bytes = Ok(Some(begun));
        loop {
            let received: Vec<Frame> = match &bytes {
                Ok(Some(chunk)) => frames.push(chunk),
                // What stands at a proper end is an event even without a blank line, if it can be read at all.
                Ok(None) => frames.finish().into_iter().filter(is_readable).collect(),
                Err(_) => Vec::new(),
            };
            for frame in received {
                let mut events = Vec::new();
                let result = decoder.frame(&frame, &mut events);
                for event in events {
                    yield event;
                }
                result?;
                if decoder.is_over() {
                    break;
                }
            }
            if decoder.is_over() {
                break;
            }
            match bytes {
                Ok(Some(_)) => bytes = body.chunk().await,
                _ if decoder.is_whole() => break,
                Ok(None) => Err(Error::Truncated { partial: decoder.partial() })?,
                Err(why) => Err(why.into_error(&model, decoder.partial()))?,
            }
        }
        let mut events = Vec::new();
        let reply = decoder.reply(&mut events);
        for event in events {
            yield event;
        }
        yield Event::Done(Box::new(reply?));
    })
}

fn is_readable(frame: &Frame) -> bool {
    let data = frame.data.trim();
    data == "[DONE]" || serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok()
}
