//! What stands in front of every door: the request's name for the logs, the names and pages it may come by, and who asks.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use qingyu_studio::Studio;
use qingyu_studio::workers::off_workers;
use tracing::Instrument;
use uuid::Uuid;

use super::listen::Peer;
use super::{Problem, State};
use crate::meters::Meters;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PAGE_TOKEN: HeaderName = HeaderName::from_static("x-qingyu-page");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The most bytes of a problem that is given its request's name.
const LARGEST_PROBLEM: usize = 64 << 10;

/// By which names and from which pages the server is entered, and whether without a key.
#[derive(Debug, Clone)]
pub struct Door {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// What our own page says on this machine, so that no other page of the browser can ask.
    page_token: String,
    /// Whether who comes from this machine needs no key.
    is_local: bool,
}

impl Door {
    /// A door that is reached by `hosts` beside the names of this machine, and by pages of `origins` beside our own. With
    /// `is_local` nobody needs a key: only this machine gets in.
    pub fn new(hosts: &[String], origins: &[String], is_local: bool) -> Self {
        let fold = |names: &[String]| names.iter().map(|name| name.trim_end_matches('/').to_lowercase()).collect();
        let page_token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        Self { inner: Arc::new(Inner { hosts: fold(hosts), origins: fold(origins), page_token, is_local }) }
    }

    /// What our own page sends in `X-Qingyu-Page`.
    pub fn page_token(&self) -> &str {
        &self.inner.page_token
    }

    /// Whether who comes needs no key, since only this machine gets in.
    pub fn is_local(&self) -> bool {
        self.inner.is_local
    }

    /// Whether requests may name this host, with or without its port.
    fn knows_host(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority).map(str::to_lowercase) else { return false };
        let in_brackets = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let address = match in_brackets {
            Some(address) => address.parse().ok().map(IpAddr::V6),
            None => host.parse().ok().map(IpAddr::V4),
        };
        let is_ours = host == "localhost" || address.is_some_and(|address| address.is_loopback());
        is_ours || self.inner.hosts.iter().any(|known| *known == host || *known == authority.to_lowercase())
    }

    /// Whether a page of this origin may ask of a server that was reached as `authority`.
    fn knows_origin(&self, origin: &str, authority: &str) -> bool {
        let origin = origin.to_lowercase();
        if self.inner.origins.contains(&origin) {
            return true;
        }
        let Some((_, from)) = origin.split_once("://") else { return false };
        from == authority.to_lowercase()
    }
}

/// The host of an authority, without its port; none if it is not a host with a port or without one.
fn host_of(authority: &str) -> Option<&str> {
    let (host, port) = match authority.rfind(':') {
        Some(colon) if !authority.ends_with(']') => (&authority[..colon], Some(&authority[colon + 1..])),
        _ => (authority, None),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    let is_host = is_bracketed || !host.contains([':', '[', ']', '@', '/', '?', '#', ',', ' ']);
    (is_host && port.is_none_or(is_port)).then_some(host)
}

/// The authority that the request names; none if it names none, or two.
fn authority<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    let mut named = headers.get_all(header::HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(_), Some(_)) => return None,
        (host, _) => host.map(HeaderValue::to_str).transpose().ok()?,
    };
    match (uri.authority().map(http::uri::Authority::as_str), host) {
        (Some(absolute), Some(host)) if !absolute.eq_ignore_ascii_case(host) => None,
        (Some(absolute), _) => Some(absolute),
        (None, host) => host,
    }
}

/// Gives the request a name, and its answer as well; a problem bears it in its body.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_plain =
        |id: &&str| (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let id = given.filter(is_plain).map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let value = HeaderValue::from_str(&id).expect("it is plain");
    request.headers_mut().insert(REQUEST_ID, value.clone());
    let span = tracing::info_span!("request", id, method = %request.method(), path = request.uri().path());
    let door = door_of(request.uri().path());
    let method = method_of(request.method());
    let begun = std::time::Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let (elapsed, status) = (begun.elapsed().as_secs_f64(), response.status().as_u16());
    let meters = Meters::of_process();
    meters.requests.with_label_values(&[door, method, response.status().as_str()]).inc();
    meters.answer_seconds.with_label_values(&[door]).observe(elapsed);
    span.in_scope(|| tracing::debug!(status, millis = elapsed * 1000.0, "answered"));
    let mut response = named(response, &id).await;
    response.headers_mut().insert(REQUEST_ID, value);
    response
}

