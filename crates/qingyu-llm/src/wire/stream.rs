//! Feeds the bytes of a response to a decoder.

#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

use futures::StreamExt;
use serde_json::Value;

use super::http::{Interruption, ModelEndpoint, ResponseBody, SHOWN_OF_NO_ANSWER};
use super::output;
use super::sse::{self, SseFrame};
use crate::provider::Quirks;
use crate::{ChatEvent, ChatRequest, Error, EventStream, Reply};

/// A parser of a protocol's events. Not async.
pub(super) trait WireDecoder: Send + 'static {
    /// Parses an event of the stream.
    fn frame(&mut self, frame: &SseFrame, events: &mut Vec<ChatEvent>) -> Result<(), Error>;

    /// Parses a single document returned instead of a stream.
    fn document(&mut self, document: &Value, events: &mut Vec<ChatEvent>) -> Result<(), Error>;

    /// Returns whether the stream has ended.
    fn is_over(&self) -> bool;

    /// Returns whether the answer is complete without further events.
    fn is_whole(&self) -> bool;

    /// Returns the visible text so far.
    fn partial(&self) -> String;

    /// Returns the complete answer; buffered events are appended to `events`.
    fn reply(&mut self, events: &mut Vec<ChatEvent>) -> Result<Reply, Error>;
}

/// Requests an answer and returns its events; every error contains the requested URL. Resolves once the response is
/// known to be an answer.
///
/// Optional body fields refused by the provider are removed, in later requests too: catalogues may be wrong, and relays
/// differ. `build` builds the body from the quirks, `decoder` parses the response.
pub(super) async fn ask<D: WireDecoder>(
    endpoint: &ModelEndpoint,
    request: &ChatRequest,
    quirks: &Mutex<Quirks>,
    build: impl Fn(&Quirks) -> Value,
    decoder: impl Fn(&Quirks) -> D,
) -> Result<EventStream, Error> {
    let mut left = MOST_CONCESSIONS;
    let error = loop {
        let now = quirks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let body = build(&now);
        let error = match open(endpoint, &body, decoder(&now)).await {
            Ok(events) => {
                let (asked, purpose) = (endpoint.shown(), request.purpose.clone());
                return Ok(events.map(move |event| event.map_err(|error| error.located(&asked, &purpose))).boxed());
            }
            Err(error) => error,
        };
        let refused = match &error {
            Error::Http { status: 400 | 422, body: said, .. } if left > 0 => output::concession(&now, &body, said),
            _ => None,
        };
        let Some((without, field)) = refused else { break error };
        tracing::warn!(model = endpoint.name, field, %error, "request repeated without a field that was refused");
        *quirks.lock().unwrap_or_else(PoisonError::into_inner) = without;
        left -= 1;
    };
    let mut error = error.located(&endpoint.shown(), &request.purpose);
    if let Error::NoSuchModel { model, available, .. } = &mut error {
        let (_, name) = model.split_once('/').unwrap_or(("", model));
        *available = endpoint.available(name).await.into();
    }
    Err(error)
}

/// Maximum removed fields per request.
const MOST_CONCESSIONS: usize = 4;

/// Sends `body` and returns the answer's events.
async fn open(endpoint: &ModelEndpoint, body: &Value, mut decoder: impl WireDecoder) -> Result<EventStream, Error> {
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
            let reply = whole(&document, &endpoint.name, &mut decoder, &mut events)?;
            events.push(endpoint.masking.mask_event(ChatEvent::Done(Box::new(reply))));
            Ok(Box::pin(futures::stream::iter(events.into_iter().map(Ok))))
        }
        Some(b'<') => Err(endpoint.read_json(&mut body, begun).await.expect_err("a page is not JSON")),
        _ => {
            let secrets = endpoint.masking.clone();
            let events = events(endpoint.name.clone(), body, begun, decoder);
            Ok(Box::pin(events.map(move |event| {
                event.map(|event| secrets.mask_event(event)).map_err(|error| secrets.mask_failure(error))
            })))
        }
    }
}

