//! The door over HTTP: the card, JSON-RPC, HTTP+JSON. What the official crates do here is done anew for four reasons: who asks
//! stands among a request's extensions, which their handlers do not see; versions and content types are not checked; fields
//! that must be there may be missing; errors and answers have one content type whatever is asked for.

mod card;
mod json_rpc;
mod rest;

use std::convert::Infallible;
use std::sync::Arc;

use a2a::A2AError;
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http::Extensions;
use qingyu_studio::Studio;
use serde_json::{Value, json};

use crate::agent::{Agent, Updates};
use crate::door::Door;
use crate::error::{UNAUTHENTICATED, metadata, reason};
use crate::parameters::check_version;

/// The most bytes of a request.
const LIMIT: usize = 1024 * 1024;

pub(crate) use card::router as card;

/// The operations.
pub(crate) fn router(door: &Arc<Door>) -> Router {
    let limit = axum::extract::DefaultBodyLimit::max(LIMIT);
    json_rpc::router(door).merge(rest::router(door)).layer(limit)
}

/// The agent for whoever asks.
fn agent(door: &Arc<Door>, extensions: &Extensions) -> Result<Agent, A2AError> {
    match extensions.get::<Studio>() {
        Some(studio) => Ok(Agent { studio: studio.clone(), door: Arc::clone(door) }),
        None => Err(A2AError::new(UNAUTHENTICATED, "this needs a key")),
    }
}

/// Refuses another version of the protocol, named in a header or in the query.
fn check(headers: &HeaderMap, uri: &Uri) -> Result<(), A2AError> {
    let header = headers.get(a2a::SVC_PARAM_VERSION).and_then(|value| value.to_str().ok());
    let pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    let in_query = || pairs.find(|(name, _)| name.eq_ignore_ascii_case(a2a::SVC_PARAM_VERSION)).map(|(_, value)| value);
    check_version(header.or_else(in_query))
}

/// Whether a content type is one of JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "application/json" | "application/a2a+json")
}

/// Where the server is reached.
fn base(door: &Door, headers: &HeaderMap) -> String {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    match &door.options.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{}", host()),
    }
}

/// The details of an error; the reason is the last of them.
fn details(error: &A2AError) -> Vec<Value> {
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

/// A stream of events, each of them `wrap`ped.
fn stream(door: &Door, updates: Updates, wrap: impl Fn(Result<Value, A2AError>) -> Value + Send + 'static) -> Response {
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
