//! Deadlines of calls, set by the caller.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderMap;
use tokio::time::{Instant, timeout_at};
use tonic::Status;

/// The caller's deadline, in the extensions of a request with a timeout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(pub(crate) Instant);

impl Deadline {
    /// Returns the status of an expired call.
    pub(crate) fn exceeded() -> Status {
        Status::deadline_exceeded("the deadline of the call is over; a run that it began goes on")
    }
}

/// Ends a call at its deadline; streams check their deadline themselves.
pub(crate) async fn keep(mut request: Request, next: Next) -> Response {
    let deadline = timeout(request.headers()).and_then(|timeout| Instant::now().checked_add(timeout));
    let Some(deadline) = deadline else { return next.run(request).await };
    request.extensions_mut().insert(Deadline(deadline));
    match timeout_at(deadline, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Deadline::exceeded().into_http(),
    }
}

/// Parses the header `grpc-timeout`: at most eight digits and a unit. A malformed header means no deadline.
fn timeout(headers: &HeaderMap) -> Option<Duration> {
    let given = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = given.split_at_checked(given.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 60 * 60)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tower::ServiceExt;

    use super::*;

    #[test]
    fn deadlines_are_read_as_clients_write_them() {
        for (given, wanted) in [
            ("250m", Some(Duration::from_millis(250))),
            ("2S", Some(Duration::from_secs(2))),
            ("99999999H", Some(Duration::from_secs(99_999_999 * 3_600))),
            ("1n", Some(Duration::from_nanos(1))),
            ("123456789S", None),
            ("S", None),
            ("", None),
            ("-1S", None),
            ("10x", None),
        ] {
            let headers = [(http::HeaderName::from_static("grpc-timeout"), given.parse().unwrap())];
            assert_eq!(timeout(&headers.into_iter().collect()), wanted, "{given}");
        }
    }

    #[tokio::test]
    async fn a_call_ends_at_its_deadline() {
        let slow = axum::routing::post(std::future::pending::<()>).layer(axum::middleware::from_fn(keep));
        let asked = http::Request::post("/").header("grpc-timeout", "5m").body(axum::body::Body::empty()).unwrap();
        let answered = axum::Router::new().route("/", slow).oneshot(asked).await.unwrap();
        assert_eq!(answered.headers()["grpc-status"], "4");
    }
}