/// Returns the answer of a single document received instead of a stream.
fn whole(
    document: &Value,
    model: &str,
    decoder: &mut impl WireDecoder,
    events: &mut Vec<ChatEvent>,
) -> Result<Reply, Error> {
    decoder.document(document, events)?;
    if !decoder.is_whole() {
        let begin: String = document.to_string().chars().take(SHOWN_OF_NO_ANSWER).collect();
        let message = format!("not an answer: {begin}");
        return Err(Error::Provider { model: model.to_owned(), message });
    }
    decoder.reply(events)
}

/// Returns the events and the answer of a complete body in `pieces`, parsed like [`open`].
#[cfg(any(test, feature = "testing"))]
pub(super) fn read(
    mut decoder: impl WireDecoder,
    model: &str,
    pieces: &[&[u8]],
) -> Result<(Vec<ChatEvent>, Reply), Error> {
    let body = pieces.concat();
    let mut events = Vec::new();
    match begin(&body) {
        None => Err(Error::Truncated { partial: String::new() }),
        Some(b'{' | b'[' | b'<') => {
            let reply = whole(&super::http::document(&body, model)?, model, &mut decoder, &mut events)?;
            Ok((events, reply))
        }
        Some(_) => {
            let mut reader = StreamReader { frames: sse::SseDecoder::default(), decoder };
            let pieces = pieces.iter().map(|piece| Some(piece.to_vec())).chain([None]);
            for piece in pieces {
                if let Some(reply) = reader.step(&Ok(piece), model, &mut events)? {
                    return Ok((events, reply));
                }
            }
            unreachable!("the end of a body is an answer or an error")
        }
    }
}

/// Returns the first byte other than white space or a byte order mark.
fn begin(bytes: &[u8]) -> Option<u8> {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn events(model: String, mut body: ResponseBody, begun: Vec<u8>, decoder: impl WireDecoder) -> EventStream {
    Box::pin(async_stream::try_stream! {
        let mut reader = StreamReader { frames: sse::SseDecoder::default(), decoder };
        let mut bytes = Ok(Some(begun));
        let reply = loop {
            let mut events = Vec::new();
            let step = reader.step(&bytes, &model, &mut events);
            for event in events {
                yield event;
            }
            match step? {
                Some(reply) => break reply,
                None => bytes = body.chunk().await,
            }
        };
        yield ChatEvent::Done(Box::new(reply));
    })
}

/// Reads response bytes into a complete answer.
struct StreamReader<D> {
    frames: sse::SseDecoder,
    decoder: D,
}

impl<D: WireDecoder> StreamReader<D> {
    /// Handles the next bytes or their end; returns the answer once complete.
    fn step(
        &mut self,
        bytes: &Result<Option<Vec<u8>>, Interruption>,
        model: &str,
        events: &mut Vec<ChatEvent>,
    ) -> Result<Option<Reply>, Error> {
        let frames = match bytes {
            Ok(Some(bytes)) => self.frames.push(bytes),
            // Trailing data at a proper end is an event even without a blank line, if parsable.
            Ok(None) => self.frames.finish().into_iter().filter(is_readable).collect(),
            Err(_) => Vec::new(),
        };
        for frame in frames {
            self.decoder.frame(&frame, events)?;
            if self.decoder.is_over() {
                return self.decoder.reply(events).map(Some);
            }
        }
        match bytes {
            Ok(Some(_)) => Ok(None),
            _ if self.decoder.is_whole() => self.decoder.reply(events).map(Some),
            Ok(None) => Err(Error::Truncated { partial: self.decoder.partial() }),
            Err(why) => Err(why.into_error(model, self.decoder.partial())),
        }
    }
}

fn is_readable(frame: &SseFrame) -> bool {
    let mut documents = serde_json::Deserializer::from_str(frame.split_mark().0).into_iter::<serde::de::IgnoredAny>();
    documents.all(|document| document.is_ok())
}
