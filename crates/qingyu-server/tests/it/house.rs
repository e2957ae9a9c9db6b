//! Whole servers, as `qingyu serve` starts them.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use qingyu_llm::testing::ScriptedModel;
use qingyu_llm::{ModelRoutes, Reply};
use qingyu_server::Server;
use qingyu_studio::{Environment, Right, Settings, Studio};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::web::{key, web};

/// A server on a port of this machine, until the test ends or it is told to go.
pub(crate) struct House {
    pub(crate) studio: Studio,
    pub(crate) address: SocketAddr,
    pub(crate) page_token: String,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

/// A folder of its own.
pub(crate) fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn settings(home: &Path, more: &[(&str, &str)]) -> Settings {
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    let mut flags: toml::Table = "[server]\nport = 0\n[models]\nall = \"offline-rules-1\"".parse().unwrap();
    for (key, value) in more {
        qingyu_studio::settings::assign(&mut flags, key, value).unwrap();
    }
    Settings::load(Environment::new([home]), flags).unwrap()
}

/// A model that does not answer before the test has ended.
pub(crate) fn silent() -> Arc<ScriptedModel> {
    let silent = ScriptedModel::responding("silent", |_| Reply::default().into());
    Arc::new(silent.with_latency(Duration::from_secs(3_600)))
}

impl House {
    /// With the offline model.
    pub(crate) async fn open(home: &TempDir) -> Self {
        Self::with(home, &[]).await
    }

    /// The same, with some settings.
    pub(crate) async fn with(home: &TempDir, more: &[(&str, &str)]) -> Self {
        Self::of(Studio::open(settings(home.path(), more)).await.unwrap()).await
    }

    /// With models that never answer.
    pub(crate) async fn stuck(home: &TempDir) -> Self {
        Self::stuck_with(home, &[]).await
    }

    /// The same, with some settings.
    pub(crate) async fn stuck_with(home: &TempDir, more: &[(&str, &str)]) -> Self {
        let settings = settings(home.path(), more);
        Self::of(Studio::open_with_models(settings, ModelRoutes::new(silent())).await.unwrap()).await
    }

    /// With the offline model, and traces of what it does.
    pub(crate) async fn traced(home: &TempDir, target: qingyu_server::traces::TraceTarget) -> Self {
        let studio = Studio::open(settings(home.path(), &[])).await.unwrap();
        Self::serve(studio.clone(), Server::bind(studio).await.unwrap().with_traces(Some(target)))
    }

    /// With these models.
    pub(crate) async fn of_models(home: &TempDir, models: ModelRoutes) -> Self {
        Self::of(Studio::open_with_models(settings(home.path(), &[]), models).await.unwrap()).await
    }

    /// As it is beyond this machine: nobody gets in without a key. Gives the key of an admin as well.
    pub(crate) async fn guarded(home: &TempDir) -> (Self, String) {
        let more = [("server.host", "\"0.0.0.0\""), ("server.behind_tls", "true")];
        let studio = Studio::open(settings(home.path(), &more)).await.unwrap();
        let key = key(&studio, "warden", Right::Admin, &[]).await;
        (Self::of(studio).await, key)
    }

    /// A key of a user, who is made if nobody is called so yet.
    pub(crate) async fn key(&self, user: &str, right: Right) -> String {
        key(&self.studio, user, right, &[]).await
    }

    async fn of(studio: Studio) -> Self {
        let server = Server::bind(studio.clone()).await.unwrap();
        Self::serve(studio, server)
    }

    fn serve(studio: Studio, server: Server) -> Self {
        let (address, page_token) = (server.address(), server.page_token().to_owned());
        let stop = CancellationToken::new();
        let ends = stop.clone();
        let serving = tokio::spawn(async move { server.run(ends).await.unwrap() });
        Self { studio, address, page_token, stop, serving }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.address.port())
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        web().get(self.url(path))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        web().post(self.url(path)).json(body)
    }

    /// Begins a run; gives its id.
    pub(crate) async fn begin(&self, requirement: &str) -> String {
        let body = json!({"start": {"kind": "create", "requirement": requirement}});
        let begun = self.post("/api/v1/runs", &body).send().await.unwrap();
        assert_eq!(begun.status(), 201, "{}", begun.text().await.unwrap());
        let location = begun.headers()["location"].to_str().unwrap().to_owned();
        let answer: Value = begun.json().await.unwrap();
        let run = answer["run"].as_str().unwrap().to_owned();
        assert_eq!(location, format!("/api/v1/runs/{run}"));
        run
    }

    /// Follows a run to its end; gives the events, in order.
    pub(crate) async fn follow(&self, run: &str, after: u64) -> Vec<ReceivedEvent> {
        let path = format!("/api/v1/runs/{run}/events");
        let stream = self.get(&path).header("last-event-id", after.to_string()).send().await.unwrap();
        assert_eq!(stream.headers()["content-type"], "text/event-stream");
        told(&stream.text().await.unwrap())
    }

    /// Takes no new work, hands its runs over and ends.
    pub(crate) async fn go(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
    }
}

/// An event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReceivedEvent {
    pub(crate) id: Option<u64>,
    pub(crate) name: Option<String>,
    pub(crate) data: Value,
}

/// The events of a stream, without its comments.
pub(crate) fn told(stream: &str) -> Vec<ReceivedEvent> {
    let event = |block: &str| {
        let field = |name: &str| {
            let start = format!("{name}: ");
            block.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
        };
        let data = serde_json::from_str(&field("data")?).unwrap();
        Some(ReceivedEvent { id: field("id").map(|id| id.parse().unwrap()), name: field("event"), data })
    };
    stream.split("\n\n").filter_map(event).collect()
}

/// The problem that an answer is.
pub(crate) async fn problem(answer: Response) -> (u16, String) {
    let status = answer.status().as_u16();
    let kind = answer.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let body = answer.text().await.unwrap();
    assert_eq!(kind.as_deref(), Some("application/problem+json"), "{body}");
    let document: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(document["status"], status);
    assert!(document["request_id"].is_string(), "{document}");
    assert_eq!(document["type"], format!("urn:qingyu:error:{}", document["code"].as_str().unwrap()));
    (status, document["code"].as_str().unwrap().to_owned())
}
