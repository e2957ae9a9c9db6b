//! The declared type of a request's body.

use axum::http::{HeaderMap, header};

/// Returns whether the headers declare a body of JSON, with or without parameters such as the charset.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}
