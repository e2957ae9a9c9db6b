//! Requests and responses where the library's answers differ from the protocol, or from what clients of its older
//! versions understand.

use axum::Json;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::StreamExt;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::is_json;

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
/// The first version whose clients understand an event without data at the beginning of a stream.
const FIRST_WITH_EMPTY_EVENTS: &str = "2025-11-25";
/// The version of clients that name none.
const UNNAMED: &str = "2025-03-26";
/// Maximum size in bytes of an event without data.
const LARGEST_EMPTY_EVENT: usize = 256;
/// Both types of a response.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// A request as far as its response depends on it.
#[derive(Debug)]
pub(super) struct RequestTraits {
    /// The body of a JSON request, else empty.
    body: Bytes,
    is_json: bool,
    knows_empty_events: bool,
    ends_session: bool,
}

/// The beginning of a session.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Initialize {
    method: String,
    params: InitializeParams,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct InitializeParams {
    protocol_version: Option<String>,
}

impl RequestTraits {
    /// Reads a request and prepares it for the library: `Accept: */*` accepts both types of a response.
    ///
    /// Fails with 405 for a stream without a session, and with 413 for a body larger than `largest` bytes.
    pub(super) async fn read(
        mut request: Request<Body>,
        largest: usize,
    ) -> Result<(Request<Body>, Self), Box<Response>> {
        if request.method() == Method::GET && !request.headers().contains_key(SESSION) {
            let allowed = [(header::ALLOW, "POST")];
            return Err(Box::new((StatusCode::METHOD_NOT_ALLOWED, allowed, "Method Not Allowed").into_response()));
        }
        if accepts_everything(request.headers()) {
            request.headers_mut().insert(header::ACCEPT, BOTH);
        }
        if request.method() != Method::POST {
            let asked = Self {
                body: Bytes::new(),
                is_json: false,
                knows_empty_events: knows_empty_events(request.headers(), &Bytes::new()),
                ends_session: request.method() == Method::DELETE,
            };
            return Ok((request, asked));
        }
        let (parts, body) = request.into_parts();
        let body = match Limited::new(body, largest).collect().await {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                let message = format!("Payload Too Large: the body has more than {largest} bytes");
                return Err(Box::new((StatusCode::PAYLOAD_TOO_LARGE, message).into_response()));
            }
            Err(_) => {
                return Err(Box::new((StatusCode::BAD_REQUEST, "Bad Request: the body broke off").into_response()));
            }
        };
        let asked = Self {
            is_json: is_json(&parts.headers),
            knows_empty_events: knows_empty_events(&parts.headers, &body),
            ends_session: false,
            body: body.clone(),
        };
        Ok((Request::from_parts(parts, Body::from(body)), asked))
    }

    /// Returns the response of the library as the client understands it: a body that is no message is a JSON-RPC error,
    /// streams of older clients have no events without data, and the end of a session is 204, since the client in Python
    /// takes 202 for a failure.
    pub(super) fn finish(&self, mut response: Response) -> Response {
        if self.ends_session && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
            return response;
        }
        if self.is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            return self.not_understood();
        }
        let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        if self.knows_empty_events || !kind.starts_with(b"text/event-stream") {
            return response;
        }
        response.map(|body| Body::from_stream(body.into_data_stream().map(|frame| frame.map(without_empty_event))))
    }

    fn not_understood(&self) -> Response {
        let (code, message, id) = match serde_json::from_slice::<Value>(&self.body) {
            Err(error) => (-32700, format!("Parse error: {error}"), Value::Null),
            Ok(message) => {
                let id = Some(&message["id"]).filter(|id| id.is_string() || id.is_number()).cloned();
                (-32600, "Invalid Request: this is no message of the protocol".to_owned(), id.unwrap_or_default())
            }
        };
        let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
        (StatusCode::BAD_REQUEST, Json(error)).into_response()
    }
}

