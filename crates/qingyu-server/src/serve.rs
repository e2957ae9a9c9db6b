//! The server: a listener with all protocols, and the background work for runs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use qingyu_studio::Studio;
use qingyu_studio::access::KeyState;
use qingyu_studio::settings::values::Server as Settings;
use qingyu_studio::workers::off_workers;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::{AccessPolicy, App, ServerState, listen};
use crate::meters::Meters;

/// Interval between updates of the search vectors.
const VECTORS: Duration = Duration::from_secs(30);

/// A reason why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is reachable from other machines, but no key is required.
    #[error("nobody has a key yet, and {address} can be reached from other machines; make one with `qingyu keys make`")]
    NoKey {
        /// The listening address.
        address: SocketAddr,
    },
    /// The address is reachable from other machines, and keys would be sent unencrypted.
    #[error(
        "{address} can be reached from other machines, and keys would be sent in the open; put TLS before it and set `server.behind_tls`"
    )]
    NoTls {
        /// The listening address.
        address: SocketAddr,
    },
    /// Binding the address failed.
    #[error("cannot listen at {address}: {message}")]
    Address {
        /// The listening address.
        address: SocketAddr,
        /// The operating system's message.
        message: String,
    },
    /// The webhook addresses in the settings are invalid.
    #[error("`server.webhooks` cannot be used: {message}")]
    Webhooks {
        /// The reason.
        message: String,
    },
    /// The trace target in the environment is invalid.
    #[error("{message}")]
    Traces {
        /// The reason.
        message: String,
    },
    /// The studio returned an error.
    #[error(transparent)]
    Studio(#[from] qingyu_studio::Error),
}

/// A server with a bound listener.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    studio: Studio,
    settings: Settings,
    door: AccessPolicy,
    traces: Option<crate::traces::TraceTarget>,
}

impl Server {
    /// Binds a listener as configured in the studio's settings; connections wait until the server [runs](Self::run).
    ///
    /// Only local callers may connect without a key. Fails with [`Error::NoKey`] or [`Error::NoTls`] if the address is
    /// reachable from other machines without authentication or encryption.
    pub async fn bind(studio: Studio) -> Result<Self, Error> {
        let settings = studio.server_settings().clone();
        let host = settings.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let address = SocketAddr::new(host, settings.port);
        let is_local = host.is_loopback();
        if !is_local && studio.access().keys(None).await?.iter().all(|key| key.state != KeyState::Active) {
            return Err(Error::NoKey { address });
        }
        if !is_local && !settings.behind_tls {
            return Err(Error::NoTls { address });
        }
        let refused = |error: std::io::Error| Error::Address { address, message: error.to_string() };
        let listener = listen::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let door = AccessPolicy::new(&settings.hosts, &settings.origins, is_local);
        Ok(Self { listener, address, studio, settings, door, traces: None })
    }

    /// Returns the bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the public URL.
    pub fn url(&self) -> String {
        self.settings.public_url.clone().unwrap_or_else(|| format!("http://{}", self.address))
    }

    /// Returns the token that the server's own page sends in `X-Qingyu-Page`.
    pub fn page_token(&self) -> &str {
        self.door.page_token()
    }

    /// Sends traces of runs to `target`.
    #[must_use]
    pub fn with_traces(mut self, target: Option<crate::traces::TraceTarget>) -> Self {
        self.traces = target;
        self
    }

    /// Serves until `stop`; then refuses new work, brings its runs to their next checkpoint, releases them to other
    /// servers, and ends its streams.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Error> {
        let Self { listener, address, studio, settings, door, traces } = self;
        Meters::count_runs_of(&studio);
        let name = format!("{} ({address})", std::process::id());
        let serving = studio.begin_serving(&name).await?;
        // Traces are sent until all work has ended.
        let worked = CancellationToken::new();
        let traces = match traces {
            Some(target) => {
                let (observer, sending) = crate::traces::start(target, serving.server(), worked.clone())
                    .map_err(|error| Error::Traces { message: error.to_string() })?;
                studio.observe(observer);
                Some(tokio::spawn(sending))
            }
            None => None,
        };
        let limits = listen::ListenerLimits {
            connections: settings.connections,
            grace: Duration::from_secs(settings.grace_seconds),
        };
        let state = ServerState::new(studio.clone(), settings, stop.clone());
        let router = App::router(&state, &door).map_err(|error| Error::Webhooks { message: error.to_string() })?;
        // Each in a separate task: computing vectors is CPU-bound, and connections must be accepted meanwhile.
        let (stopping, looked_after) = (stop.clone(), studio.clone());
        let tending = tokio::spawn(off_workers(async move {
            tokio::select! {
                () = looked_after.tend_indexes(VECTORS) => {}
                () = stopping.cancelled() => {}
            }
        }));
        let listening = tokio::spawn(listen::serve(listener, router, limits, stop.clone()));
        serving.run(stop.clone()).await;
        for task in [listening, tending] {
            if let Err(error) = task.await {
                tracing::error!(%error, "server task panicked");
            }
        }
        if let Some(sending) = traces {
            worked.cancel();
            let _ = sending.await;
        }
        Ok(())
    }
}