/// Which door is asked, for counting: one of a few, whatever is asked.
fn door_of(path: &str) -> &'static str {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    match first {
        "api" => "api",
        "mcp" => "mcp",
        "a2a" | ".well-known" => "a2a",
        "agui" => "agui",
        "v1" => "openai",
        "langgraph" => "langgraph",
        "livez" | "readyz" | "version" | "metrics" | "openapi.json" => "operator",
        first if first.contains('.') => "grpc",
        _ => "other",
    }
}

/// The method, for counting: one of a few, whatever is asked.
fn method_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// A problem with its request's name in it.
async fn named(response: Response, id: &str) -> Response {
    let is_problem =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/problem+json");
    if !is_problem {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(collected) = http_body_util::Limited::new(body, LARGEST_PROBLEM).collect().await else {
        let problem = Problem::new(parts.status, "too_large", "the description of the problem is too large to be sent");
        return problem.of_request(id).into_response();
    };
    let bytes = collected.to_bytes();
    let Ok(serde_json::Value::Object(mut document)) = serde_json::from_slice(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    document.insert("request_id".into(), id.into());
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(serde_json::Value::Object(document).to_string()))
}

/// Refuses requests under names that are not ours (a page that has rebound its own name to this machine), and those of
/// pages that are not ours.
pub(super) async fn check_names(Shared(door): Shared<Door>, request: Request, next: Next) -> Response {
    let forbidden = |code, message: &str| Problem::new(StatusCode::FORBIDDEN, code, message).into_response();
    let Some(authority) = authority(request.uri(), request.headers()) else {
        return forbidden("bad_host", "the request must name one host");
    };
    if !door.knows_host(authority) {
        return forbidden("bad_host", "this server is not known by that name; see `server.hosts` in the settings");
    }
    let origin = request.headers().get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("null").to_owned());
    if let Some(origin) = &origin
        && !door.knows_origin(origin, authority)
    {
        return forbidden("bad_origin", "pages of that origin may not ask; see `server.origins` in the settings");
    }
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    if let Some(origin) = origin.and_then(|origin| HeaderValue::from_str(&origin).ok()) {
        allow_page(response.headers_mut(), origin, is_preflight);
    }
    response
}

/// Tells the browser that a page which may ask may also read.
fn allow_page(headers: &mut HeaderMap, origin: HeaderValue, is_preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    let told = "location, content-location, etag, retry-after, mcp-session-id, x-request-id";
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(told));
    if is_preflight {
        let methods = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        let asked = "authorization, content-type, idempotency-key, if-match, last-event-id, mcp-session-id, \
                     mcp-protocol-version, mcp-method, mcp-name, x-api-key, x-qingyu-page, x-request-id";
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(asked));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
}

/// Finds out who asks, and puts their studio among the request's extensions.
pub(super) async fn authenticate(
    Shared((state, door)): Shared<(State, Door)>,
    mut request: Request,
    next: Next,
) -> Response {
    let studio = match presented(request.headers()) {
        Some(key) => match state.studio().access().from(&origin_of(&request)).authenticate(key).await {
            Ok(scope) => state.studio().of(&scope),
            Err(error) => return refused(&request, error.into()),
        },
        None if door.inner.is_local && is_no_page(&door, request.headers()) => state.studio().clone(),
        None => {
            let problem = Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs a key");
            return refused(&request, problem);
        }
    };
    if let Err(error) = studio.access().admit() {
        return refused(&request, error.into());
    }
    request.extensions_mut().insert::<Studio>(studio);
    off_workers(next.run(request)).await
}

/// The address that a request comes from, for the audit.
fn origin_of(request: &Request) -> String {
    request.extensions().get::<Peer>().map(|Peer(address)| address.ip().to_string()).unwrap_or_default()
}

