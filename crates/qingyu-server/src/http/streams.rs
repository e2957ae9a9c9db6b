//! Shared handling of the event streams of all protocols: counting, and ending at shutdown.

use std::pin::pin;

use async_stream::stream;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use futures::StreamExt;

use super::ServerState;
use crate::meters::{GaugeGuard, Meters};

/// Counts a streaming response until its reader disconnects, and ends the stream at shutdown: clients following a run
/// reconnect to any server.
pub(super) async fn mind(Shared(state): Shared<ServerState>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).map(axum::http::HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"text/event-stream")) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let frames = stream! {
        let _present = GaugeGuard::enter(&Meters::of_process().streams);
        let mut frames = pin!(body.into_data_stream().take_until(state.stop().cancelled()));
        while let Some(frame) = frames.next().await {
            yield frame;
        }
    };
    Response::from_parts(parts, Body::from_stream(frames))
}
