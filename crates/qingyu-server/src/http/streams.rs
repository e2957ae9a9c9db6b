//! What all streams of events have in common, whichever door they come from: they are counted, and end when the server goes.

use std::pin::pin;

use async_stream::stream;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use futures::StreamExt;

use super::State;
use crate::meters::{Meters, Present};

/// Counts an answer that is a stream of events as long as somebody reads it, and ends it when the server stops: whoever
/// follows a run comes again, to this server or to another.
pub(super) async fn mind(Shared(state): Shared<State>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).map(axum::http::HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"text/event-stream")) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let frames = stream! {
        let _present = Present::enter(&Meters::of_process().streams);
        let mut frames = pin!(body.into_data_stream().take_until(state.stop().cancelled()));
        while let Some(frame) = frames.next().await {
            yield frame;
        }
    };
    Response::from_parts(parts, Body::from_stream(frames))
}
