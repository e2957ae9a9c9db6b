//! The HTTP bindings: the card, JSON-RPC, HTTP+JSON. They replace the handlers of the official crates, which ignore the
//! caller in the request's extensions, do not check versions and content types, accept requests without required
//! fields, and always use a single content type for errors and responses.

mod card;
mod exchange;
mod json_rpc;
mod rest;

use std::sync::Arc;

use axum::Router;

use crate::door::A2aState;

/// Maximum size of a request, in bytes.
const LIMIT: usize = 1024 * 1024;

pub(crate) use card::router as card;

/// Returns the routes of the operations.
pub(crate) fn router(door: &Arc<A2aState>) -> Router {
    let limit = axum::extract::DefaultBodyLimit::max(LIMIT);
    json_rpc::router(door).merge(rest::router(door)).layer(limit)
}
