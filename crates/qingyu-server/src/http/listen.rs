//! A listener serving a router: with timeouts for silent and slow clients, a connection limit, and a graceful shutdown
//! waiting for requests in progress.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, Response, StatusCode, Version, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::HttpProblem;
use super::connections::{ConnectionLimiter, ConnectionPermit};
use super::tracked::{TrackedRequestBody, TrackedResponseBody};
use crate::meters::{GaugeGuard, Meters};

/// Timeout for the headers of a request; for the first request counted from the start of the connection.
const HEADERS: Duration = Duration::from_secs(10);
/// Timeout of an idle connection between two requests.
const IDLE: Duration = Duration::from_secs(75);
/// Ping interval of an idle HTTP/2 connection, and the timeout of the response.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(20));
/// Maximum number of concurrent streams per connection.
const STREAMS: u32 = 1024;
/// Maximum size of the headers of a request plus its URI, in bytes.
const HEADER_BYTES: u32 = 32 << 10;
const ADDRESS_BYTES: usize = 64 << 10;
/// Read buffer limit for both, in bytes; larger heads are rejected before parsing.
const HEAD_BYTES: usize = 128 << 10;
/// Maximum number of concurrent refusals; further connections are closed without a response.
const REFUSALS: usize = 64;
/// Timeout for writing a refusal.
const REFUSAL: Duration = Duration::from_secs(1);
/// The response to a connection beyond the limit.
const NO_ROOM: &str = concat!(
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 2\r\n",
    "Connection: close\r\n\r\n",
    r#"{"type":"urn:qingyu:error:overloaded","status":503,"title":"as many connections are open as may","code":"overloaded","retry_after":2}"#,
    "\r\n",
);
/// Delay after a failed accept, as when file descriptors are exhausted.
const PAUSE: Duration = Duration::from_millis(100);

/// The remote address of a request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The limits of a listener.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListenerLimits {
    /// Maximum number of open connections; further connections are refused.
    pub(crate) connections: usize,
    /// Timeout for requests in progress at shutdown.
    pub(crate) grace: Duration,
}

/// Serves `router` on `listener` until `stop`; then waits for requests in progress, up to the grace period.
///
/// A connection has 10 seconds from its start to send its first request and may be idle for 75 seconds between two
/// requests. At the limit, a new connection evicts a connection without any request, or an idle connection of an
/// address with more connections.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: ListenerLimits, stop: CancellationToken) {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS).max_headers(100).max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(KEEP_ALIVE.0)
        .keep_alive_timeout(KEEP_ALIVE.1)
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADER_BYTES);
    let builder = Arc::new(builder);
    let connections = ConnectionLimiter::new(limits.connections);
    let graceful = GracefulShutdown::new();
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "failed to accept a connection");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Some(connection) = connections.enter(peer.ip()) else {
            Meters::of_process().connections_refused.inc();
            if let Ok(refusal) = Arc::clone(&refusals).try_acquire_owned() {
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(REFUSAL, refuse(stream)).await;
                    drop(refusal);
                });
            }
            continue;
        };
        // Send small events without delay.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(connection);
        let (router, used) = (router.clone(), Arc::clone(&connection));
        let service = service_fn(move |request| answer(router.clone(), Arc::clone(&used), peer, request));
        let served = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let served = graceful.watch(served);
        let present = GaugeGuard::enter(&Meters::of_process().connections);
        tokio::spawn(async move {
            tokio::select! {
                ended = served => {
                    if let Err(error) = ended {
                        tracing::debug!(%peer, %error, "connection ended early");
                    }
                }
                () = connection.is_useless(HEADERS, IDLE) => tracing::debug!(%peer, "idle connection closed"),
            }
            drop(present);
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.grace, graceful.shutdown()).await.is_err() {
        tracing::warn!("closing connections that are still active");
    }
}

/// Responds to a request. The connection is in use until the last byte of the response is handed over.
async fn answer(
    router: Router,
    connection: Arc<ConnectionPermit>,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, std::convert::Infallible> {
    let in_use = connection.begin_request();
    let version = request.version();
    let (parts, body) = request.into_parts();
    let (body, read) = TrackedRequestBody::new(body);
    let too_large = too_large(&parts);
    let mut request = Request::from_parts(parts, Body::new(body));
    request.extensions_mut().insert(Peer(peer));
    let mut response = match too_large {
        Some(problem) => problem.into_response(),
        None => router.oneshot(request).await?,
    };
    // An unread body cannot be told apart from the next request, so HTTP/1 closes the connection and announces the
    // closing.
    if version <= Version::HTTP_11 && !read.is_whole() && !response.status().is_informational() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Body::new(TrackedResponseBody::new(body, in_use))))
}

/// Returns the rejection of an oversized request head.
fn too_large(head: &Parts) -> Option<HttpProblem> {
    let headers: usize = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if headers > HEADER_BYTES as usize {
        let message = format!("the headers have more than {HEADER_BYTES} bytes");
        return Some(HttpProblem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large", message));
    }
    let address = head.uri.path_and_query().map_or(0, |address| address.as_str().len());
    (address > ADDRESS_BYTES).then(|| {
        let message = format!("the address has more than {ADDRESS_BYTES} bytes");
        HttpProblem::new(StatusCode::URI_TOO_LONG, "too_large", message)
    })
}

/// Writes a refusal and waits until read: closing the connection while the client is still sending would lose the
/// response.
async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(NO_ROOM.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Binds a listener to `address`.
pub async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await
}
