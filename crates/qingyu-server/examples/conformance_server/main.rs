//! A server for the conformance suite of the Model Context Protocol, serving the suite's fixtures over the production
//! transport.
//!
//! Listens on a free local port and prints the address; stops when standard input is closed. `scripts/outside/mcp.sh`
//! runs the suite against the server.

mod fixtures;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use qingyu_server::mcp::http::{Settings, answer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use fixtures::Fixtures;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let own = ["localhost", "127.0.0.1", "::1"];
    let settings = Settings {
        hosts: own.map(str::to_owned).to_vec(),
        origins: own.map(|host| format!("http://{}:*", if host == "::1" { "[::1]" } else { host })).to_vec(),
        ..Settings::default()
    };
    let (fixtures, sessions) = (Fixtures::default(), Arc::<LocalSessionManager>::default());
    let stop = settings.stop.clone();
    let settings = Arc::new(settings);
    let route = any(move |request: Request| {
        let (fixtures, sessions, settings) = (fixtures.clone(), Arc::clone(&sessions), Arc::clone(&settings));
        async move { answer(fixtures, &sessions, &settings, request).await }
    });
    let served = axum::serve(listener, Router::new().route("/mcp", route)).with_graceful_shutdown(async move {
        let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
        stop.cancel();
    });
    Ok(served.await?)
}
