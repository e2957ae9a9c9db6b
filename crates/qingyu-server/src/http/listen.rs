//! A listener that serves a router: with time-outs for those who are slow to ask, a border for how many there are, beyond
//! which everybody is told so, and an end that waits for those who are nearly done.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::meters::{Meters, Present};

/// How long a client may take to send what it asks.
const HEADERS: Duration = Duration::from_secs(10);
/// How often a silent connection is asked whether it is still there, and how long it may take to say so.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(20));
/// The most streams of one connection.
const STREAMS: u32 = 1024;
/// The most bytes of the headers of a request.
const HEADER_BYTES: u32 = 32 << 10;
/// How many are told at once that there is no room; more are cut off without a word.
const REFUSALS: usize = 64;
/// How long telling them so may take.
const REFUSAL: Duration = Duration::from_secs(1);
/// What they are told, whatever they ask.
const NO_ROOM: &str = concat!(
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 2\r\n",
    "Connection: close\r\n\r\n",
    r#"{"type":"urn:qingyu:error:overloaded","status":503,"title":"as many connections are open as may","code":"overloaded","retry_after":2}"#,
    "\r\n",
);
/// How long to wait after a connection could not be taken, as when there are no more files.
const PAUSE: Duration = Duration::from_millis(100);

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// What a listener allows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many connections are open at once; others are refused.
    pub connections: usize,
    /// How long those who are still at work when it ends may take.
    pub grace: Duration,
}

/// Serves `router` to everybody who comes to `listener`, until `stop`; then waits for those who are at work, but no longer
/// than the grace.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS).max_headers(100);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(KEEP_ALIVE.0)
        .keep_alive_timeout(KEEP_ALIVE.1)
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADER_BYTES);
    let connections = Arc::new(Semaphore::new(limits.connections.max(1)));
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
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Ok(room) = Arc::clone(&connections).try_acquire_owned() else {
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
        let service = router.clone().map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request
        });
        let service = TowerToHyperService::new(service);
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let connection = graceful.watch(connection);
        let present = Present::enter(&Meters::of_process().connections);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%peer, %error, "a connection ended early");
            }
            drop((room, present));
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.grace, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections were still at work and are cut off");
    }
}

/// Says that there is no room, and waits until that is read: whoever sends still would lose the answer if it were closed.
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
