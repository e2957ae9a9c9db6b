//! A listener that serves a router: with timeouts for silent and slow clients, a limit on open connections, and an end that
//! waits for requests in progress.

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

use super::Problem;
use super::connections::{Connection, Connections};
use super::tracked::{Held, Read};
use crate::meters::{Meters, Present};

/// How long a client may take to send the headers of a request; the first time counted from the connection's beginning.
const HEADERS: Duration = Duration::from_secs(10);
/// How long a connection may be idle between two requests.
const IDLE: Duration = Duration::from_secs(75);
/// How often an idle HTTP/2 connection is asked whether it is still there, and how long the answer may take.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(20));
/// The most streams of one connection.
const STREAMS: u32 = 1024;
/// The most bytes of the headers of a request, and of its address.
const HEADER_BYTES: u32 = 32 << 10;
const ADDRESS_BYTES: usize = 64 << 10;
/// The most bytes of both that are read at all; more is refused before anybody looks at it.
const HEAD_BYTES: usize = 128 << 10;
/// The most refusals that are written at once; further connections are closed without an answer.
const REFUSALS: usize = 64;
/// How long writing a refusal may take.
const REFUSAL: Duration = Duration::from_secs(1);
/// The answer to a connection beyond the limit, whatever is asked.
const NO_ROOM: &str = concat!(
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 2\r\n",
    "Connection: close\r\n\r\n",
    r#"{"type":"urn:qingyu:error:overloaded","status":503,"title":"as many connections are open as may","code":"overloaded","retry_after":2}"#,
    "\r\n",
);
/// How long to wait after a connection could not be accepted, as when there are no more files.
const PAUSE: Duration = Duration::from_millis(100);

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// What a listener allows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many connections are open at once; others are refused.
    pub connections: usize,
    /// How long requests in progress may take when it ends.
    pub grace: Duration,
}

/// Serves `router` on `listener` until `stop`; then waits for requests in progress, but no longer than the grace.
///
/// A connection has 10 seconds from its beginning to send its first request and may be idle for 75 seconds between two. When as
/// many are open as may, a new one takes the place of one that never asked, or of an idle one of an address that has more.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
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
    let connections = Connections::new(limits.connections);
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
        // Small events are sent at once.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(connection);
        let (router, used) = (router.clone(), Arc::clone(&connection));
        let service = service_fn(move |request| answer(router.clone(), Arc::clone(&used), peer, request));
        let served = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let served = graceful.watch(served);
        let present = Present::enter(&Meters::of_process().connections);
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
        tracing::warn!("some connections were still at work and are cut off");
    }
}

/// Answers a request. The connection is in use until the last byte of the answer was handed over.
async fn answer(
    router: Router,
    connection: Arc<Connection>,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, std::convert::Infallible> {
    let in_use = connection.begin_request();
    let version = request.version();
    let (parts, body) = request.into_parts();
    let (body, read) = Read::new(body);
    let too_large = too_large(&parts);
    let mut request = Request::from_parts(parts, Body::new(body));
    request.extensions_mut().insert(Peer(peer));
    let mut response = match too_large {
        Some(problem) => problem.into_response(),
        None => router.oneshot(request).await?,
    };
    // What is left of a body cannot be told apart from the next request, so HTTP/1 closes the connection. Clients are told.
    if version <= Version::HTTP_11 && !read.is_whole() && !response.status().is_informational() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Body::new(Held::new(body, in_use))))
}

/// Why a request is refused for the size of its head.
fn too_large(head: &Parts) -> Option<Problem> {
    let headers: usize = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if headers > HEADER_BYTES as usize {
        let message = format!("the headers have more than {HEADER_BYTES} bytes");
        return Some(Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large", message));
    }
    let address = head.uri.path_and_query().map_or(0, |address| address.as_str().len());
    (address > ADDRESS_BYTES).then(|| {
        let message = format!("the address has more than {ADDRESS_BYTES} bytes");
        Problem::new(StatusCode::URI_TOO_LONG, "too_large", message)
    })
}

/// Writes a refusal and waits until it is read: a client that is still sending would lose it if the connection were closed.
async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(NO_ROOM.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Listens at `address`.
pub async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await
}
