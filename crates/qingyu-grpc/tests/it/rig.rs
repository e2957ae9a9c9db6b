//! A door with a studio behind it, on a free port.

use std::sync::Arc;

use axum::Extension;
use qingyu_grpc::GrpcOptions;
use qingyu_studio::{Environment, Settings, Studio};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

pub(crate) const PREMISE: &str = "为独立开发者写一门关于定价的短课程";
pub(crate) const REQUIREMENT: &str = "一个灯塔看守人收到自己三十年前寄出的信";

/// A door that serves, its studio and its folder.
pub(crate) struct Rig {
    pub(crate) url: String,
    pub(crate) channel: Channel,
    pub(crate) stop: CancellationToken,
    _home: Arc<TempDir>,
}

/// Who asks.
pub(crate) enum Caller {
    Owner,
    Nobody,
}

impl Rig {
    pub(crate) async fn new(caller: Caller) -> Self {
        let home = tempfile::tempdir().unwrap();
        let variables = [("QINGYU_HOME", home.path().to_str().unwrap()), ("QINGYU_MODEL", "offline-rules-1")];
        let environment = Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let studio = Studio::open(Settings::load(environment, toml::Table::new()).unwrap()).await.unwrap();
        let stop = CancellationToken::new();
        let grpc = qingyu_grpc::grpc(&GrpcOptions { stop: stop.clone() }).unwrap();
        let services = match caller {
            Caller::Owner => grpc.services.layer(Extension(studio)),
            Caller::Nobody => grpc.services,
        };
        let app = services.merge(grpc.health);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let channel = Channel::from_shared(url.clone()).unwrap().connect().await.unwrap();
        Self { url, channel, stop, _home: Arc::new(home) }
    }
}