/// The key that was presented: in `Authorization` or in `X-Api-Key`, with the same rights either way.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| headers.get(&API_KEY).and_then(|value| value.to_str().ok()))
}

/// Whether no page of a browser asks, or our own does.
fn is_no_page(door: &Door, headers: &HeaderMap) -> bool {
    let is_page = headers.contains_key(header::ORIGIN) || headers.contains_key(&FETCH_SITE);
    let token = headers.get(&PAGE_TOKEN).and_then(|token| token.to_str().ok());
    !is_page || token == Some(door.page_token())
}

/// A refusal in the words of the protocol that asked.
fn refused(request: &Request, problem: Problem) -> Response {
    let is_grpc = request
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    let is_unknown = problem.document().status == StatusCode::UNAUTHORIZED.as_u16();
    if is_grpc {
        return refused_in_trailers(if is_unknown { "16" } else { "8" });
    }
    let mut response = problem.into_response();
    if is_unknown {
        let challenge = HeaderValue::from_static("Bearer realm=\"qingyu\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

/// A refusal as gRPC has it: trailers without a body. 16 is for who is unknown, 8 for who asks too much.
fn refused_in_trailers(status: &'static str) -> Response {
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", HeaderValue::from_static(status));
    headers.insert(
        "grpc-message",
        HeaderValue::from_static(if status == "16" { "this needs a key" } else { "this key allows no more for now" }),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        Door::new(&["studio.example.com".into()], &["https://page.example.com/".into()], true)
    }

    #[test]
    fn only_our_names_are_known() {
        for (authority, is_known) in [
            ("localhost", true),
            ("LOCALHOST:7400", true),
            ("127.0.0.1:7400", true),
            ("127.9.9.9", true),
            ("[::1]:7400", true),
            ("[::1]", true),
            ("studio.example.com", true),
            ("studio.example.com:443", true),
            ("localhost:evil.example.com", false),
            ("localhost:x", false),
            ("localhost:99999", false),
            ("localhost:", false),
            ("127.0.0.1:80:80", false),
            ("evil.example.com:127.0.0.1", false),
            ("::1", false),
            ("[::1]x", false),
            ("evil.example.com", false),
            ("localhost.evil.example.com", false),
            ("127.0.0.1.nip.io:7400", false),
            ("10.0.0.1", false),
            ("[::ffff:10.0.0.1]:80", false),
            ("", false),
        ] {
            assert_eq!(door().knows_host(authority), is_known, "{authority}");
        }
    }

    #[test]
    fn only_our_pages_may_ask() {
        for (origin, is_known) in [
            ("http://localhost:7400", true),
            ("https://page.example.com", true),
            ("http://localhost:7401", false),
            ("http://evil.example.com", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(door().knows_origin(origin, "localhost:7400"), is_known, "{origin}");
        }
    }

    #[test]
    fn a_request_names_one_host() {
        let headers = |hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, HeaderValue::from_str(host).unwrap());
            }
            headers
        };
        let relative: Uri = "/livez".parse().unwrap();
        let absolute: Uri = "http://localhost/livez".parse().unwrap();
        assert_eq!(authority(&relative, &headers(&["localhost"])), Some("localhost"));
        assert_eq!(authority(&relative, &headers(&[])), None);
        assert_eq!(authority(&relative, &headers(&["localhost", "evil"])), None);
        assert_eq!(authority(&absolute, &headers(&["evil"])), None);
        assert_eq!(authority(&absolute, &headers(&["localhost"])), Some("localhost"));
    }

    #[test]
    fn a_key_is_the_same_in_either_header() {
        let with =
            |name: HeaderName, value: &str| HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())]);
        assert_eq!(presented(&with(header::AUTHORIZATION, "Bearer qy_1")), Some("qy_1"));
        assert_eq!(presented(&with(header::AUTHORIZATION, "bearer  qy_1 ")), Some("qy_1"));
        assert_eq!(presented(&with(header::AUTHORIZATION, "Basic qy_1")), None);
        assert_eq!(presented(&with(API_KEY, "qy_1")), Some("qy_1"));
    }
}