/// Returns whether the `Accept` header accepts every type.
fn accepts_everything(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut ranges = lines.flat_map(|line| line.split(','));
    ranges.any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_everything = parts.next() == Some("*/*");
        let mut weights = parts.filter_map(|part| part.strip_prefix("q="));
        is_everything && !weights.any(|weight| weight.parse::<f32>() == Ok(0.0))
    })
}

/// Returns whether the client's version of the protocol has events without data.
fn knows_empty_events(headers: &HeaderMap, body: &Bytes) -> bool {
    let initialize = serde_json::from_slice::<Initialize>(body).unwrap_or_default();
    let in_body = initialize.params.protocol_version.filter(|_| initialize.method == "initialize");
    let in_header = headers.get(VERSION).and_then(|version| version.to_str().ok());
    in_body.as_deref().or(in_header).unwrap_or(UNNAMED) >= FIRST_WITH_EMPTY_EVENTS
}

/// Returns an event of a stream; an event without data loses its empty data field, so that it still carries its id and
/// its delay but is not dispatched to the client's parser of messages.
fn without_empty_event(frame: Bytes) -> Bytes {
    if frame.len() > LARGEST_EMPTY_EVENT {
        return frame;
    }
    let Ok(text) = std::str::from_utf8(&frame) else { return frame };
    let mut data = text.lines().filter_map(|line| line.strip_prefix("data:")).peekable();
    if data.peek().is_none() || !data.all(|data| data.trim().is_empty()) {
        return frame;
    }
    let rest = text.lines().filter(|line| !line.starts_with("data:"));
    rest.flat_map(|line| [line, "\n"]).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn every_type_is_both_types() {
        for (accept, is_everything) in [
            ("*/*", true),
            ("text/html, */*;q=0.8", true),
            ("*/*;q=0", false),
            ("application/json", false),
            ("text/*", false),
        ] {
            assert_eq!(accepts_everything(&headers(header::ACCEPT, accept)), is_everything, "{accept}");
        }
    }

    #[test]
    fn older_clients_do_not_know_empty_events() {
        let none = HeaderMap::new();
        let version = |version| headers(header::HeaderName::from_static(VERSION), version);
        let initialize = |version: &str| {
            let params = json!({"protocolVersion": version, "capabilities": {}});
            Bytes::from(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string())
        };
        assert!(!knows_empty_events(&none, &Bytes::new()));
        assert!(!knows_empty_events(&version("2025-06-18"), &Bytes::from_static(b"{")));
        assert!(knows_empty_events(&version("2026-07-28"), &Bytes::new()));
        assert!(knows_empty_events(&none, &initialize("2025-11-25")));
        assert!(!knows_empty_events(&none, &initialize("2024-11-05")));
    }

    #[test]
    fn an_event_without_data_keeps_its_id() {
        let changed = |frame: &'static str| without_empty_event(Bytes::from_static(frame.as_bytes()));
        assert_eq!(changed("id: 0\nretry: 3000\ndata: \n\n"), "id: 0\nretry: 3000\n\n");
        assert_eq!(changed("data:\nid:0\n\n"), "id:0\n\n");
        for whole in ["data: {}\n\n", ":\n\n", "id: 1\ndata: x\ndata: \n\n"] {
            assert_eq!(changed(whole), whole);
        }
    }

    #[tokio::test]
    async fn what_is_no_message_is_told_so_in_the_protocol() {
        for (body, code, id) in
            [("{\"a\":", -32700, Value::Null), ("{\"id\":7}", -32600, json!(7)), ("[]", -32600, Value::Null)]
        {
            let request = Request::post("/mcp").header(header::CONTENT_TYPE, "application/json; charset=utf-8");
            let (_, asked) = RequestTraits::read(request.body(Body::from(body)).unwrap(), 100).await.unwrap();
            let response = asked.finish(StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response());
            assert_eq!(response.status(), StatusCode::BAD_REQUEST);
            let told = response.into_body().collect().await.unwrap().to_bytes();
            let told: Value = serde_json::from_slice(&told).unwrap();
            assert_eq!((&told["error"]["code"], &told["id"]), (&json!(code), &id), "{told}");
        }
    }
}
