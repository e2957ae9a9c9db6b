//! Who asks, as handlers get it.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use qingyu_studio::{Right, Studio};

use super::Problem;

/// The studio of whoever asks. The layer in front of all doors looks at the key and puts the scoped [`Studio`] among the
/// request's extensions; a handler that is not behind it answers 401.
#[derive(Debug, Clone)]
pub struct Caller(pub Studio);

impl Caller {
    /// Fails with 403 if who asks has not this right.
    pub fn demand(&self, right: Right) -> Result<(), Problem> {
        Ok(self.0.scope().demand(right)?)
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let studio = parts.extensions.get::<Studio>().cloned();
        let unknown = || Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs a key");
        studio.map(Self).ok_or_else(unknown)
    }
}
