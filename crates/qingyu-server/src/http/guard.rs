//! Layers before every route: request ids for the logs, host and origin checks, and authentication.

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

use super::dialects::Dialect;
use super::listen::Peer;
use super::{HttpProblem, ServerState};
use crate::meters::Meters;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PAGE_TOKEN: HeaderName = HeaderName::from_static("x-qingyu-page");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Maximum size in bytes of a problem body receiving a request id.
const LARGEST_PROBLEM: usize = 64 << 10;
/// Maximum size in bytes of the header names in a preflight.
const LARGEST_PREFLIGHT: usize = 2 << 10;
/// The headers pages may send if their preflight names none, or none that we accept.
const USUAL_HEADERS: &str = "authorization, content-type, idempotency-key, if-match, last-event-id, mcp-session-id, \
                             mcp-protocol-version, mcp-method, mcp-name, x-api-key, x-qingyu-page, x-request-id, \
                             x-qingyu-project, x-qingyu-session, a2a-version, traceparent";
/// The first characters of every key of ours.
const KEY_PREFIX: &str = "qy_";

/// The accepted hosts and origins, and whether keys are optional.
#[derive(Debug, Clone)]
pub(crate) struct AccessPolicy {
    inner: Arc<AccessPolicyInner>,
}

#[derive(Debug)]
struct AccessPolicyInner {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// The token sent by our own page on the local machine, so that other pages of the browser are rejected.
    page_token: String,
    /// Whether local callers need no key.
    is_local: bool,
}

impl AccessPolicy {
    /// Accepts `hosts` in addition to the names of the local machine, and pages of `origins` in addition to our own.
    /// With `is_local` no key is required; only local callers can connect.
    pub(crate) fn new(hosts: &[String], origins: &[String], is_local: bool) -> Self {
        let fold = |names: &[String]| names.iter().map(|name| name.trim_end_matches('/').to_lowercase()).collect();
        let page_token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        Self { inner: Arc::new(AccessPolicyInner { hosts: fold(hosts), origins: fold(origins), page_token, is_local }) }
    }

    /// Returns the token sent by our own page in `X-Qingyu-Page`.
    pub(crate) fn page_token(&self) -> &str {
        &self.inner.page_token
    }

    /// Returns whether callers need no key, because only local callers can connect.
    pub(crate) fn is_local(&self) -> bool {
        self.inner.is_local
    }

    /// Returns whether a request may name a host, with or without its port.
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

    /// Returns whether a page of `origin` may call the server reached as `authority`.
    fn knows_origin(&self, origin: &str, authority: &str) -> bool {
        let origin = origin.to_lowercase();
        if self.inner.origins.contains(&origin) {
            return true;
        }
        let Some((_, from)) = origin.split_once("://") else { return false };
        from == authority.to_lowercase()
    }
}

/// Returns the host of an authority, without its port; `None` if the authority is malformed.
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

/// Returns the authority of a request; `None` if missing or ambiguous.
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

/// Assigns an id to the request and its response; a problem body contains the id.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_plain =
        |id: &&str| (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let id = given.filter(is_plain).map_or_else(|| Uuid::now_v7().to_string(), str::to_owned);
    let value = HeaderValue::from_str(&id).expect("it is plain");
    request.headers_mut().insert(REQUEST_ID, value.clone());
    let span = tracing::info_span!("request", id, method = %request.method(), path = request.uri().path());
    let door = door_of(request.uri().path());
    let dialect = Dialect::of(request.uri().path());
    let method = method_of(request.method());
    let begun = std::time::Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let (elapsed, status) = (begun.elapsed().as_secs_f64(), response.status().as_u16());
    let meters = Meters::of_process();
    meters.requests.with_label_values(&[door, method, response.status().as_str()]).inc();
    meters.answer_seconds.with_label_values(&[door]).observe(elapsed);
    span.in_scope(|| tracing::debug!(status, millis = elapsed * 1000.0, "answered"));
    let mut response = match dialect {
        Some(dialect) => dialect.translate(response).await,
        None => named(response, &id).await,
    };
    response.headers_mut().insert(REQUEST_ID, value);
    response
}

/// Returns the metrics label of the protocol: one of a fixed set.
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

/// Returns the metrics label of the method: one of a fixed set.
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

