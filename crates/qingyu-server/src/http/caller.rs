//! Extraction of the caller in handlers.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use qingyu_studio::{Right, Studio};

use super::HttpProblem;

/// The header naming the caller's session, whose earlier turns are added to prompts.
const SESSION: &str = "x-qingyu-session";

/// The caller's studio. The authentication layer validates the key and inserts the scoped [`Studio`] into the request's
/// extensions; without the layer the extractor responds with 401.
#[derive(Debug, Clone)]
pub(crate) struct HttpCaller(pub(crate) Studio);

impl HttpCaller {
    /// Fails with 403 if the caller lacks a right.
    pub(crate) fn demand(&self, right: Right) -> Result<(), HttpProblem> {
        Ok(self.0.scope().demand(right)?)
    }
}

impl<S: Sync> FromRequestParts<S> for HttpCaller {
    type Rejection = HttpProblem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HttpProblem> {
        let studio = parts.extensions.get::<Studio>().cloned();
        let unknown = || HttpProblem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs a key");
        let studio = studio.ok_or_else(unknown)?;
        let Some(session) = parts.headers.get(SESSION) else { return Ok(Self(studio)) };
        Ok(Self(studio.in_session(&String::from_utf8_lossy(session.as_bytes()))?))
    }
}
