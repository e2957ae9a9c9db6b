//! The limits of a request, and the error of a failed one.

use std::time::Duration;

use crate::error::{Error, chain, shown};

/// Limits of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchLimits {
    pub(crate) bytes: u64,
    pub(crate) whole: Duration,
    pub(crate) first_byte: Duration,
}

/// Returns the error of a failed request: the guard's own error, if the resolver refused.
pub(super) fn failure(host: &str, error: reqwest::Error, limit: Duration) -> Error {
    let error = error.without_url();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(ours) = inner.downcast_ref::<Error>() {
            return ours.clone();
        }
        cause = inner.source();
    }
    if error.is_timeout() {
        return Error::Timeout { limit };
    }
    Error::Unreachable { host: host.to_owned(), message: shown(&chain(&error)) }
}
