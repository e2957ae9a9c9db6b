//! The parts of requests and responses that the bindings share.

use std::convert::Infallible;
use std::sync::Arc;

use a2a::A2AError;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http::Extensions;
use qingyu_studio::Studio;
use serde_json::{Value, json};

use crate::agent::{A2aAgent, TaskUpdateStream};
use crate::door::A2aState;
use crate::error::{UNAUTHENTICATED, metadata, reason};
use crate::parameters::check_version;

/// Returns the agent for the caller.
pub(super) fn agent(door: &Arc<A2aState>, extensions: &Extensions) -> Result<A2aAgent, A2AError> {
    match extensions.get::<Studio>() {
        Some(studio) => Ok(A2aAgent { studio: studio.clone(), door: Arc::clone(door) }),
        None => Err(A2AError::new(UNAUTHENTICATED, "this needs a key")),
    }
}

/// Rejects unsupported protocol versions, named in a header or in the query.
pub(super) fn check(headers: &HeaderMap, uri: &Uri) -> Result<(), A2AError> {
    let header = headers.get(a2a::SVC_PARAM_VERSION).and_then(|value| value.to_str().ok());
    let pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    let in_query = || pairs.find(|(name, _)| name.eq_ignore_ascii_case(a2a::SVC_PARAM_VERSION)).map(|(_, value)| value);
    check_version(header.or_else(in_query))
}

/// Returns whether the content type is JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "application/json" | "application/a2a+json")
}

/// Returns the details of an error; the reason is last.
pub(super) fn details(error: &A2AError) -> Vec<Value> {
    let (reason, domain) = reason(error.code);
    let others = error.details.iter().flatten().filter(|detail| detail.type_url != a2a::errordetails::ERROR_INFO_TYPE);
    let mut details: Vec<Value> = others.filter_map(|detail| serde_json::to_value(detail).ok()).collect();
    details.push(json!({
        "@type": a2a::errordetails::ERROR_INFO_TYPE,
        "reason": reason,
        "domain": domain,
        "metadata": metadata(error),
    }));
    details
}

/// Returns a stream of events, each converted by `wrap`.
pub(super) fn stream(
    door: &A2aState,
    updates: TaskUpdateStream,
    wrap: impl Fn(Result<Value, A2AError>) -> Value + Send + 'static,
) -> Response {
    let events = updates.map(move |update| {
        let bad = |error: serde_json::Error| A2AError::internal(error.to_string());
        let value = update.and_then(|update| serde_json::to_value(update).map_err(bad));
        Ok::<_, Infallible>(Event::default().data(wrap(value).to_string()))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(door.options.heartbeat)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Returns the base URL of the server.
pub(super) fn base(door: &A2aState, headers: &HeaderMap) -> String {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    match &door.options.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{}", host()),
    }
}
