//! A door with a studio behind it, asked without a network.

use std::sync::Arc;

use axum::body::Body;
use axum::{Extension, Router};
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt;
use qingyu_a2a::{A2a, A2aOptions, FileNotes};
use qingyu_studio::llm::{self, ChatModel, ModelRoutes};
use qingyu_studio::{Environment, Settings, Studio};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;
use tonic::service::Routes;
use tower::ServiceExt;

pub(crate) const PREMISE: &str = "为独立开发者写一门关于定价的短课程";
pub(crate) const REQUIREMENT: &str = "一个灯塔看守人收到自己三十年前寄出的信";

/// A model that says when it is asked, and never answers.
#[derive(Debug, Default)]
pub(crate) struct SilentModel {
    pub(crate) asked: Notify,
}

impl ChatModel for SilentModel {
    fn name(&self) -> &str {
        "silent"
    }

    fn stream<'a>(&'a self, _: &'a llm::ChatRequest) -> BoxFuture<'a, Result<llm::EventStream, llm::Error>> {
        self.asked.notify_one();
        std::future::pending().boxed()
    }
}

/// A door, its studio and its folder.
pub(crate) struct Rig {
    pub(crate) studio: Studio,
    pub(crate) app: Router,
    /// The door without anybody in front of it.
    door: Router,
    home: Arc<TempDir>,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct RigResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl RigResponse {
    pub(crate) async fn of(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8(body.to_vec()).unwrap();
        Self { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The data of a stream of events.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

impl Rig {
    pub(crate) async fn new() -> Self {
        Self::with_webhooks(Vec::new()).await
    }

    pub(crate) async fn with_webhooks(webhooks: Vec<String>) -> Self {
        Self::open(webhooks, None).await
    }

    /// A rig whose runs wait for this model.
    pub(crate) async fn with_model(model: Arc<dyn ChatModel>) -> Self {
        Self::open(Vec::new(), Some(ModelRoutes::new(model))).await
    }

    async fn open(webhooks: Vec<String>, models: Option<ModelRoutes>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let variables = [("QINGYU_HOME", home.path().to_str().unwrap()), ("QINGYU_MODEL", "offline-rules-1")];
        let environment = Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let settings = Settings::load(environment, toml::Table::new()).unwrap();
        let studio = match models {
            Some(models) => Studio::open_with_models(settings, models).await.unwrap(),
            None => Studio::open(settings).await.unwrap(),
        };
        let notes = Arc::new(FileNotes::new(home.path().join("a2a")));
        let A2a { card, http, grpc } = qingyu_a2a::a2a(A2aOptions { webhooks, ..A2aOptions::new(notes) }).unwrap();
        let grpc = Routes::new(grpc).prepare().into_axum_router();
        let door = http.fallback_service(grpc).merge(card);
        Self { app: door.clone().layer(Extension(studio.clone())), studio, door, home: Arc::new(home) }
    }

    /// The same door, asked by somebody else.
    pub(crate) fn asked_by(&self, studio: Studio) -> Self {
        let app = self.door.clone().layer(Extension(studio.clone()));
        Self { app, studio, door: self.door.clone(), home: Arc::clone(&self.home) }
    }

    /// The same door, asked by nobody who is known.
    pub(crate) fn asked_by_nobody(&self) -> Self {
        let (app, studio) = (self.door.clone(), self.studio.clone());
        Self { app, studio, door: self.door.clone(), home: Arc::clone(&self.home) }
    }

    /// Serves on a free port; gives the address.
    pub(crate) async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = self.app.clone();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        format!("http://{address}")
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> RigResponse {
        RigResponse::of(self.app.clone().oneshot(request).await.unwrap()).await
    }

    /// The head of the stream of who subscribes to a task.
    pub(crate) async fn subscribe(&self, method: &str, task: &str) -> Response<Body> {
        let request = Request::builder().method(method).uri(format!("/a2a/v1/tasks/{task}:subscribe"));
        let request = request.header("a2a-version", "1.0").body(Body::empty()).unwrap();
        self.app.clone().oneshot(request).await.unwrap()
    }

    /// A request over HTTP+JSON.
    pub(crate) async fn rest(&self, method: &str, path: &str, body: Option<Value>) -> RigResponse {
        let request = Request::builder().method(method).uri(format!("/a2a/v1{path}")).header("a2a-version", "1.0");
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.unwrap()).await
    }

    /// A call over JSON-RPC; its result or error.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Result<Value, Value> {
        let body = json!({"jsonrpc": "2.0", "id": "七", "method": method, "params": params});
        let request = Request::post("/a2a").header("a2a-version", "1.0").header("content-type", "application/json");
        let answered = self.send(request.body(Body::from(body.to_string())).unwrap()).await.json();
        assert_eq!((&answered["jsonrpc"], &answered["id"]), (&json!("2.0"), &json!("七")));
        match answered.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answered["result"].clone()),
        }
    }

    /// A production that waits for its first answer.
    pub(crate) async fn waiting(&self) -> Value {
        let parts = json!([{"text": PREMISE}, {"data": {"skill": "produce"}}]);
        let sent = self.call("SendMessage", message(parts, json!({}))).await.unwrap();
        sent["task"].clone()
    }
}

/// A request to send a message of these parts, with these fields beside them.
#[expect(clippy::needless_pass_by_value, reason = "they are written where they are passed")]
pub(crate) fn message(parts: Value, fields: Value) -> Value {
    let mut message = json!({"messageId": "m-1", "role": "ROLE_USER", "parts": parts});
    message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({"message": message})
}
