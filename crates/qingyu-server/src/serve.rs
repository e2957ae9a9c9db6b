//! The server: a listener with all doors behind it, and the runs that it looks after.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use qingyu_studio::Studio;
use qingyu_studio::access::KeyState;
use qingyu_studio::settings::values::Server as Settings;
use qingyu_studio::workers::off_workers;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::{App, Door, State, listen};
use crate::meters::Meters;

/// How long it is until vectors are looked after again.
const VECTORS: Duration = Duration::from_secs(30);

/// Why a server does not begin.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Others would get in without a key.
    #[error("nobody has a key yet, and {address} can be reached from other machines; make one with `qingyu keys make`")]
    NoKey {
        /// The address.
        address: SocketAddr,
    },
    /// Keys would be sent for everybody to read.
    #[error(
        "{address} can be reached from other machines, and keys would be sent in the open; put TLS before it and set `server.behind_tls`"
    )]
    NoTls {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {message}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        message: String,
    },
    /// The addresses of webhooks in the settings cannot be used.
    #[error("`server.webhooks` cannot be used: {message}")]
    Webhooks {
        /// Why.
        message: String,
    },
    /// Traces cannot be sent where the environment says.
    #[error("{message}")]
    Traces {
        /// Why.
        message: String,
    },
    /// The studio does not do what it should.
    #[error(transparent)]
    Studio(#[from] qingyu_studio::Error),
}

/// A server that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    studio: Studio,
    settings: Settings,
    door: Door,
    traces: Option<crate::traces::Target>,
}

impl Server {
    /// Listens as the studio's settings say; connections wait until the server [runs](Self::run).
    ///
    /// Only this machine gets in without a key. Fails with [`Error::NoKey`] or [`Error::NoTls`] if the address can be
    /// reached from others and they could not be told apart, or could be overheard.
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
        let door = Door::new(&settings.hosts, &settings.origins, is_local);
        Ok(Self { listener, address, studio, settings, door, traces: None })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it is reached.
    pub fn url(&self) -> String {
        self.settings.public_url.clone().unwrap_or_else(|| format!("http://{}", self.address))
    }

    /// By what it is entered.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Sends traces of what its runs do to `target`.
    #[must_use]
    pub fn with_traces(mut self, target: Option<crate::traces::Target>) -> Self {
        self.traces = target;
        self
    }

    /// Serves until `stop`; then takes nothing new, brings its runs to their next checkpoint and hands them over, and ends
    /// its streams.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Error> {
        let Self { listener, address, studio, settings, door, traces } = self;
        Meters::count_runs_of(&studio);
        let name = format!("{} ({address})", std::process::id());
        let serving = studio.begin_serving(&name).await?;
        // They are sent until nobody works any more.
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
        let limits =
            listen::Limits { connections: settings.connections, grace: Duration::from_secs(settings.grace_seconds) };
        let state = State::new(studio.clone(), settings, stop.clone());
        let router = App::router(&state, &door).map_err(|error| Error::Webhooks { message: error.to_string() })?;
        // Each in a task of its own: making vectors computes, and connections are accepted meanwhile.
        let (stopping, looked_after) = (stop.clone(), studio.clone());
        let tending = tokio::spawn(off_workers(async move {
            tokio::select! {
                () = looked_after.tend_vectors(VECTORS) => {}
                () = stopping.cancelled() => {}
            }
        }));
        let listening = tokio::spawn(listen::serve(listener, router, limits, stop.clone()));
        serving.run(stop.clone()).await;
        for task in [listening, tending] {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task of the server broke off");
            }
        }
        if let Some(sending) = traces {
            worked.cancel();
            let _ = sending.await;
        }
        Ok(())
    }
}
