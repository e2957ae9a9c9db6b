//! The events of a run as server-sent events.
//!
//! `GET /runs/{run}/events` starts after the event named by `Last-Event-ID` or `?after=`, replays the log, continues
//! live, and ends with `event: end` after the last event. Logged events carry their number as `id`; streamed text
//! carries no id, since streamed text is not logged.

use std::convert::Infallible;
use std::pin::pin;

use async_stream::stream;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures::{Stream, StreamExt};
use qingyu_studio::LiveEvent;
use serde::Deserialize;
use tokio::time::timeout;

use super::{HttpCaller, HttpProblem, ServerState};

/// Reconnect delay of a disconnected client, in milliseconds.
const RETRY: u32 = 1_000;

/// The starting position of a stream.
#[derive(Debug, Default, Deserialize)]
struct StreamStart {
    after: Option<u64>,
}

pub(super) fn routes() -> Router<ServerState> {
    Router::new().route("/runs/{run}/events", get(watch))
}

async fn watch(
    caller: HttpCaller,
    Shared(state): Shared<ServerState>,
    Path(run): Path<String>,
    from: Result<Query<StreamStart>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, HttpProblem> {
    let Query(from) = from?;
    let last = last_seen(&headers)?.or(from.after).unwrap_or_default();
    let events = caller.0.watch(&run, last).await?;
    Ok(answer(frames(events, state)))
}

/// Parses `Last-Event-ID`, the number of the last event received by a reconnecting browser; absent on the first
/// connection.
fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, HttpProblem> {
    let Some(id) = headers.get("last-event-id") else { return Ok(None) };
    let number = id.to_str().ok().and_then(|id| id.parse().ok());
    let refused =
        || HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", "`Last-Event-ID` must be a number");
    number.map(Some).ok_or_else(refused)
}

/// Returns a streaming response that intermediaries must not cache or buffer.
pub(crate) fn answer(frames: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    let mut response = Body::from_stream(frames).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn frames(
    events: impl Stream<Item = Result<std::sync::Arc<LiveEvent>, qingyu_studio::Error>> + Send,
    state: ServerState,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    stream! {
        yield Ok(Bytes::from(format!("retry: {RETRY}\n\n")));
        let mut events = pin!(events);
        loop {
            match timeout(state.heartbeat(), events.next()).await {
                Err(_) => yield Ok(Bytes::from_static(b": still there\n\n")),
                Ok(Some(Ok(event))) => yield Ok(frame(&event)),
                Ok(Some(Err(error))) => {
                    let problem = HttpProblem::from(error);
                    let data = serde_json::to_string(problem.document()).expect("it serialises");
                    yield Ok(Bytes::from(format!("event: error\ndata: {data}\n\n")));
                    return;
                }
                Ok(None) => {
                    yield Ok(Bytes::from_static(b"event: end\ndata: {}\n\n"));
                    return;
                }
            }
        }
    }
}

/// Serializes an event. JSON contains no line breaks, so a single `data` line suffices.
fn frame(event: &LiveEvent) -> Bytes {
    let json = event.json();
    let mut frame = String::with_capacity(json.len() + 48);
    if event.is_kept() {
        frame.push_str("id: ");
        frame.push_str(&event.seq.to_string());
        frame.push('\n');
    }
    frame.push_str("data: ");
    frame.push_str(json);
    frame.push_str("\n\n");
    frame.into()
}
