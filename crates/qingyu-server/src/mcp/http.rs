//! The protocol over HTTP: `/mcp` for all projects of the caller, `/mcp/{project}` or `/mcp?project=` for a single
//! project.
//!
//! Authentication happens in front: the code mounting [`routes`] inserts a [`Studio`] scoped to the caller into the
//! request's extensions. Each scope has a separate engine and separate sessions, so a session is unknown to other
//! callers.
//!
//! Both generations of the protocol are supported; the older has sessions, stored in the memory of the process.
//!
//! - `guests`: engines and sessions by scope; `requests`: what the library answers otherwise than its clients expect

mod guests;
mod requests;

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

use guests::McpScopes;
use requests::RequestTraits;

/// Settings of the MCP routes.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Interval of keep-alive comments on a silent stream.
    pub keep_alive: Duration,
    /// Maximum size of a request, in bytes.
    pub largest: usize,
    /// The accepted hosts; empty accepts all, for callers that already check hosts.
    pub hosts: Vec<String>,
    /// The accepted browser origins; empty accepts all, for the same reason.
    pub origins: Vec<String>,
    /// Ends every stream when cancelled.
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

/// Shared state of the routes. Cheap to clone.
#[derive(Debug, Clone)]
struct McpHttpState {
    settings: Arc<Settings>,
    guests: Arc<McpScopes>,
}

/// The query naming the default project.
#[derive(Debug, Default, Deserialize)]
struct ProjectQuery {
    project: Option<String>,
}

/// Returns the routes `/mcp` and `/mcp/{project}`. Each request must carry a [`Studio`] in its extensions.
pub fn routes(settings: Settings) -> Router {
    let door = McpHttpState { settings: Arc::new(settings), guests: Arc::default() };
    Router::new().route("/mcp", any(all)).route("/mcp/{project}", any(one)).with_state(door)
}

async fn all(State(door): State<McpHttpState>, meant: Query<ProjectQuery>, request: Request) -> Response {
    door.answer(meant.0.project, request).await
}

async fn one(State(door): State<McpHttpState>, Path(project): Path<String>, request: Request) -> Response {
    door.answer(Some(project), request).await
}

impl McpHttpState {
    async fn answer(&self, project: Option<String>, request: Request) -> Response {
        let Some(studio) = request.extensions().get::<Studio>() else {
            tracing::error!("mcp request without a studio");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let guest = match self.guests.of(studio).await {
            Ok(guest) => guest,
            Err(error) => {
                tracing::error!(%error, "failed to create a tool engine");
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

/// Responds to a request with `handler`; its sessions are stored in `sessions`.
pub async fn answer<H>(
    handler: H,
    sessions: &Arc<LocalSessionManager>,
    settings: &Settings,
    request: http::Request<Body>,
) -> Response
where
    H: ServerHandler + Clone,
{
    let (request, asked) = match RequestTraits::read(request, settings.largest).await {
        Ok(read) => read,
        Err(refused) => return *refused,
    };
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(settings.hosts.iter().cloned())
        .with_allowed_origins(settings.origins.iter().cloned())
        .with_sse_keep_alive(Some(settings.keep_alive))
        .with_max_request_body_bytes(settings.largest)
        .with_cancellation_token(settings.stop.clone());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), Arc::clone(sessions), config);
    asked.finish(service.handle(request).await.map(Body::new))
}

/// Returns whether the request may start a session: requests of the newer, sessionless protocol name the version in a
/// header.
fn begins_a_session(headers: &HeaderMap) -> bool {
    let is_new = headers.get("mcp-protocol-version").is_some_and(|version| version.as_bytes() >= b"2026".as_slice());
    !is_new && !headers.contains_key("mcp-session-id")
}

/// Returns the supported language preferred by the client; default English.
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
