//! The route of the public card.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use qingyu_studio::story::digest::sha256;

use super::exchange::base;
use crate::card::card;
use crate::door::A2aState;

const PATH: &str = "/.well-known/agent-card.json";

#[derive(Clone)]
struct CardState {
    door: Arc<A2aState>,
    /// Start time of the process; cards only change with the program.
    since: String,
}

/// Returns the card's route, which needs no key.
pub(crate) fn router(door: &Arc<A2aState>) -> Router {
    let since = Timestamp::now().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    Router::new().route(PATH, get(show)).with_state(CardState { door: Arc::clone(door), since })
}

async fn show(State(shown): State<CardState>, headers: HeaderMap) -> Response {
    let card = card(&base(&shown.door, &headers), shown.door.options.needs_key);
    let Ok(mut card) = serde_json::to_value(&card) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    // Maps are unordered, but the same card must have the same ETag.
    card.sort_all_objects();
    let body = card.to_string();
    let tag = format!("\"{}\"", &sha256(body.as_bytes())[..16]);
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
