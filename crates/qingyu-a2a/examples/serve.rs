//! Serves the agent on a free local port, for a single user and with the offline model, and prints the agent's address.
//!
//! `cargo run -p qingyu-a2a --example serve -- FOLDER [HOST:PORT of a webhook that may be reached]...`
//!
//! With `--features conformance` the official compatibility kit can run against the example: `python run_tck.py
//! --sut-host http://127.0.0.1:PORT`.

use std::sync::Arc;

use axum::Extension;
use qingyu_a2a::{A2a, A2aOptions, FileNotes};
use qingyu_studio::{Environment, Settings, Studio};
use tonic::service::Routes;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let home = arguments.next().unwrap_or_else(|| "a2a-home".into());
    let variables = [("QINGYU_HOME", home.as_str()), ("QINGYU_MODEL", "offline-rules-1")];
    let environment = Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let studio = Studio::open(Settings::load(environment, Default::default())?).await?;
    let notes = Arc::new(FileNotes::new(studio.home().join("a2a")));
    let mut webhooks: Vec<String> = arguments.collect();
    if cfg!(feature = "conformance") {
        // The compatibility kit listens on an unknown local port.
        let ports = || 1024..=u16::MAX;
        webhooks.extend(ports().map(|port| format!("127.0.0.1:{port}")));
        webhooks.extend(ports().map(|port| format!("localhost:{port}")));
    }
    let options = A2aOptions { needs_key: false, webhooks, ..A2aOptions::new(notes) };
    let A2a { card, http, grpc } = qingyu_a2a::a2a(options)?;
    let grpc = Routes::new(grpc).prepare().into_axum_router();
    let app = http.fallback_service(grpc).layer(Extension(studio)).merge(card);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