/// Inserts the request id into a problem body.
async fn named(response: Response, id: &str) -> Response {
    let is_problem =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/problem+json");
    if !is_problem {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(collected) = http_body_util::Limited::new(body, LARGEST_PROBLEM).collect().await else {
        let problem =
            HttpProblem::new(parts.status, "too_large", "the description of the problem is too large to be sent");
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

/// Rejects requests with unknown hosts (DNS rebinding by a foreign page), and requests from pages of unknown origins.
pub(super) async fn check_names(Shared(door): Shared<AccessPolicy>, request: Request, next: Next) -> Response {
    let forbidden = |code, message: &str| HttpProblem::new(StatusCode::FORBIDDEN, code, message).into_response();
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
    let preflight = is_preflight.then(|| allowed_headers(request.headers()));
    let mut response = if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    if let Some(origin) = origin.and_then(|origin| HeaderValue::from_str(&origin).ok()) {
        allow_page(response.headers_mut(), origin, preflight);
    }
    response
}

/// Returns the headers a page may send: the names in its preflight as given, if all are valid and short enough, else
/// the usual headers.
fn allowed_headers(headers: &HeaderMap) -> HeaderValue {
    let asked = headers.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
    let lines: Option<Vec<&str>> = asked.map(|line| line.to_str().ok()).collect();
    let asked = lines.unwrap_or_default().join(", ");
    let mut names = asked.split(',').map(str::trim);
    let is_fit = asked.len() <= LARGEST_PREFLIGHT && names.all(|name| HeaderName::from_bytes(name.as_bytes()).is_ok());
    let usual = HeaderValue::from_static(USUAL_HEADERS);
    if is_fit { HeaderValue::from_str(&asked).unwrap_or(usual) } else { usual }
}

/// Inserts the CORS headers for an accepted origin; `preflight` contains the headers allowed in response to a preflight.
fn allow_page(headers: &mut HeaderMap, origin: HeaderValue, preflight: Option<HeaderValue>) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    let told = "location, content-location, etag, retry-after, mcp-session-id, x-request-id";
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(told));
    if let Some(allowed) = preflight {
        headers.append(header::VARY, HeaderValue::from_static("access-control-request-headers"));
        let methods = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
}

/// Authenticates the caller and inserts the scoped studio into the request's extensions.
pub(super) async fn authenticate(
    Shared((state, door)): Shared<(ServerState, AccessPolicy)>,
    mut request: Request,
    next: Next,
) -> Response {
    let origin = origin_of(&request);
    let studio = match presented(request.headers()).filter(|key| is_key(&door, key)) {
        Some(key) => match state.studio().access().from(&origin).authenticate(key).await {
            Ok(scope) => state.studio().of(&scope).with_origin(&origin),
            Err(error) => return refused(&request, error.into()),
        },
        None if door.inner.is_local && is_no_page(&door, request.headers()) => state.studio().with_origin(&origin),
        None => {
            let problem = HttpProblem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs a key");
            return refused(&request, problem);
        }
    };
    if let Err(error) = studio.access().admit() {
        return refused(&request, error.into());
    }
    request.extensions_mut().insert::<Studio>(studio);
    off_workers(next.run(request)).await
}

/// Returns the address of the caller, for the audit log.
fn origin_of(request: &Request) -> String {
    request.extensions().get::<Peer>().map(|Peer(address)| address.ip().to_string()).unwrap_or_default()
}

/// Returns the presented key: from `Authorization` or `X-Api-Key`, with equal rights.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| headers.get(&API_KEY).and_then(|value| value.to_str().ok()))
}

/// Returns whether a presented key is to be checked. Where no key is needed, the placeholders demanded by other
/// programs' clients are no keys.
fn is_key(door: &AccessPolicy, presented: &str) -> bool {
    !door.is_local() || presented.starts_with(KEY_PREFIX)
}

/// Returns whether the request comes from our own page or not from a browser page.
fn is_no_page(door: &AccessPolicy, headers: &HeaderMap) -> bool {
    let is_page = headers.contains_key(header::ORIGIN) || headers.contains_key(&FETCH_SITE);
    let token = headers.get(&PAGE_TOKEN).and_then(|token| token.to_str().ok());
    !is_page || token == Some(door.page_token())
}

/// Returns a rejection in the format of the request's protocol.
fn refused(request: &Request, problem: HttpProblem) -> Response {
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

/// Returns a gRPC rejection: trailers without a body. Status 16 for unauthenticated callers, 8 for exceeded limits.
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

    fn door() -> AccessPolicy {
        AccessPolicy::new(&["studio.example.com".into()], &["https://page.example.com/".into()], true)
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

    #[test]
    fn placeholders_are_no_keys_where_none_is_needed() {
        let far = AccessPolicy::new(&[], &[], false);
        for (presented, is_checked) in [("x", false), ("none", false), ("sk-1", false), ("", false), ("qy_1", true)] {
            assert_eq!(is_key(&door(), presented), is_checked, "{presented}");
            assert!(is_key(&far, presented), "{presented}");
        }
    }

    #[test]
    fn pages_may_send_the_headers_of_their_preflight() {
        let long = format!("x-{}", "a".repeat(LARGEST_PREFLIGHT));
        for (asked, allowed) in [
            (vec!["authorization,x-stainless-os"], "authorization,x-stainless-os"),
            (vec!["authorization", "X-Any"], "authorization, X-Any"),
            (vec![], USUAL_HEADERS),
            (vec![""], USUAL_HEADERS),
            (vec!["a b"], USUAL_HEADERS),
            (vec!["x-fine, *?("], USUAL_HEADERS),
            (vec![long.as_str()], USUAL_HEADERS),
        ] {
            let mut headers = HeaderMap::new();
            for line in &asked {
                headers.append(header::ACCESS_CONTROL_REQUEST_HEADERS, HeaderValue::from_str(line).unwrap());
            }
            assert_eq!(allowed_headers(&headers), allowed, "{asked:?}");
        }
        for ours in ["x-qingyu-project", "x-qingyu-session", "a2a-version", "traceparent", "last-event-id"] {
            assert!(USUAL_HEADERS.split(", ").any(|name| name == ours), "{ours}");
        }
        let mut headers = HeaderMap::new();
        let allowed = allowed_headers(&headers);
        allow_page(&mut headers, HeaderValue::from_static("https://page.example.com"), Some(allowed));
        let varies: Vec<_> = headers.get_all(header::VARY).iter().collect();
        assert_eq!(varies, ["origin", "access-control-request-headers"]);
    }
}
