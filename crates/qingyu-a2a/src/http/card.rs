//! The card, for anybody.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::base;
use crate::card::card;
use crate::door::Door;

const PATH: &str = "/.well-known/agent-card.json";

#[derive(Clone)]
struct Shown {
    door: Arc<Door>,
    /// Cards change with the program, so never after it began.
    since: String,
}

/// The card's route, which needs no key.
pub(crate) fn router(door: &Arc<Door>) -> Router {
    let since = Timestamp::now().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    Router::new().route(PATH, get(show)).with_state(Shown { door: Arc::clone(door), since })
}

async fn show(State(shown): State<Shown>, headers: HeaderMap) -> Response {
    let card = card(&base(&shown.door, &headers), shown.door.options.needs_key);
    let Ok(mut card) = serde_json::to_value(&card) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    // Maps have no order of their own, but the same card must have the same tag.
    card.sort_all_objects();
    let body = card.to_string();
    let digest = Sha256::digest(&body);
    let tag = format!("\"{}\"", digest[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let cached: [(HeaderName, &str); 4] = [
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::ETAG, &tag),
        (header::LAST_MODIFIED, &shown.since),
        (header::VARY, "host"),
    ];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|given| given.to_str().ok()).unwrap_or_default();
    if known.split(',').any(|given| given.trim().trim_start_matches("W/") == tag) {
        return (StatusCode::NOT_MODIFIED, cached).into_response();
    }
    (cached, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
