//! The protocol over HTTP: `/mcp` for all projects of who asks, `/mcp/{project}` or `/mcp?project=` for one of them.
//!
//! Who asks is known before a request comes here: whoever mounts [`routes`] has put a [`Studio`] that is scoped to the
//! caller into the request's extensions. Each scope has an engine and sessions of its own, so that a session can be
//! gone on with by nobody else: to others, its id is unknown.
//!
//! Both generations of the protocol are served; the older one has sessions, which live in this process.

mod guests;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::{HeaderMap, StatusCode, header};
use qingyu_story::Language;
use qingyu_studio::Studio;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use guests::Guests;

/// How the protocol is served.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a stream may be silent until a comment is sent on it.
    pub keep_alive: Duration,
    /// The most bytes of a request.
    pub largest: usize,
    /// The hosts that requests may name; all if none are given, for whoever mounts the routes has looked already.
    pub hosts: Vec<String>,
    /// The origins that requests of browsers may have; all if none are given, for the same reason.
    pub origins: Vec<String>,
    /// Ends every stream.
    pub stop: CancellationToken,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            keep_alive: Duration::from_secs(15),
            largest: 4 << 20,
            hosts: Vec::new(),
            origins: Vec::new(),
            stop: CancellationToken::new(),
        }
    }
}

/// What the routes share. Cheap to clone.
#[derive(Debug, Clone)]
struct Door {
    settings: Arc<Settings>,
    guests: Arc<Guests>,
}

/// The project that is meant where none is named, in the address.
#[derive(Debug, Default, Deserialize)]
struct Meant {
    project: Option<String>,
}

/// The routes `/mcp` and `/mcp/{project}`. Each request must carry a [`Studio`] in its extensions.
pub fn routes(settings: Settings) -> Router {
    let door = Door { settings: Arc::new(settings), guests: Arc::default() };
    Router::new().route("/mcp", any(all)).route("/mcp/{project}", any(one)).with_state(door)
}

async fn all(State(door): State<Door>, meant: Query<Meant>, request: Request) -> Response {
    door.answer(meant.0.project, request).await
}

async fn one(State(door): State<Door>, Path(project): Path<String>, request: Request) -> Response {
    door.answer(Some(project), request).await
}

impl Door {
    async fn answer(&self, project: Option<String>, request: Request) -> Response {
        let Some(studio) = request.extensions().get::<Studio>() else {
            tracing::error!("a request of the Model Context Protocol came without a studio");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let guest = match self.guests.of(studio).await {
            Ok(guest) => guest,
            Err(error) => {
                tracing::error!(%error, "no engine can be had");
                return (StatusCode::SERVICE_UNAVAILABLE, error.code().to_owned()).into_response();
            }
        };
        if begins_a_session(request.headers()) && !guest.has_room().await {
            let wait = [(header::RETRY_AFTER, "60")];
            return (StatusCode::TOO_MANY_REQUESTS, wait, "Too Many Requests: sessions are open").into_response();
        }
        let server = guest.server(language(request.headers()), project);
        answer(server, guest.sessions(), &self.settings, request).await
    }
}

/// Answers one request with `handler`; sessions that it begins or goes on with are among `sessions`.
pub async fn answer<H>(
    handler: H,
    sessions: &Arc<LocalSessionManager>,
    settings: &Settings,
    request: http::Request<Body>,
) -> Response
where
    H: ServerHandler + Clone,
{
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(settings.hosts.iter().cloned())
        .with_allowed_origins(settings.origins.iter().cloned())
        .with_sse_keep_alive(Some(settings.keep_alive))
        .with_max_request_body_bytes(settings.largest)
        .with_cancellation_token(settings.stop.clone());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), Arc::clone(sessions), config);
    service.handle(request).await.map(Body::new)
}

/// Whether the request is one that may begin a session: the newer protocol, which has none, names itself in a header.
fn begins_a_session(headers: &HeaderMap) -> bool {
    let is_new = headers.get("mcp-protocol-version").is_some_and(|version| version.as_bytes() >= b"2026".as_slice());
    !is_new && !headers.contains_key("mcp-session-id")
}

/// The language that the client likes best of ours; English if it says nothing.
fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let first = wanted.split(',').map(str::trim).find(|word| word.starts_with("zh") || word.starts_with("en"));
    if first.is_some_and(|word| word.starts_with("zh")) { Language::Zh } else { Language::En }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_language_is_the_first_of_ours() {
        for (wanted, language_of) in [
            ("", Language::En),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Zh),
            ("en-GB, zh", Language::En),
            ("fr, zh-TW", Language::Zh),
            ("fr", Language::En),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(wanted))]);
            assert_eq!(language(&headers), language_of, "{wanted}");
        }
        assert_eq!(language(&HeaderMap::new()), Language::En);
    }
}
